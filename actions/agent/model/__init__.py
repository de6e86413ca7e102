"""The model of the built-in agent: which one, where it is, one streamed request to it, and what that cost."""
