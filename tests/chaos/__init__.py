"""Random faults over many sessions of a real host process. ``python -m tests.chaos`` runs all of it."""
