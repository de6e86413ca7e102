"""The built-in agent files: YAML with the tools, Markdown with the system prompt. Data only."""
