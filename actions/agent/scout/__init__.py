"""The scout: what can be said about a repository without a model. Deterministic, reads only."""
