"""What a hook is in the settings."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

HookEvent = Literal["PreToolUse", "PostToolUse", "PostToolUseFailure"]


class Hook(BaseModel):
    """A command that runs at an event of a tool call.

    ``matcher`` is a regular expression, searched in the tool's name; empty fits every tool. ``command`` is a line for
    ``/bin/sh``, run in the session's folder with the event as JSON on its standard input. ``timeout`` in seconds.
    ``fail_closed``: a hook that fails (not one that allows) blocks the call instead of letting it through.

    A hook runs with the user's rights and without an approval: take hooks from the user's own settings only, never from
    the files of a workspace that nobody trusted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: HookEvent
    matcher: str = ""
    command: str = Field(min_length=1)
    timeout: float = Field(default=30, ge=1, le=600)
    fail_closed: bool = False
