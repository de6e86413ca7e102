"""A person's yes to what a workspace's servers run, and to a tool that is another one now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from actions.catalog.server_use_views import ChangeView, TrustReview, WouldRun
from actions.errors import ErrorCode, InvalidInput, NotFound, SaysoError
from actions.servers.definitions import DEVICE
from actions.servers.offer.resolver import Offered, Resolver
from actions.servers.pool.hidden import visible
from actions.servers.trust.changes import Change
from actions.servers.trust.consents import Consent, Consents, Trust
from actions.servers.trust.content import Content

_WAITING = (Trust.NOT_TRUSTED, Trust.CHANGED, Trust.ENVIRONMENT)


class Trusting:
    """``changed`` is told of each decision."""

    def __init__(self, resolver: Resolver, consents: Consents, changed: Callable[[str], None]) -> None:
        self._resolver = resolver
        self._consents = consents
        self._changed = changed

    async def review(self, workspace: Path | None) -> TrustReview:
        """What is there to agree to: the servers of the workspace's files, or those of the device that wait."""
        return _review(workspace, await self._of(workspace))

    async def agree(
        self, workspace: Path | None, *, content_hash: str | None, servers: Sequence[str], environment: Sequence[str]
    ) -> TrustReview:
        """Agree to what was looked at; without ``servers`` to all of it.

        Raises ``stale`` with the review when ``content_hash`` is not that of what is there; NotFound, InvalidInput.
        """
        found = await self._of(workspace)
        review = _review(workspace, found)
        if content_hash != review.content_hash:
            raise SaysoError(
                "What the servers would run is not what you looked at. Look at it again, then agree to that."
                if content_hash
                else "Say what you agree to: give the content_hash of what you looked at (mcp.trust.get).",
                code=ErrorCode.STALE if content_hash else ErrorCode.INVALID_INPUT,
                details={"review": review.model_dump(), "content_hash": review.content_hash},
            )
        if unknown := set(servers) - {offered.name for offered in found}:
            named = ", ".join(sorted(unknown))
            raise NotFound(f"There is nothing to trust named {named}.", details={"servers": sorted(unknown)})
        chosen = [offered for offered in found if not servers or offered.name in servers]
        risky = {name for offered in chosen for name in (offered.verdict.environment if offered.verdict else ())}
        if unknown := set(environment) - risky:
            listed = ", ".join(sorted(unknown))
            raise InvalidInput(
                f"No server here sets {listed}.", [{"field": "environment", "message": f"It names {listed}."}]
            )
        for place in {offered.place for offered in chosen}:
            kept = await self._consents.of(place)
            consents = [_yes(one, kept.get(one.name), environment) for one in chosen if one.place == place]
            await self._consents.give(place, [consent for consent in consents if consent is not None])
            self._changed(place)
        return await self.review(workspace)

    async def withdraw(self, workspace: Path | None, servers: Sequence[str]) -> TrustReview:
        """Take it back; what runs already is not ended."""
        found = await self._of(workspace)
        for place in {offered.place for offered in found}:
            names = [o.name for o in found if o.place == place and (not servers or o.name in servers)]
            await self._consents.withdraw(place, names)
            self._changed(place)
        return await self.review(workspace)

    async def _of(self, workspace: Path | None) -> list[Offered]:
        """The servers that need a yes: those of a workspace's files; of the device those with risky variables."""
        return [
            offered
            for offered in await self._resolver.resolve(workspace)
            if offered.stored.root is not None or (offered.verdict is not None and offered.verdict.trust in _WAITING)
        ]


def _yes(offered: Offered, kept: Consent | None, environment: Sequence[str]) -> Consent | None:
    if offered.content is None or offered.verdict is None:
        return None
    before = kept.environment if kept is not None and kept.content.hash == offered.content.hash else ()
    allowed = {*before, *(name for name in offered.verdict.environment if name in environment)}
    return Consent(offered.name, offered.content, tuple(sorted(allowed)))


def _review(workspace: Path | None, found: Sequence[Offered]) -> TrustReview:
    hashes = [[offered.place, offered.name, offered.content.hash if offered.content else None] for offered in found]
    return TrustReview(
        workspace=DEVICE if workspace is None else str(workspace),
        content_hash=hashlib.sha256(json.dumps(sorted(hashes, key=repr)).encode()).hexdigest(),
        trusted=all(offered.verdict is not None and offered.verdict.runs for offered in found if offered.content),
        servers=[_would_run(offered) for offered in found],
    )


def _would_run(offered: Offered) -> WouldRun:
    content = offered.content or Content("unknown")
    verdict = offered.verdict
    command = () if content.command is None else (content.command, *content.args)
    return WouldRun(
        server=offered.name,
        trust="not_trusted" if verdict is None else verdict.trust.value,
        transport=content.transport,
        command=[visible(word) for word in command],
        resolved=content.resolved,
        cwd=content.cwd,
        env=list(content.env),
        url=None if content.url is None else visible(content.url),
        headers=list(content.headers),
        scripts=dict(content.scripts),
        environment=[] if verdict is None else list(verdict.environment),
        changes=[] if verdict is None else change_views(verdict.changes),
        file=str(offered.stored.source),
        line=offered.stored.line,
        problem=offered.message if offered.content is None else None,
    )


def change_views(changes: Sequence[Change]) -> list[ChangeView]:
    """For views."""
    return [ChangeView(**change.as_json()) for change in changes]
