"""The tool system: what a tool is, how tools are loaded, dispatched, counted and shown; knows no model and no wire."""
