"""Finding files and text for Glob and Grep: two engines, one result."""
