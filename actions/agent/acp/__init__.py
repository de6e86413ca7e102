"""The agent's side of ACP 1: sessions, updates, permissions, modes, options, commands, client-side tools."""
