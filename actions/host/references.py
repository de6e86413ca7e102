"""What a person or a program calls a thing, resolved to its id: the id, an unambiguous prefix, a title or a path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from actions.catalog.hints import RefKind
from actions.catalog.ports import ApprovalsPort, RunsPort, SessionCarePort, SessionsPort, WorkspacesPort
from actions.errors import Ambiguous, NotFound, SaysoError


@dataclass(frozen=True, slots=True)
class _Named:
    id: str
    title: str = ""


class References:
    """Implements the references port over the services."""

    def __init__(
        self,
        sessions: SessionsPort,
        care: SessionCarePort,
        runs: RunsPort,
        workspaces: WorkspacesPort,
        approvals: ApprovalsPort,
    ) -> None:
        self._sessions = sessions
        self._care = care
        self._runs = runs
        self._workspaces = workspaces
        self._approvals = approvals

    async def resolve(self, kind: RefKind, text: str) -> str:
        """The full id of what ``text`` names.

        Raises ``not_found``, or ``ambiguous`` with the candidates' ids and titles.
        """
        match kind:
            case RefKind.SESSION:
                return await self._session(text)
            case RefKind.RUN:
                runs = (await self._runs.list(limit=200)).runs
                return _pick("run", text, (_Named(run.id, run.instructions[:60]) for run in runs))
            case RefKind.APPROVAL:
                found = (await self._approvals.list(limit=200)).requests
                return _pick("request", text, (_Named(request.id, request.summary) for request in found))
            case RefKind.WORKSPACE:
                return (await self._workspaces.find(text)).path

    async def usual_session(self) -> str | None:
        """The primary session, else the one that a window showed last."""
        targets = await self._care.targets()
        return targets.primary or targets.last_focused

    async def _session(self, text: str) -> str:
        try:
            return (await self._sessions.get(text)).id
        except SaysoError as error:
            if not isinstance(error, NotFound):
                raise
        found = [*(await self._sessions.list(limit=200, include_runs=True)).sessions]
        found += (await self._sessions.list(limit=200, archived_only=True)).sessions
        return _pick("session", text, (_Named(session.id, session.title) for session in found))


def _pick(what: str, text: str, things: Iterable[_Named]) -> str:
    """The one thing whose id is, or begins with, ``text``, or whose title it is."""
    every = {thing.id: thing for thing in things}
    if text in every:
        return text
    wanted = _plain(text)
    hits = [t for t in every.values() if t.id.startswith(text)] or [
        t for t in every.values() if _plain(t.title) == wanted
    ]
    if len(hits) == 1:
        return hits[0].id
    if not hits:
        raise NotFound(f"There is no {what} {text!r}. List them to see their ids.", details={what: text})
    candidates = [{"id": hit.id, "title": hit.title} for hit in hits]
    raise Ambiguous(f"{text!r} may be {len(hits)} {what}s. Give more of the id.", candidates)


def _plain(text: str) -> str:
    """A title as it is spoken: without case, hyphens and doubled spaces."""
    return " ".join(text.casefold().replace("-", " ").replace("_", " ").split())
