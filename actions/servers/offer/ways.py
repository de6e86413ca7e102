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


@dataclass(frozen=True, slots=True)
class Delivery:
    """A way, and why it is not the native one: as a word for a program and in words; both empty for the native one."""

    way: Way
    code: str = ""
    words: str = ""


def way_for(
    definition: ServerDefinition,
    ability: Ability,
    *,
    chosen: bool = False,
    unseen: bool = False,
    held: bool = False,
    logged_in: bool = False,
    apart: bool = False,
) -> Delivery:
    """How an agent is given a server.

    ``chosen``: the user wants it through Sayso. ``held``: a tool of it waits to be looked at, which only we can keep
    back; ``unseen``: its tools are not known yet, so that one may. ``logged_in``: it wants a login, which is ours: no
    token is handed on. ``apart``: it wants a folder of its own, which an agent cannot be told.
    """
    if ability.delivery == "shell_bridge":
        return Delivery(Way.BRIDGE, "shell", f"{ability.name} gets tools as commands of its shell.")
    if ability.delivery != "native_mcp":
        return Delivery(Way.NONE, "takes_none", f"{ability.name} takes no MCP servers.")
    kind = definition.transport.transport if isinstance(definition.transport, Http) else "stdio"
    reasons = (
        (chosen, "chosen", "You chose that it goes through Sayso."),
        (held, "held", "A tool of it waits to be looked at; the others go through Sayso until then."),
        (logged_in, "login", "Its login is kept by Sayso and is not handed on."),
        (unseen, "unseen", "Its tools are not known now, so they cannot be compared with those that you know."),
        (apart, "apart", "It runs in a folder of its own, which an agent cannot be told."),
        (kind not in ability.transports, "transport", f"{ability.name} takes no {kind} servers."),
    )
    code, words = next(((code, words) for holds, code, words in reasons if holds), ("", ""))
    if not code:
        return Delivery(Way.NATIVE)
    if not ability.takes_ours:
        return Delivery(Way.NONE, "takes_none", f"{words} {ability.name} does not take it through Sayso either.")
    return Delivery(Way.SAYSO, code, words)
