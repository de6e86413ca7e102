"""From an intent to an outcome: what runs at once, what is read back, and what a yes or no then means."""
