"""What the agent tells its client during a turn: text, tool calls, plan entries (ACP 1, "Prompt Turn")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from acp.helpers import (
    plan_entry,
    start_tool_call,
    text_block,
    tool_content,
    tool_diff_content,
    update_agent_message_text,
    update_current_mode,
    update_plan,
    update_tool_call,
    update_user_message_text,
)
from acp.interfaces import Client
from acp.schema import (
    ConfigOptionUpdate,
    PermissionOption,
    PlanEntryStatus,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionInfoUpdate,
    SessionMode,
    SessionModeState,
    ToolCallLocation,
    ToolCallUpdate,
    ToolKind,
)

from actions.agent.acp.sessions import Mode, Session
from actions.agent.scout.draft import LOOKS, Look

ALLOW, REJECT = "allow_once", "reject_once"
_MODES = (
    SessionMode(
        id=Mode.ASK, name="Ask", description="Answers questions about the repository; writes only a plan you asked for"
    ),
    SessionMode(id=Mode.PLAN, name="Plan", description="Drafts a plan from the repository; reads only"),
)


def mode_state(session: Session) -> SessionModeState:
    """The modes in the older form of ACP 1."""
    return SessionModeState(current_mode_id=session.mode, available_modes=list(_MODES))


def config_options(session: Session) -> list[SessionConfigOptionSelect]:
    """The complete state of the config options: the mode, as the protocol now wants it."""
    choices = [SessionConfigSelectOption(value=m.id, name=m.name, description=m.description) for m in _MODES]
    option = SessionConfigOptionSelect(
        type="select", id="mode", name="Mode", category="mode", current_value=session.mode, options=choices
    )
    return [option]


@dataclass(frozen=True)
class Permission:
    """A person's answer. ``feedback`` is what they said to it, where the client passes such words on."""

    allowed: bool
    feedback: str | None = None


class TurnClient:
    """The client as one session sees it. Raises ConnectionError once the client is gone."""

    def __init__(self, connection: Client, session_id: str, cwd: Path) -> None:
        self._connection = connection
        self._session_id = session_id
        self._cwd = cwd

    async def say(self, text: str) -> None:
        await self._update(update_agent_message_text(text))

    async def replay(self, session: Session) -> None:
        """The kept turns once more, as ``session/load`` demands."""
        for turn in session.turns:
            await self._update(update_user_message_text(turn.prompt))
            await self._update(update_agent_message_text(turn.answer))

    async def mode_changed(self, session: Session) -> None:
        """Confirm the mode in both forms."""
        await self._update(update_current_mode(session.mode))
        update = ConfigOptionUpdate(session_update="config_option_update", config_options=list(config_options(session)))
        await self._update(update)

    async def titled(self, title: str) -> None:
        await self._update(SessionInfoUpdate(session_update="session_info_update", title=title))

    async def progress(self, done: int) -> None:
        """The looks as plan entries: ``done`` of them are completed, the next one is in progress."""
        await self._update(
            update_plan(plan_entry(title, status=_state(at, done)) for at, (_, title, _) in enumerate(LOOKS))
        )

    async def look(self, call_id: str, look: Look) -> None:
        """A look as a tool call: its start while ``result`` is None, else its end."""
        if look.result is None:
            kind = cast("ToolKind", look.kind)
            await self._update(start_tool_call(call_id, look.title, kind=kind, status="in_progress"))
            return
        places = [ToolCallLocation(path=str(self._cwd / path), line=line) for path, line in look.places]
        content = [tool_content(text_block(look.result))]
        await self._update(update_tool_call(call_id, status="completed", content=content, locations=places or None))

    async def stopped(self, call_id: str, why: str) -> None:
        """A tool call that did not come to its end."""
        await self._update(update_tool_call(call_id, status="failed", content=[tool_content(text_block(why))]))

    async def write_started(self, call_id: str, title: str, file: Path, old: str | None, new: str) -> None:
        await self._update(
            start_tool_call(
                call_id,
                title,
                kind="edit",
                status="pending",
                content=[tool_diff_content(str(file), new, old)],
                locations=[ToolCallLocation(path=str(file))],
                raw_input={"path": str(file)},
            )
        )

    async def may_write(self, call_id: str, title: str, file: Path, old: str | None, new: str) -> Permission | None:
        """Ask for permission. None: cancelled, or the client is gone."""
        call = ToolCallUpdate(
            tool_call_id=call_id,
            title=title,
            kind="edit",
            status="pending",
            content=[tool_diff_content(str(file), new, old)],
            locations=[ToolCallLocation(path=str(file))],
            raw_input={"path": str(file)},
        )
        options = [
            PermissionOption(option_id=ALLOW, name="Write this file", kind="allow_once"),
            PermissionOption(option_id=REJECT, name="Do not write it", kind="reject_once"),
        ]
        try:
            answer = await self._connection.request_permission(
                session_id=self._session_id, tool_call=call, options=options
            )
        except ConnectionError:
            return None
        if answer.outcome.outcome == "cancelled":
            return None
        meta = (answer.outcome.field_meta or {}).get("sayso")
        return Permission(answer.outcome.option_id == ALLOW, _feedback(meta))

    async def write_ended(self, call_id: str) -> None:
        await self._update(update_tool_call(call_id, status="completed"))

    async def _update(self, update: Any) -> None:
        await self._connection.session_update(session_id=self._session_id, update=update)


def _feedback(meta: object) -> str | None:
    """``_meta.sayso.feedback`` of an outcome: how Sayso's host hands on what was said to a refusal."""
    said = cast("dict[str, Any]", meta).get("feedback") if isinstance(meta, dict) else None
    return said if isinstance(said, str) and said.strip() else None


def _state(at: int, done: int) -> PlanEntryStatus:
    return "completed" if at < done else "in_progress" if at == done else "pending"


def text_of(blocks: Sequence[Any]) -> str:
    """The words of a prompt: text as it is, links and embedded texts by their address."""
    parts: list[str] = []
    for block in blocks:
        if block.type == "text":
            parts.append(block.text)
        elif block.type == "resource_link":
            parts.append(block.uri.removeprefix("file://"))
        elif block.type == "resource":
            parts.append(str(block.resource.uri).removeprefix("file://"))
    return "\n".join(parts).strip()
