"""The list of sessions, grouped by workspace."""
