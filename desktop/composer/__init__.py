"""Where the user writes to an agent."""
