"""The one door: every call of an action, from any surface, ends in :meth:`actions.execution.door.Door.execute`."""
