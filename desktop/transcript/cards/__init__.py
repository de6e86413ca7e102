"""One card class a kind of row."""

from __future__ import annotations

from desktop.transcript.cards.base import Card
from desktop.transcript.cards.permission import PermissionCard
from desktop.transcript.cards.plan import PlanCard
from desktop.transcript.cards.text import AgentCard, ErrorCard, NoticeCard, ThoughtCard, UserCard
from desktop.transcript.cards.tool import ToolCard
from desktop.transcript.model import Kind

CARDS: dict[Kind, type[Card]] = {
    Kind.USER: UserCard,
    Kind.AGENT: AgentCard,
    Kind.THOUGHT: ThoughtCard,
    Kind.TOOL: ToolCard,
    Kind.PLAN: PlanCard,
    Kind.PERMISSION: PermissionCard,
    Kind.ERROR: ErrorCard,
    Kind.NOTICE: NoticeCard,
}
