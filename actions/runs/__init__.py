"""Managed runs: child sessions started for a purpose, with a state and a result."""
