"""Settings: one page a file, the frame around them, and the dialog that asks before a dangerous change."""
