"""A session as others see it: its row, and over it what its running agent says now."""

from __future__ import annotations

from typing import Any

from actions.catalog.server_use_views import SessionTools
from actions.catalog.views import ModeView, OptionView, QueuedMessage, SessionMark, SessionState, SessionView
from actions.catalog.worktree_views import SessionWorktree
from actions.sessions.actor import SessionActor
from actions.sessions.conversation import can_fork, can_load, can_resume, can_steer
from actions.sessions.records import LIVE_STATES, SessionRecord


def session_view(
    record: SessionRecord,
    actor: SessionActor | None,
    detail: dict[str, Any],
    *,
    provider_name: str,
    waiting_for: int = 0,
    preview: str | None = None,
    worktree: SessionWorktree | None = None,
    tools: SessionTools | None = None,
    slow: dict[str, Any] | None = None,
) -> SessionView:
    """The view of one row.

    ``detail`` is the row's as it is in memory; ``waiting_for`` counts the open requests of it and its
    children; ``slow`` is the reason of a start that takes long.
    """
    live = columns_of(actor, titled=bool(detail.get("titled"))) if actor is not None else {}
    state = SessionState(live.get("state", record.state))
    capabilities: dict[str, Any] = detail.get("capabilities") or {}
    queue: list[dict[str, str]] = detail.get("queue") or []
    agent_session_id = live.get("agent_session_id", record.agent_session_id)
    reason: dict[str, Any] = slow or live.get("end_reason", record.end_reason) or {}
    return SessionView(
        id=record.id,
        provider=record.provider,
        provider_name=provider_name,
        workspace=record.workspace,
        workspace_id=record.workspace_id,
        title=live.get("title", record.title),
        state=state,
        mode=live.get("mode", record.mode),
        modes=[ModeView.model_validate(mode) for mode in live.get("modes", record.modes)],
        model=live.get("model", record.model),
        options=[OptionView.model_validate(option) for option in detail.get("options") or ()],
        kind=record.kind,
        parent_session_id=record.parent_session_id,
        root_session_id=record.root_session_id,
        run_id=record.run_id,
        created=record.created,
        updated=record.updated,
        last_activity=record.last_activity,
        archived=record.archived,
        pinned=record.pinned,
        unread=record.unread,
        waiting_for=waiting_for,
        queue=[QueuedMessage(id=entry["id"], text=entry["text"]) for entry in queue],
        resumable=bool(
            agent_session_id and state not in LIVE_STATES and (can_resume(capabilities) or can_load(capabilities))
        ),
        steerable=can_steer(capabilities),
        forkable=bool(agent_session_id and can_fork(capabilities)),
        wire_log=bool(detail.get("wire_log")),
        worktree=worktree,
        tools=tools,
        marks=[*(detail.get("marks") or ()), *_without_tools(actor, tools)],
        reason=reason.get("message") or None,
        reason_code=reason.get("code"),
        reason_facts=reason.get("facts") or {},
        preview=preview,
    )


def _without_tools(actor: SessionActor | None, tools: SessionTools | None) -> list[SessionMark]:
    """A running agent that was given our endpoint and had a turn without listing its tools; a list that comes later
    takes the mark away.
    """
    link = actor.link if actor is not None else None
    if actor is None or link is None or tools is None or link.tools.way != "native_mcp":
        return []
    return ["did_not_list_tools"] if actor.conduct.turn_over and tools.listed_at is None else []


def columns_of(actor: SessionActor, *, titled: bool) -> dict[str, Any]:
    """What a running agent says, as columns of its session's row. Before it is ready only its state is known.

    ``titled``: a person named the session, so the agent's own title does not count.
    """
    columns: dict[str, Any] = {"state": actor.state.value, "end_reason": actor.end_reason}
    if (link := actor.link) is not None:
        columns["mode"] = link.modes.mode.current
        columns["model"] = link.modes.model.current
        columns["modes"] = [mode.model_dump() for mode in link.modes.mode.choices]
        columns["agent_session_id"] = link.agent_session_id
    if actor.title and not titled:
        columns["title"] = actor.title
    return columns
