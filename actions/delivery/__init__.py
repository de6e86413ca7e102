"""The catalog served outward: the local endpoint that windows and commands use."""
