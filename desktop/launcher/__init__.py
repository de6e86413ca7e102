"""The launcher: find an action, fill its form, see what will happen, run it."""
