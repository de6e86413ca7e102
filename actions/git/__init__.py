"""What Sayso asks of git: commands that cannot hang or run a repository's programs, and the scope of a change."""
