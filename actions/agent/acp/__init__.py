"""The agent's side of ACP 1: sessions on the wire, updates, permissions, modes, options, commands, client-side tools."""
