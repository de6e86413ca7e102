"""Repeated calls: a key names one call, so that a caller who lost the answer may ask again without a second effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from actions.errors import InvalidInput
from actions.execution.request import Outcome, Request, outcome_from_json
from actions.storage.ids import now_ms
from actions.storage.schema import idempotency


@dataclass(frozen=True)
class Claim:
    """The answer to "may I run this call?".

    ``mine``: it was not seen before and is now recorded as begun. Else ``outcome`` is what was recorded, or None when
    it was begun and its end is not known (yet).
    """

    mine: bool
    outcome: Outcome | None = None


def scoped_key(request: Request) -> str | None:
    """The key within its caller: two callers' keys never meet."""
    if request.idempotency_key is None:
        return None
    return f"{request.surface.value}:{request.caller.session_id or '-'}:{request.idempotency_key}"


def claim(connection: Connection, key: str, action_id: str, input_hash: str) -> Claim:
    """Record the call as begun, or tell what became of it. Raises InvalidInput when the key meant another call."""
    row = connection.execute(select(idempotency).where(idempotency.c.key == key)).mappings().first()
    if row is None:
        connection.execute(
            insert(idempotency).values(key=key, action_id=action_id, input_hash=input_hash, outcome=None, at=now_ms())
        )
        return Claim(mine=True)
    if row["action_id"] != action_id or row["input_hash"] != input_hash:
        raise InvalidInput(
            "This idempotency key was used for another call. Take a new key.",
            [{"field": "idempotency_key", "message": f"names a call of {row['action_id']} with another input"}],
        )
    recorded: dict[str, Any] | None = row["outcome"]
    return Claim(mine=False, outcome=None if recorded is None else outcome_from_json(recorded))


def record(connection: Connection, key: str, outcome: Outcome) -> None:
    """Store how the call ended."""
    connection.execute(update(idempotency).where(idempotency.c.key == key).values(outcome=outcome.as_json()))
