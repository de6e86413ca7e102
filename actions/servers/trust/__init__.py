"""What a person agreed to: what a workspace's servers may run, and their tools as they were seen."""
