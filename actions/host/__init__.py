"""The host process: builds the services, owns their lifetime and opens the local endpoint. One a home."""
