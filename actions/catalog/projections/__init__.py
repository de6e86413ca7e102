"""Projections of a spec: JSON Schema, tool, command."""
