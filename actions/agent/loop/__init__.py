"""The model loop: steps, turns, subagents, compaction, and the building of a session out of all rooms."""
