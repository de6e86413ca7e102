"""Git worktrees that sessions work in: each with its own folder and branch, made, merged back and taken away."""
