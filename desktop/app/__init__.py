"""The application around the panes: loop, life cycle, the line to the host."""
