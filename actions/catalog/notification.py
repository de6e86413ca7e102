"""What a person is told who is not looking: names only, never a command, a path or what was said."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from actions.catalog.spec import ActionOutput


class NotificationKind(StrEnum):
    PERMISSION = "permission"
    QUESTION = "question"
    DONE = "done"
    FAILED = "failed"


ToolKind = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]
"""What a tool does, as ACP 1 has it."""


class Notification(ActionOutput):
    """The data of the event ``notification``. One with the ``id`` of an earlier one takes its place.

    ``session_id`` is the session to open; ``tool`` says what kind of tool asks, ``action`` names the action that does,
    by language, and ``run`` the run that ended. The event ``notification_did_end`` with an ``id`` takes one back.
    """

    id: str
    kind: NotificationKind
    session_id: str
    session_title: str
    provider_name: str
    tool: ToolKind | None = None
    action: dict[str, str] = Field(default_factory=dict[str, str])
    run: Literal["review", "plan", "delegate"] | None = None
    at: int
