"""How a provider's agent is given one of the user's servers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from actions.servers.pool.definition import Http, ServerDefinition


class Way(StrEnum):
    """``native``: the agent connects to it itself. ``sayso``: its tools are among ours, each call is pinned, judged and
    recorded. ``bridge``: the same by a command in the agent's shell. ``none``: not at all.
    """

    NATIVE = "native"
    SAYSO = "sayso"
    BRIDGE = "bridge"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Ability:
    """What an agent takes: how it gets tools at all (``native_mcp``, ``shell_bridge``, ``none``), and over which
    transports an MCP server (``http``, ``stdio``, ``sse``), best first.
    """

    provider: str
    name: str
    delivery: str
    transports: tuple[str, ...] = ()

    @property
    def takes_ours(self) -> bool:
        """Whether it connects to our own endpoint."""
        return self.delivery == "native_mcp" and bool({"http", "stdio"} & set(self.transports))


def way_for(
    definition: ServerDefinition,
    ability: Ability,
    *,
    chosen: bool = False,
    unseen: bool = False,
    held: bool = False,
    logged_in: bool = False,
    apart: bool = False,
) -> tuple[Way, str]:
    """The way, and why it is not the native one (else nothing).

    ``chosen``: the user wants it through Sayso. ``held``: a tool of it waits to be looked at, which only we can keep
    back; ``unseen``: its tools are not known yet, so that one may. ``logged_in``: it wants a login, which is ours: no
    token is handed on. ``apart``: it wants a folder of its own, which an agent cannot be told.
    """
    if ability.delivery == "shell_bridge":
        return Way.BRIDGE, f"{ability.name} gets tools as commands of its shell."
    if ability.delivery != "native_mcp":
        return Way.NONE, f"{ability.name} takes no MCP servers."
    kind = definition.transport.transport if isinstance(definition.transport, Http) else "stdio"
    why = ""
    if chosen:
        why = "You chose that it goes through Sayso."
    elif held:
        why = "A tool of it waits to be looked at; the others go through Sayso until then."
    elif logged_in:
        why = "Its login is kept by Sayso and is not handed on."
    elif unseen:
        why = "Its tools are not known now, so they cannot be compared with those that you know."
    elif apart:
        why = "It runs in a folder of its own, which an agent cannot be told."
    elif kind not in ability.transports:
        why = f"{ability.name} takes no {kind} servers."
    if not why:
        return Way.NATIVE, ""
    if not ability.takes_ours:
        return Way.NONE, f"{why} {ability.name} does not take it through Sayso either."
    return Way.SAYSO, why
