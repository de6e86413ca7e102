"""What a session remembers: its context, its checkpoints, its state, and the file that all of it is kept in."""
