"""How the window, the voice and the command reach the host: calls, an event stream, and starting it when none runs."""
