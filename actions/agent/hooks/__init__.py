"""Commands of the user that run before and after tool calls, and may block or question them."""
