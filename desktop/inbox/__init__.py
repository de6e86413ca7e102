"""What waits for the user: one list, one detail, safe answers."""
