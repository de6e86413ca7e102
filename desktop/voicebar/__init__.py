"""The voice bar: push to talk, see what was heard, confirm it."""
