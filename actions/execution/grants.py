"""Grants: what a person's "always" or "for this session" releases of what agents ask permission for.

The agent itself is only ever told "once". The rule is ours: it stands among the other rules, says what it covers, and
taking it back takes effect with the next request. It answers requests of one provider in one workspace, for one kind of
tool, and never more than its pattern says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from sqlalchemy import Connection, RowMapping, insert, select

from actions.catalog.spec import Effect, Surface
from actions.execution.approval import Scope
from actions.patterns.calls import scopes_of
from actions.patterns.pattern import Pattern, pattern_for
from actions.patterns.scope import Scope as CallScope
from actions.storage.ids import Prefix, new_id, now_ms
from actions.storage.schema import approval_rules, runs, sessions, user_requests, workspaces

ACTION = "session.permission.respond"

_CHANGES = frozenset({"execute", "edit"})
_WORDS = {"execute": "a command", "edit": "an edit", "read": "a read", "search": "a search", "fetch": "a fetch"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A permission request as rules see it. ``scopes`` is all that it touches; ``once``: its one option that allows
    it once. ``reads_only``: it comes from a run that was started to change nothing.
    """

    provider: str
    workspace: str
    root_session_id: str
    tool_kind: str
    scopes: tuple[CallScope, ...]
    once: str | None
    reads_only: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """One rule over permissions, in force until it is revoked."""

    id: str
    scope: Scope
    session_id: str | None
    provider: str
    workspace: str
    tool_kind: str
    pattern: Pattern

    def covers(self, wanted: Wanted) -> bool:
        """Whether it answers such a request."""
        return (
            (self.provider, self.workspace, self.tool_kind) == (wanted.provider, wanted.workspace, wanted.tool_kind)
            and (self.scope is Scope.ALWAYS or self.session_id == wanted.root_session_id)
            and wanted.once is not None
            and not (wanted.reads_only and self.tool_kind in _CHANGES)
            and bool(wanted.scopes)
            and all(self.pattern.fits(scope) for scope in wanted.scopes)
        )

    def in_words(self) -> str:
        """What it releases, for a person."""
        what = self.pattern.in_words(_WORDS.get(self.tool_kind, "a tool call"))
        where = "this session and its runs" if self.scope is Scope.SESSION else f"{self.provider} in {self.workspace}"
        return f"{what}; asked by {where}"


def lasts_for(option: Mapping[str, str]) -> Scope | None:
    """How long an option of the agent's lets it act, by its kind and its name; None for one that allows once."""
    if option["kind"] != "allow_always":
        return None
    words = f"{option['id']} {option['name']}".casefold()
    return Scope.SESSION if "session" in words or "会话" in words else Scope.ALWAYS


def grant_for(wanted: Wanted, scope: Scope) -> Grant | None:
    """The rule that allowing ``wanted`` with ``scope`` makes; None where it cannot be said what it would release."""
    patterns = {pattern_for(touched, Effect.WRITE) for touched in wanted.scopes}
    pattern = patterns.pop() if len(patterns) == 1 else None
    if pattern is None or scope is Scope.ONCE or (wanted.reads_only and wanted.tool_kind in _CHANGES):
        return None
    session_id = wanted.root_session_id if scope is Scope.SESSION else None
    place = (wanted.provider, wanted.workspace, wanted.tool_kind)
    grant = Grant(new_id(Prefix.RULE), scope, session_id, *place, pattern)
    return grant if pattern.sound and grant.covers(wanted) else None


def wanted(connection: Connection, session_id: str, call: Mapping[str, Any], options: Sequence[Any]) -> Wanted | None:
    """A request of a session for ``call``; None when the session is gone."""
    query = (
        select(sessions.c.provider, sessions.c.root_session_id, workspaces.c.path, runs.c.options)
        .outerjoin(workspaces, workspaces.c.id == sessions.c.workspace_id)
        .outerjoin(runs, runs.c.session_id == sessions.c.id)
        .where(sessions.c.id == session_id)
    )
    row = connection.execute(query).first()
    if row is None or row.path is None:
        return None
    kept = cast("dict[str, Any]", row.options or {})
    once = [str(option["id"]) for option in options if option.get("kind") == "allow_once"]
    return Wanted(
        row.provider,
        row.path,
        row.root_session_id or session_id,
        str(call.get("kind") or "other"),
        scopes_of(call, row.path),
        once[0] if len(once) == 1 else None,
        kept.get("permission_mode") == "read_only",
    )


def add(connection: Connection, grant: Grant, created_by: Mapping[str, Any]) -> None:
    """Put a rule in force."""
    permission = {
        "provider": grant.provider,
        "workspace": grant.workspace,
        "tool_kind": grant.tool_kind,
        "pattern": asdict(grant.pattern),
        "covers": grant.in_words(),
    }
    connection.execute(
        insert(approval_rules).values(
            id=grant.id,
            action_id=ACTION,
            scope=grant.scope.value,
            session_id=grant.session_id,
            surface=Surface.SESSION_AGENT.value,
            match={"effect": Effect.WRITE.value, "permission": permission},
            created_at=now_ms(),
            created_by=dict(created_by),
        )
    )


def covering(connection: Connection, request: Wanted) -> Grant | None:
    """The rule in force that answers a request, the oldest first."""
    query = (
        select(approval_rules)
        .where(approval_rules.c.action_id == ACTION, approval_rules.c.revoked_at.is_(None))
        .order_by(approval_rules.c.created_at, approval_rules.c.id)
    )
    found = (_grant(row) for row in connection.execute(query).mappings())
    return next((grant for grant in found if grant is not None and grant.covers(request)), None)


def released(connection: Connection, grant: Grant, *, but: str) -> list[tuple[str, str]]:
    """Id and summary of the other open requests that a rule would answer."""
    table = user_requests
    query = select(table).where(table.c.kind == "permission", table.c.state == "open", table.c.id != but)
    found: list[tuple[str, str]] = []
    for row in connection.execute(query.order_by(table.c.created_at, table.c.id)).mappings():
        asked = wanted(connection, row["session_id"], row["tool_call"] or {}, row["options"] or [])
        if asked is not None and grant.covers(asked):
            found.append((row["id"], row["summary"]))
    return found


def _grant(row: RowMapping) -> Grant | None:
    """None for a row that says nothing that would be written here."""
    match = cast("dict[str, Any]", row["match"] or {})
    try:
        permission: dict[str, Any] = match["permission"]
        stored: dict[str, Any] = permission["pattern"]
        pattern = Pattern(stored["kind"], tuple(stored["words"]), stored["exact"], stored["outside"])
        place = (permission["provider"], permission["workspace"], permission["tool_kind"])
        grant = Grant(row["id"], Scope(row["scope"]), row["session_id"], *place, pattern)
    except (KeyError, TypeError, ValueError):
        return None
    return grant if pattern.sound else None
