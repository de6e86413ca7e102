"""What single agents do otherwise than the others. A provider's row names its quirks; each has its code here.

Nothing asks which agent it is: a row of the user's own may name the same quirks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from actions.sessions.quirks.kindless_calls import GuessKinds
from actions.sessions.quirks.never_bare import refuse_bare
from actions.sessions.quirks.quirk import Quirk, Quirks
from actions.sessions.quirks.sandbox_home import sandbox_cannot_work
from actions.sessions.quirks.title_is_arguments import name_the_tool
from actions.sessions.quirks.untitled_permission import NameFromCall

KNOWN: Mapping[str, Quirk] = MappingProxyType(
    {
        "kindless_calls": Quirk(listener=GuessKinds),
        "never_bare": Quirk(refusal=refuse_bare),
        # WORKAROUND(codex-acp, all versions, seen by us): its sandbox blocks sockets of every kind.
        "no_sockets": Quirk(no_bridge="its sandbox keeps the shell from reaching Sayso"),
        "sandbox_home": Quirk(warning=sandbox_cannot_work),
        # WORKAROUND(codex-acp 2.6, gemini-cli 0.61, qwen-code 0.24, seen by us): with an MCP server of theirs running
        # they stay after the end of their input; two seconds of waiting for that help nobody.
        "slow_exit": Quirk(eof_wait=0.5),
        "title_is_arguments": Quirk(listener=lambda: name_the_tool),
        "untitled_permission": Quirk(listener=NameFromCall),
    }
)


def quirks_of(names: tuple[str, ...]) -> Quirks:
    """The quirks of one running agent; what they remember is its own. Raises KeyError for an unknown name."""
    return Quirks(tuple(KNOWN[name] for name in names))


__all__ = ["KNOWN", "Quirk", "Quirks", "quirks_of"]
