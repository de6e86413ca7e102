"""Commands that the agent runs: their output in bounds, their environment, and how every process of them is ended."""
