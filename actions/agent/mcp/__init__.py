"""Tools of MCP servers among the agent's own: under names of their server, asked for by server and tool."""
