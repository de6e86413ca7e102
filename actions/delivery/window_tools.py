"""What an agent may have done in the window: show a change, bring a pane to the front.

Both change nothing but what is on the screen. The window shows them without taking the keyboard from whoever types.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from actions.catalog.views import SessionView
from actions.errors import InvalidInput, NotFound, SaysoError
from actions.git.command import GitFailed
from actions.git.scope import EmptyScope, read_scope
from actions.words import counted

MOST_CHARACTERS = 2_000_000
"""A window draws no longer diff than this; what is cut off is said."""

_PLAIN = ("--src-prefix=a/", "--dst-prefix=b/", "--unified=3")


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ShowDiff(_Arguments):
    """The arguments of ``show_diff``."""

    path: str | None = Field(None, description="Only this file or folder, relative to the workspace")
    base: str | None = Field(None, description="Compare the commits of this branch with another branch or commit")
    diff: str | None = Field(None, description="A unified diff of your own to show instead", max_length=MOST_CHARACTERS)
    title: str | None = Field(None, description="A few words about the change", max_length=200)


class OpenInDesktop(_Arguments):
    """The arguments of ``open_in_desktop``."""

    target: Literal["session", "inbox", "runs", "run"] = Field(description="What to bring to the front")
    id: str | None = Field(None, description="Which session or run; this session when left out")


_TOOLS: dict[str, tuple[type[_Arguments], str]] = {
    "show_diff": (
        ShowDiff,
        "Show the person a change in Sayso's window: the uncommitted changes of the workspace, those of a branch, or a "
        "diff that you give. Nothing is changed.",
    ),
    "open_in_desktop": (
        OpenInDesktop,
        "Bring a pane of Sayso's window to the front for the person: a session, the inbox, the runs. Nothing is "
        "changed.",
    ),
}


class WindowPort(Protocol):
    def offers(self, name: str) -> bool: ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]: ...


class WindowTools:
    """Implements :class:`actions.sessions.client_tools.ClientTools` with the connected window."""

    def __init__(self, window: WindowPort, session: Callable[[str], Awaitable[SessionView]]) -> None:
        self._window = window
        self._session = session

    def offers(self) -> Sequence[Mapping[str, Any]]:
        """The tools that a connected window can do now."""
        return [
            {"name": name, "description": about, "schema": arguments.model_json_schema(), "effect": "none"}
            for name, (arguments, about) in _TOOLS.items()
            if self._window.offers(name)
        ]

    async def run(self, session_id: str, name: str, arguments: Mapping[str, Any]) -> str:
        """Do it in the window. Raises SaysoError: no window, nothing to show, arguments that do not fit."""
        try:
            given = _TOOLS[name][0].model_validate(arguments)
        except (KeyError, ValidationError) as error:
            raise InvalidInput(f"These arguments do not fit {name}: {error}", []) from error
        if not self._window.offers(name):
            raise SaysoError("No window of Sayso is open, so nobody would see it. Tell the person in words instead.")
        match given:
            case ShowDiff():
                return await self._show_diff(session_id, given)
            case OpenInDesktop():
                return await self._open(session_id, given)
            case _:
                raise NotFound(f"There is no tool {name!r}.")

    async def _show_diff(self, session_id: str, given: ShowDiff) -> str:
        session = await self._session(session_id)
        diff = given.diff or await asyncio.to_thread(_change, Path(session.workspace), given)
        title = given.title or (f"{given.path or session.title}")
        cut = len(diff) > MOST_CHARACTERS
        shown = {"session_id": session_id, "title": title, "diff": diff[:MOST_CHARACTERS], "cut": cut}
        answer = await self._window.call("show_diff", shown)
        return _told(
            answer,
            f"{counted(int(answer.get('files', 0)), 'file')}, +{answer.get('added', 0)} −{answer.get('deleted', 0)}",
        )

    async def _open(self, session_id: str, given: OpenInDesktop) -> str:
        id = given.id or (session_id if given.target == "session" else None)
        if given.target == "session":
            id = (await self._session(str(id))).id
        arguments = {"session_id": session_id, "target": given.target, "id": id}
        return _told(await self._window.call("open_in_desktop", arguments), given.target)


def _told(answer: Mapping[str, Any], what: str) -> str:
    """What the model is told of what the window did with it."""
    if answer.get("offered"):
        return f"The person is typing; the window offers it to them: {what}."
    return f"The window shows it: {what}."


def _change(workspace: Path, given: ShowDiff) -> str:
    """The diff of a workspace. Blocks. Raises SaysoError where there is none."""
    try:
        scope = read_scope(workspace, "branch" if given.base else "uncommitted", given.base)
        paths = [_inside(scope.top, workspace, given.path)] if given.path else []
        diff = scope.diff(_PLAIN, paths=paths).decode(errors="replace")
    except EmptyScope as nothing:
        raise SaysoError(str(nothing)) from nothing
    except GitFailed as error:
        raise SaysoError(f"The change cannot be read: {error}.") from error
    if not diff.strip():
        raise SaysoError(f"There is no change in {given.path}.")
    return diff


def _inside(top: Path, workspace: Path, path: str) -> str:
    try:
        return (workspace / path).resolve().relative_to(top.resolve()).as_posix()
    except ValueError as error:
        raise InvalidInput(f"{path} is not in the repository {top}.", []) from error
