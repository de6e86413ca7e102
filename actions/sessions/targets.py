"""Which session is meant when none is named: the primary one, else the one that a window showed last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert as upsert

from actions.catalog.views import Targets
from actions.storage.database import Database
from actions.storage.schema import meta, sessions

_KEY = "targets"


class TargetStore:
    """The choice as stored. A session that was deleted or put away is no target; one that comes back is one again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self) -> Targets:
        """The targets that can be reached now."""
        return await self._database.read(_reachable)

    async def set_primary(self, session_id: str | None) -> Targets:
        """Choose the primary session, or none."""
        return await self._change(primary=session_id)

    async def set_tracked(self, session_ids: Sequence[str]) -> Targets:
        """Choose the tracked sessions, each once, in this order."""
        return await self._change(tracked=list(dict.fromkeys(session_ids)))

    async def focused(self, session_id: str) -> None:
        """A window shows this session now."""
        if (await self._database.read(_stored)).last_focused != session_id:
            await self._change(last_focused=session_id)

    async def _change(self, **values: Any) -> Targets:
        def work(db: Connection) -> Targets:
            targets = _stored(db).model_copy(update=values)
            row = upsert(meta).values(key=_KEY, value=targets.model_dump(mode="json"))
            db.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": row.excluded.value}))
            return _reachable(db)

        return await self._database.write(work)


def _stored(db: Connection) -> Targets:
    value = db.execute(select(meta.c.value).where(meta.c.key == _KEY)).scalar()
    return Targets.model_validate(cast("dict[str, Any]", value)) if isinstance(value, dict) else Targets()


def _reachable(db: Connection) -> Targets:
    targets = _stored(db)
    named = [targets.primary, targets.last_focused, *targets.tracked]
    query = select(sessions.c.id).where(sessions.c.id.in_([i for i in named if i]), sessions.c.archived_at.is_(None))
    there = set(db.execute(query).scalars())
    return Targets(
        primary=targets.primary if targets.primary in there else None,
        tracked=[session_id for session_id in targets.tracked if session_id in there],
        last_focused=targets.last_focused if targets.last_focused in there else None,
    )
