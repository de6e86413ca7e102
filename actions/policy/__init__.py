"""Who may do what, where: pure functions over specs and settings. Nothing here does I/O."""
