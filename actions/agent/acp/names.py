"""Ids of tool calls on the wire."""

from __future__ import annotations

from secrets import token_hex


class CallNames:
    """One name a call, unique in the session: a model's own ids repeat, in later turns and in subagents."""

    def __init__(self) -> None:
        self._token = token_hex(2)
        self._given: dict[tuple[str | None, str], str] = {}
        self._count = 0

    def new(self, agent: str | None, call_id: str) -> str:
        """A name for a call that starts now. ``agent`` is the subagent that makes it, None for the main one."""
        self._count += 1
        name = self._given[agent, call_id] = f"{call_id}.{self._token}{self._count}"
        return name

    def of(self, agent: str | None, call_id: str) -> str:
        """The name of the newest call with this id; one that was not announced is given a name now."""
        return self._given.get((agent, call_id)) or self.new(agent, call_id)
