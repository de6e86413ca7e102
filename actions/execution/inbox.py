"""The inbox: everything that waits for a person, read from where each kind is stored.

Approvals are ours, permissions and questions are the agents': different rows with different words. What a child run
asks is shown at its root session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, select

from actions.catalog import views as v
from actions.catalog.form import FormField
from actions.catalog.questions import form_of, main_fields
from actions.catalog.registry import Catalog
from actions.catalog.views import InboxKind, InboxRow
from actions.errors import Ambiguous, NotFound
from actions.execution import approval as approval_rows
from actions.execution import grants
from actions.execution.approval import Approval, Scope, Status
from actions.execution.approvals import Approvals
from actions.execution.port import asked_by
from actions.storage.database import Database
from actions.storage.ids import now_ms
from actions.storage.schema import approvals, runs, sessions, user_requests, workspaces

FAILED_RUNS_SHOWN_MS = 7 * 24 * 3600 * 1000
"""A failed run is news for a week; after that it is found in the list of runs."""

_MOST = 200
_REVOKE = "Settings, Actions, Rules, or approval.rule.revoke"

_STRENGTH = (
    InboxKind.PERMISSION,
    InboxKind.APPROVAL,
    InboxKind.QUESTION,
    InboxKind.EXIT_PLAN,
    InboxKind.FAILED_RUN,
)
"""The strongest reason first: an agent stands still, a call stands still, a question, a plan, something to look at."""

_REQUEST_KINDS = {
    "permission": InboxKind.PERMISSION,
    "question": InboxKind.QUESTION,
    "elicitation": InboxKind.QUESTION,
    "exit_plan": InboxKind.EXIT_PLAN,
}
_REQUEST_TITLES = {
    InboxKind.PERMISSION: "Permission",
    InboxKind.QUESTION: "Question",
    InboxKind.EXIT_PLAN: "Plan to look at",
}


@dataclass(frozen=True)
class SessionGroup:
    """The rows of one session, the strongest reason first; ``session_id`` is None for what no session asked."""

    session_id: str | None
    rows: tuple[InboxRow, ...]

    @property
    def reason(self) -> InboxKind:
        return self.rows[0].kind


class Inbox:
    """Implements ``InboxPort``."""

    def __init__(self, database: Database, approvals: Approvals, catalog: Catalog) -> None:
        self._database = database
        self._approvals = approvals
        self._catalog = catalog

    async def list(self, *, session_id: str | None = None, limit: int = 200) -> v.Inbox:
        """What waits, the oldest first; of a session and everything that it started where one is given."""
        await self._approvals.expire()
        rows = await self._database.read(lambda c: self._rows(c, session_id, limit))
        return v.Inbox(rows=rows)

    async def get(self, request_id: str) -> InboxRow:
        """One row in full, with what a wider scope would release. The beginning of an id will do for what waits.

        Raises NotFound, or Ambiguous with the candidates.
        """
        row = await self._database.read(lambda c: self._one(c, request_id) or self._begins_with(c, request_id))
        if row is None:
            raise NotFound(f"Nothing in the inbox has the id {request_id}. `sayso inbox list` shows what waits.")
        if row.kind is not InboxKind.APPROVAL or row.state not in ("open", "deferred"):
            return row  # a permission's row has it already
        return await self._with_releases(row)

    async def _with_releases(self, row: InboxRow) -> InboxRow:
        scopes: dict[str, Any] = {}
        for scope in (Scope.SESSION, Scope.ALWAYS):
            if (released := await self._approvals.releases_if_allowed(row.id, scope)) is not None:
                scopes[scope.value] = [{"id": a.id, "summary": a.summary} for a in released]
        widest = scopes.get(Scope.ALWAYS.value, [])
        detail = {**(row.detail or {}), "scopes": scopes, "revoke": _REVOKE}
        return row.model_copy(update={"releases": [r["summary"] for r in widest], "detail": detail})

    def _rows(self, connection: Connection, session_id: str | None, limit: int) -> list[InboxRow]:
        def of(table: Any) -> list[Any]:
            if session_id is None:
                return []
            return [(table.c.session_id == session_id) | (table.c.root_session_id == session_id)]

        open_ = approvals.c.status == Status.OPEN.value
        asked = approval_rows.find(connection, open_, *of(approvals), limit=limit)
        waiting = select(user_requests).where(user_requests.c.state == "open", *of(user_requests))
        told = connection.execute(waiting.order_by(user_requests.c.created_at).limit(limit)).mappings().all()
        since = now_ms() - FAILED_RUNS_SHOWN_MS
        failed = _select_runs().where(runs.c.state == "failed", runs.c.created_at >= since)
        if session_id is not None:
            failed = failed.where((runs.c.session_id == session_id) | (runs.c.host_session_id == session_id))
        ended = connection.execute(failed.order_by(runs.c.created_at.desc()).limit(limit)).mappings().all()
        rows = [
            *(self._approval_row(a) for a in asked),
            *(_with_rules(connection, _request_row(r)) for r in told),
            *(_run_row(r) for r in ended),
        ]
        titles = _titles(connection, {row.session_id for row in rows if row.session_id})
        named = [row.model_copy(update={"session_title": titles.get(row.session_id or "")}) for row in rows]
        return sorted(named, key=lambda row: (row.created, row.id))[:limit]

    def _one(self, connection: Connection, request_id: str) -> InboxRow | None:
        row: InboxRow | None = None
        if (approval := approval_rows.get(connection, request_id)) is not None:
            row = self._approval_row(approval)
        else:
            query = select(user_requests).where(user_requests.c.id == request_id)
            if (request := connection.execute(query).mappings().first()) is not None:
                row = _with_rules(connection, _request_row(request))
            elif (
                run := connection.execute(_select_runs().where(runs.c.id == request_id)).mappings().first()
            ) is not None:
                row = _run_row(run)
        if row is None or row.session_id is None:
            return row
        return row.model_copy(update={"session_title": _titles(connection, {row.session_id}).get(row.session_id)})

    def _begins_with(self, connection: Connection, text: str) -> InboxRow | None:
        hits = [row for row in self._rows(connection, None, _MOST) if row.id.startswith(text)]
        if len(hits) > 1:
            candidates = [{"id": row.id, "summary": row.summary} for row in hits]
            raise Ambiguous(f"{text!r} may be {len(hits)} requests. Give more of the id.", candidates)
        return hits[0] if hits else None

    def _approval_row(self, approval: Approval) -> InboxRow:
        spec = self._catalog.get(approval.action_id)
        title = approval.action_id if spec is None else spec.title.in_language(approval.language)
        later = approval.deferred_until
        deferred = approval.status is Status.OPEN and later is not None and (later == 0 or later > now_ms())
        return InboxRow(
            id=approval.id,
            kind=InboxKind.APPROVAL,
            session_id=approval.root_session_id or approval.session_id,
            action=approval.action_id,
            title=title,
            summary=approval.summary,
            fields=[v.FieldRow.model_validate(row) for row in approval.fields],
            state="deferred" if deferred else approval.status.value,
            asked_by=asked_by(approval),
            created=approval.created_at,
            detail={
                "surface": approval.surface.value,
                "chain": list(approval.caller.chain),
                "asking_session_id": approval.session_id,
                "workspace": approval.workspace,
                "note": approval.origin.get("note"),
                **({"decision": dict(approval.decision)} if approval.decision else {}),
                "effect": None if spec is None else spec.effect.value,
            },
            decidable=approval.decidable,
        )


def grouped(rows: Sequence[InboxRow]) -> list[SessionGroup]:
    """One group a session, the strongest reason first; among equals the one that waits longest."""
    by_session: dict[str | None, list[InboxRow]] = {}
    for row in rows:
        by_session.setdefault(row.session_id, []).append(row)
    groups = [SessionGroup(session, tuple(sorted(found, key=_weight))) for session, found in by_session.items()]
    return sorted(groups, key=lambda group: _weight(group.rows[0]))


def _weight(row: InboxRow) -> tuple[bool, int, int, str]:
    return row.state == "deferred", _STRENGTH.index(row.kind), row.created, row.id


def _request_row(row: RowMapping) -> InboxRow:
    kind = _REQUEST_KINDS.get(row["kind"], InboxKind.QUESTION)
    asked: Mapping[str, Any] = row["asked"] or {}
    form = form_of(asked["schema"]) if asked.get("schema") else []
    fields: list[Mapping[str, Any]] = row["fields"] or []
    options: list[Mapping[str, Any]] = row["options"] or []
    return InboxRow(
        id=row["id"],
        kind=kind,
        session_id=row["root_session_id"] or row["session_id"],
        action=None,
        title=_REQUEST_TITLES[kind],
        summary=row["summary"],
        fields=[v.FieldRow.model_validate(f) for f in fields] + _asked_rows(asked, form),
        state=row["state"],
        asked_by=row["session_id"] or "",
        created=row["created_at"],
        options=[
            v.RequestOption(id=str(o.get("id")), name=str(o.get("name")), kind=str(o.get("kind") or ""))
            for o in options
        ],
        detail={
            "tool_call": row["tool_call"],
            "asking_session_id": row["session_id"],
            "answer": row["answer"],
            "decided_at": row["decided_at"],
            **({"message": asked.get("message"), "form": [f.model_dump(mode="json") for f in form]} if form else {}),
            **({"plan": asked["plan"]} if asked.get("plan") else {}),
        },
    )


def _asked_rows(asked: Mapping[str, Any], form: Sequence[FormField]) -> list[v.FieldRow]:
    plan = [v.FieldRow(path="plan", title="Plan", value=asked["plan"])] if asked.get("plan") else []
    return plan + [_question_row(field) for field in main_fields(form)]


def _question_row(field: FormField) -> v.FieldRow:
    choices = " / ".join(option.label for option in field.options)
    text = "\n".join(part for part in (field.description, choices) if part)
    return v.FieldRow(path=field.path, title=field.title, value=text)


def _with_rules(connection: Connection, row: InboxRow) -> InboxRow:
    """A permission's row with the rules that a wider scope would make, in words, and what else waits and would go."""
    detail = row.detail or {}
    asking, call = detail.get("asking_session_id"), detail.get("tool_call")
    if row.kind is not InboxKind.PERMISSION or row.state != "open" or not asking or not call:
        return row
    options = [option.model_dump() for option in row.options]
    wanted = grants.wanted(connection, asking, call, options)
    if wanted is None:
        return row
    lasting = {option["id"]: scope.value for option in options if (scope := grants.lasts_for(option)) is not None}
    rules: dict[str, str] = {}
    released: dict[str, list[tuple[str, str]]] = {}
    for scope in (Scope.SESSION, Scope.ALWAYS):
        if (grant := grants.grant_for(wanted, scope)) is not None:
            rules[scope.value] = grant.in_words()
            released[scope.value] = grants.released(connection, grant, but=row.id)
    if not rules:
        return row.model_copy(update={"detail": {**detail, "lasting": lasting}})
    scopes = {scope: [{"id": id_, "summary": text} for id_, text in found] for scope, found in released.items()}
    more = {"lasting": lasting, "rules": rules, "scopes": scopes, "revoke": _REVOKE}
    also = [text for _, text in released[Scope.ALWAYS.value]]
    return row.model_copy(update={"detail": {**detail, **more}, "releases": also})


def _select_runs() -> Any:
    return select(runs, workspaces.c.name.label("workspace_name")).outerjoin(
        workspaces, workspaces.c.id == runs.c.workspace_id
    )


def _run_row(row: RowMapping) -> InboxRow:
    error: Mapping[str, Any] = row["error"] or {}
    return InboxRow(
        id=row["id"],
        kind=InboxKind.FAILED_RUN,
        session_id=row["host_session_id"] or row["session_id"],
        action=None,
        title=f"{str(row['kind']).capitalize()} run failed",
        summary=str(error.get("message") or f"The {row['kind']} run with {row['provider']} failed."),
        fields=[v.FieldRow(path="provider", title="Provider", value=row["provider"])],
        state=row["state"],
        asked_by=row["provider"],
        created=row["created_at"],
        detail={"run_session_id": row["session_id"], "workspace": row["workspace_name"], "error": dict(error)},
        decidable=False,
    )


def _titles(connection: Connection, ids: set[str]) -> dict[str, str]:
    if not ids:
        return {}
    found = connection.execute(select(sessions.c.id, sessions.c.title).where(sessions.c.id.in_(sorted(ids))))
    return {row.id: row.title for row in found}
