"""Forms that are generated from the fields of an action."""
