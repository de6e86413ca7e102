"""A change to look at: its files, and its lines with their numbers."""
