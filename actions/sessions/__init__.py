"""Hosted sessions: one agent process, one ACP connection and one transcript each."""
