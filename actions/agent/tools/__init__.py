"""The built-in tools, one module each with its description as Markdown beside it."""
