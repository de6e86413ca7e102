"""The client pool: one connection a server, kept in the background, restarted when it dies, ended without a trace.

The agent's process and the host both stand on it. It takes definitions as data and secrets through a callable; the MCP
library is loaded with the first server, not before.
"""
