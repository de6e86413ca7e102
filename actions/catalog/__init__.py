"""What can be done: the specs of all actions, the ports that they call, and their projections. No I/O."""
