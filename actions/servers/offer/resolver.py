"""Which servers a session gets, in which way, and why not the others. Nothing is started here.

Preview and launch both ask :meth:`Resolver.resolve`; what one shows is what the other does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from actions.servers.definitions import DEVICE, ServerBook, Standing, StoredServer
from actions.servers.files.worktrees import also_known_as
from actions.servers.offer.selection import Selection
from actions.servers.offer.ways import Ability, Way, way_for
from actions.servers.pool.definition import Http, ServerDefinition, Stdio
from actions.servers.trust.consents import Consent, Consents, Trust, Verdict, judge
from actions.servers.trust.content import Content, content_of
from actions.servers.values import MissingValue, expanded

FORCED_IN, FORCED_OUT, SERVERS_OFF = "forced_included", "forced_excluded", "servers_off_for_session"
AVAILABLE_HERE, UNSUPPORTED = "available_here", "unsupported_by_provider"
_WORDS: Mapping[str, str] = {
    Standing.ACTIVE.value: "It is on here.",
    Standing.BINDING_DISABLED.value: "It is off here.",
    Standing.NOT_BOUND.value: "It is bound nowhere.",
    Standing.ELSEWHERE.value: "It is on in another folder only.",
    FORCED_IN: "This session takes it.",
    FORCED_OUT: "This session leaves it out.",
    SERVERS_OFF: "This session takes none of your servers.",
    AVAILABLE_HERE: "It is off here; a session can take it.",
    Trust.NOT_TRUSTED.value: "The workspace's file wants to run this. Look at it and trust it: sayso mcp trust",
    Trust.CHANGED.value: "What it runs has changed since you trusted it. Look at the difference: sayso mcp trust",
}


@dataclass(frozen=True)
class Offered:
    """One server for a session: whether it gets it, by which way, and the reason in a word and in words.

    ``runs`` is what is started, with its variables filled in; None where it cannot be. ``place`` is where its pins and
    its trust belong: the workspace of its file, or ``device``.
    """

    name: str
    stored: StoredServer
    selected: bool
    reason: str
    message: str
    way: Way = Way.NONE
    way_code: str = ""
    way_reason: str = ""
    runs: ServerDefinition | None = None
    content: Content | None = None
    verdict: Verdict | None = None

    @property
    def place(self) -> str:
        return DEVICE if self.stored.root is None else str(self.stored.root)

    @property
    def delivered(self) -> bool:
        """Whether the session gets it."""
        return self.selected and self.runs is not None and self.way is not Way.NONE

    @property
    def starts(self) -> bool:
        """Whether it may be started to be looked at: all that the session gets, whatever its agent takes."""
        return self.selected and self.runs is not None and (self.verdict is None or self.verdict.runs)


@dataclass(frozen=True)
class Facts:
    """What is known of servers beside their files: whose tools were not looked at since they last may have changed, of
    which a tool waits, and which have a login of ours.
    """

    unseen: frozenset[str] = field(default_factory=frozenset[str])
    held: frozenset[str] = field(default_factory=frozenset[str])
    logged_in: frozenset[str] = field(default_factory=frozenset[str])


class Resolver:
    """``search_path`` gives the PATH that commands are looked up on, ``environ`` the variables that files may name."""

    def __init__(
        self,
        book: ServerBook,
        consents: Consents,
        environ: Callable[[], Mapping[str, str]],
        search_path: Callable[[], Awaitable[str]],
    ) -> None:
        self._book = book
        self._consents = consents
        self._environ = environ
        self._search_path = search_path

    async def resolve(
        self,
        workspace: Path | None,
        ability: Ability | None = None,
        selection: Selection | None = None,
        facts: Facts | None = None,
    ) -> tuple[Offered, ...]:
        """Every server that is known in ``workspace``, by name; without an ``ability`` no way is settled."""
        chosen = selection or Selection()
        path = await self._search_path()
        looked = await asyncio.to_thread(self._look, workspace, chosen, path)
        trusted = {place: await self._agreed(place) for place in {offered.place for offered in looked}}
        judged = [_judged(offered, trusted[offered.place].get(offered.name)) for offered in looked]
        if ability is None:
            return tuple(judged)
        return tuple(_on_its_way(offered, workspace, ability, chosen, facts or Facts()) for offered in judged)

    async def _agreed(self, place: str) -> Mapping[str, Consent]:
        """What was agreed to for a place; in a git worktree also for its repository, for the yes is for content."""
        main = None if place == DEVICE else await asyncio.to_thread(also_known_as, Path(place))
        own = await self._consents.of(place)
        return own if main is None else {**await self._consents.of(str(main)), **own}

    def _look(self, workspace: Path | None, selection: Selection, path: str) -> list[Offered]:
        return [self._offer(stored, workspace, selection, path) for stored in self._book.effective(workspace)]

    def _offer(self, stored: StoredServer, workspace: Path | None, selection: Selection, path: str) -> Offered:
        selected, reason = _selected(stored, selection)
        message = _WORDS.get(reason, "")
        if stored.definition is None:
            problem = stored.problem or "Its entry does not make a server."
            reason = Standing.INVALID.value if selected else reason
            return Offered(stored.name, stored, False, reason, problem if selected else message)
        try:
            runs = expanded(stored.definition, self._environ(), workspace=workspace)
        except MissingValue as missing:
            reason = Standing.MISSING_VALUE.value if selected else reason
            return Offered(stored.name, stored, False, reason, missing.message if selected else message)
        content = content_of(stored.definition, runs, stored.root, path)
        return Offered(stored.name, stored, selected, reason, message, runs=runs, content=content)


def _judged(offered: Offered, consent: Consent | None) -> Offered:
    if offered.content is None:
        return offered
    verdict = judge(offered.content, consent, foreign=offered.stored.root is not None)
    if verdict.runs or not offered.selected:
        return replace(offered, verdict=verdict)
    reason, message = untrusted(verdict)
    return replace(offered, verdict=verdict, selected=False, reason=reason, message=message)


def _selected(stored: StoredServer, selection: Selection) -> tuple[bool, str]:
    """Whether a session takes a server, before trust. Leaving out beats taking in."""
    if not selection.managed:
        return False, SERVERS_OFF
    if stored.name in selection.exclude:
        return False, FORCED_OUT
    bound = stored.binding is not None
    if stored.name in selection.include and bound:
        return True, FORCED_IN
    if stored.enabled:
        return True, Standing.ACTIVE.value
    return False, AVAILABLE_HERE if bound else stored.standing.value


def untrusted(verdict: Verdict) -> tuple[str, str]:
    """Why a server may not run: in a word and in words."""
    if verdict.trust is Trust.ENVIRONMENT:
        names = ", ".join(verdict.environment)
        return (
            Trust.NOT_TRUSTED.value,
            f"It sets {names}, which can change the program that runs: that needs a yes of its own. Look at it: sayso "
            "mcp trust",
        )
    if verdict.trust is Trust.CHANGED:
        fields = ", ".join(change.field for change in verdict.changes[:5])
        return Trust.CHANGED.value, f"{_WORDS[Trust.CHANGED.value]} (changed: {fields})"
    return Trust.NOT_TRUSTED.value, _WORDS[Trust.NOT_TRUSTED.value]


def _on_its_way(
    offered: Offered, workspace: Path | None, ability: Ability, selection: Selection, facts: Facts
) -> Offered:
    if offered.runs is None:
        return offered
    transport = offered.runs.transport
    given = way_for(
        offered.runs,
        ability,
        chosen=offered.name in selection.through_sayso or offered.stored.through_sayso,
        unseen=offered.name in facts.unseen,
        held=offered.name in facts.held,
        apart=isinstance(transport, Stdio) and transport.cwd not in (None, workspace),
        logged_in=offered.name in facts.logged_in or (isinstance(transport, Http) and transport.oauth is not None),
    )
    if given.way is Way.NONE and offered.selected:
        return replace(offered, reason=UNSUPPORTED, message=given.words)
    return replace(offered, way=given.way, way_code=given.code, way_reason=given.words)
