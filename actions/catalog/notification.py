"""What a person is told who is not looking: names only, never a command, a path or what was said."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from actions.catalog.spec import ActionOutput
from actions.catalog.views import RunKind


class NotificationKind(StrEnum):
    PERMISSION = "permission"
    QUESTION = "question"
    PLAN = "plan"
    DONE = "done"
    FAILED = "failed"


ToolKind = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]
"""What a tool does (ACP 1, tool calls). Its title is left out: with many agents it is the command itself."""


class Notification(ActionOutput):
    """The data of the event ``notification``.

    ``session_id`` is the session that a click opens; without one it opens the request ``request_id`` in the inbox.
    ``tool`` says what kind of tool asks, ``action`` names our action that does, by language, and ``run`` the run that
    ended. The event ``notification_did_end`` with an ``id`` takes one back.
    """

    id: str
    kind: NotificationKind
    session_id: str | None = None
    session_title: str = ""
    provider_name: str = ""
    request_id: str | None = None
    tool: ToolKind | None = None
    action: dict[str, str] = Field(default_factory=dict[str, str])
    run: RunKind | None = None
    at: int
