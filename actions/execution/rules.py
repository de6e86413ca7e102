"""Rules: what "for this session" and "always" wrote. A rule is never wider than its words.

A rule covers one action, asked on the one surface where it was approved, up to the effect of the call that was
approved and about the same subject where it has one; a session rule only what the same root session and its runs ask.
Under a floor none is written, none counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from actions.catalog.spec import Effect, Surface
from actions.execution.approval import Approval, Scope, root_of
from actions.storage.ids import Prefix, new_id, now_ms
from actions.storage.schema import approval_rules


@dataclass(frozen=True)
class Rule:
    """One grant, in force until it is revoked."""

    id: str
    action_id: str
    scope: Scope
    session_id: str | None
    surface: Surface
    effect: Effect
    created_at: int
    created_by: Mapping[str, Any]
    releases: str = ""
    """The words of a rule over what agents ask permission for; see :mod:`actions.execution.grants`."""
    subject: str = ""

    def covers(
        self, action_id: str, surface: Surface, root_session_id: str | None, effect: Effect, subject: str = ""
    ) -> bool:
        """Whether it answers such a call. ``root_session_id`` is the caller's, ``subject`` what the call is about."""
        return (
            not self.releases
            and self.action_id == action_id
            and self.subject == subject
            and self.surface is surface
            and effect.rank <= self.effect.rank
            and (self.scope is Scope.ALWAYS or (root_session_id is not None and self.session_id == root_session_id))
        )

    def in_words(self, title: str) -> str:
        """What it covers, for a person."""
        if self.releases:
            return self.releases
        where = "this session and its runs" if self.scope is Scope.SESSION else _SURFACE_WORDS[self.surface]
        about = f" ({self.subject})" if self.subject else ""
        return f"“{title}”{about}, whatever its values, asked by {where}"


_SURFACE_WORDS = {
    Surface.UI: "the window",
    Surface.VOICE: "voice",
    Surface.SESSION_AGENT: "any hosted session",
    Surface.MCP: "any connected editor",
    Surface.CLI: "the command line",
}


def rule_for(
    approval: Approval, scope: Scope, effect: Effect, created_by: Mapping[str, Any], subject: str = ""
) -> Rule:
    """The rule that approving ``approval`` with ``scope`` writes."""
    session = root_of(approval.caller) if scope is Scope.SESSION else None
    return Rule(
        new_id(Prefix.RULE),
        approval.action_id,
        scope,
        session,
        approval.surface,
        effect,
        now_ms(),
        created_by,
        subject=subject,
    )


def add(connection: Connection, rule: Rule) -> None:
    connection.execute(
        insert(approval_rules).values(
            id=rule.id,
            action_id=rule.action_id,
            scope=rule.scope.value,
            session_id=rule.session_id,
            surface=rule.surface.value,
            match={"effect": rule.effect.value, **({"subject": rule.subject} if rule.subject else {})},
            created_at=rule.created_at,
            created_by=dict(rule.created_by),
        )
    )


def in_force(connection: Connection, action_id: str | None = None) -> list[Rule]:
    """Rules that were not revoked, the oldest first."""
    query = select(approval_rules).where(approval_rules.c.revoked_at.is_(None))
    if action_id is not None:
        query = query.where(approval_rules.c.action_id == action_id)
    rows = connection.execute(query.order_by(approval_rules.c.created_at, approval_rules.c.id)).mappings()
    return [_rule(row) for row in rows]


def revoke(connection: Connection, rule_id: str) -> bool:
    """Take a rule back; False when there is none of this id in force."""
    done = connection.execute(
        update(approval_rules)
        .where(approval_rules.c.id == rule_id, approval_rules.c.revoked_at.is_(None))
        .values(revoked_at=now_ms())
    )
    return done.rowcount == 1


def _rule(row: RowMapping) -> Rule:
    match: dict[str, Any] = row["match"] or {}
    permission: dict[str, Any] = match.get("permission") or {}
    return Rule(
        id=row["id"],
        action_id=row["action_id"],
        scope=Scope(row["scope"]),
        session_id=row["session_id"],
        surface=Surface(row["surface"]),
        effect=Effect(match.get("effect", Effect.NONE.value)),
        created_at=row["created_at"],
        created_by=row["created_by"],
        releases=str(permission.get("covers", "")),
        subject=str(match.get("subject", "")),
    )
