"""The empty window: what is there, what is missing, and the one step that leads on."""
