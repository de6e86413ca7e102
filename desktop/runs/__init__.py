"""Managed runs: review, plan, delegate."""
