"""The scout's review run: what can be known about a change without a model."""
