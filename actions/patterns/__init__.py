"""What a rule about tool calls covers: pure, for the host's rules and for those of the built-in agent's process."""
