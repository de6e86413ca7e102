"""Which session a person means: the named or open one, else the primary, else the one that a window showed last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from voice.dialogue.host import VoiceHost
from voice.intent.model import Context


async def context_of(host: VoiceHost, named: str | None = None, *, or_latest: bool = False) -> Context:
    """What "this", "the primary" and "the last session" mean now; ``or_latest``: "this" may be the latest at work.

    A host that cannot say leaves only what was named. Raises SaysoError when it cannot be reached.
    """
    envelope = await host.execute("session.list", {"limit": 1}, repeatable=True)
    data = cast("Mapping[str, Any]", envelope.get("data") or {})
    targets = cast("Mapping[str, Any]", data.get("targets") or {})
    sessions = cast("Sequence[Mapping[str, Any]]", data.get("sessions") or ())
    latest = str(sessions[0]["id"]) if sessions else None
    primary, focused = targets.get("primary"), targets.get("last_focused")
    current = named or primary or focused or (latest if or_latest else None)
    return Context(current_session=current, primary_session=primary, last_session=focused or latest)
