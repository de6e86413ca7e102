"""The user's MCP servers for sessions: looked at, trusted, handed over, called."""
