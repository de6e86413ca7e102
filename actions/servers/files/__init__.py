"""The files of the user's servers: ``mcp.json`` of the device, ``.mcp.json`` of a workspace.

Both are ``{"mcpServers": {name: entry}, "sayso": {...}}`` with comments. The block ``sayso`` of either file holds what
other programs do not know of a server (``servers``), that of the device's also where each server is on (``bindings``).
"""
