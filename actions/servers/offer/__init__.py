"""What a session is offered of the user's servers: one resolver, for the preview and for the launch."""
