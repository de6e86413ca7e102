"""The user's MCP servers: what they are, and the connections to them."""
