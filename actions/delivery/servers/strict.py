"""The strict start: a session begins with all of its servers, or not at all (DESIGN, section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from actions.errors import SaysoError
from actions.servers.definitions import Standing
from actions.servers.offer.connections import Known
from actions.servers.offer.resolver import UNSUPPORTED, Offered
from actions.servers.trust.consents import Trust

CONNECT_S = 60.0
"""Seconds that a strict start waits for servers; each has a limit of its own, too."""
_MEANT = frozenset({UNSUPPORTED, Standing.INVALID.value, Standing.MISSING_VALUE.value, Trust.NOT_TRUSTED.value,
                    Trust.CHANGED.value})  # fmt: skip
"""Reasons for which a server that is on is not given."""


def require_all(offered: Iterable[Offered], known: Mapping[str, Known | None]) -> None:
    """Raises SaysoError that names each server that a session should get and does not, and why."""
    missing = {one.name: why for one in offered if (why := _why(one, known.get(one.name)))}
    if not missing:
        return
    listed = " ".join(f"{name}: {why}" for name, why in sorted(missing.items()))
    raise SaysoError(
        f"The session was not started: `mcp.strict_start` is on and not all of its MCP servers are there. {listed} "
        "Mend them and resume, leave them out of the session, or switch the setting off.",
        details={"reason": "servers_missing", "servers": missing},
    )


def _why(offered: Offered, known: Known | None) -> str:
    if offered.reason in _MEANT:
        return offered.message
    if not offered.selected or (known is not None and known.connected):
        return ""
    failure = None if known is None else known.row.failure
    return "It has not connected yet." if failure is None else failure.message
