"""Which servers of a workspace a person said yes to, each for what it ran when they looked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from actions.servers.risks import denied_names
from actions.servers.trust.changes import Change
from actions.servers.trust.content import Content
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import mcp_consents


class Trust(StrEnum):
    """Whether a server may run. ``environment``: all but its variables that change which programs run."""

    OWN = "own"
    TRUSTED = "trusted"
    NOT_TRUSTED = "not_trusted"
    CHANGED = "trust_changed"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class Consent:
    """A yes: to ``content``, and to those variables of ``environment`` that need one of their own."""

    server: str
    content: Content
    environment: tuple[str, ...] = ()
    at: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a server may run, and why not: what is different now, which variables wait for their yes."""

    trust: Trust
    changes: tuple[Change, ...] = ()
    environment: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether it may be started."""
        return self.trust in (Trust.OWN, Trust.TRUSTED)


def judge(content: Content, consent: Consent | None, *, foreign: bool) -> Verdict:
    """``foreign``: the definition comes from a workspace's file. One of the user's own runs without a yes, but for the
    variables that need their own.
    """
    risky = denied_names(content.env)
    same = consent is not None and consent.content.hash == content.hash
    if foreign and consent is None:
        return Verdict(Trust.NOT_TRUSTED, environment=risky)
    if foreign and consent is not None and not same:
        return Verdict(Trust.CHANGED, content.since(consent.content), risky)
    allowed = consent.environment if consent is not None and same else ()
    if left := tuple(name for name in risky if name not in allowed):
        return Verdict(Trust.ENVIRONMENT, environment=left)
    return Verdict(Trust.TRUSTED if foreign else Trust.OWN)


class Consents:
    """Keeps them in the database. ``workspace`` is the real path of a folder, or ``device``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, workspace: str) -> Mapping[str, Consent]:
        """Every consent for a workspace, by server. One that cannot be read counts as none."""

        def work(db: Connection) -> dict[str, Consent]:
            rows = db.execute(select(mcp_consents).where(mcp_consents.c.workspace == workspace)).mappings()
            return {row["server"]: found for row in rows if (found := _consent(dict(row))) is not None}

        return await self._database.read(work)

    async def give(self, workspace: str, consents: Iterable[Consent]) -> None:
        """Keep these; each takes the place of an earlier one for the same server."""
        rows = [
            {
                "workspace": workspace,
                "server": consent.server,
                "hash": consent.content.hash,
                "content": consent.content.as_json(),
                "environment": list(consent.environment),
                "at": consent.at or now_ms(),
            }
            for consent in consents
        ]

        def work(db: Connection) -> None:
            for row in rows:
                put = insert(mcp_consents).values(**row)
                db.execute(put.on_conflict_do_update(index_elements=["workspace", "server"], set_=row))

        await self._database.write(work)

    async def withdraw(self, workspace: str, servers: Iterable[str] | None = None) -> None:
        """Take back the consent for these servers, or for all of a workspace."""
        gone = delete(mcp_consents).where(mcp_consents.c.workspace == workspace)
        if servers is not None:
            gone = gone.where(mcp_consents.c.server.in_(list(servers)))
        await self._database.write(lambda db: db.execute(gone))


def _consent(row: Mapping[str, Any]) -> Consent | None:
    try:
        content = Content.of_json(row["content"])
    except (TypeError, ValueError, AttributeError):
        return None
    # The hash is the promise: a row whose content was changed by hand does not keep it
    if content.hash != row["hash"]:
        return None
    return Consent(row["server"], content, tuple(map(str, row["environment"] or ())), row["at"])
