"""The catalog over MCP: one server an agent session, one for each editor; over HTTP on loopback, or over a pipe.

Only ``server``, ``mount`` and ``pipe`` import the MCP library, which takes most of a second: import them late.
"""
