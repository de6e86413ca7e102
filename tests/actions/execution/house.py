"""A small house for these tests: real catalog, policy, database, approvals and door.

The effect of its actions is a line in a file, so that what really happened can be counted.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast

from actions.catalog import views as v
from actions.catalog.context import ActionContext, Caller, CallerKind
from actions.catalog.domains.session import open_sessions
from actions.catalog.hints import FixedOption, Hint, OwnSession, RefKind, SessionRef, Widget
from actions.catalog.later import later
from actions.catalog.ports import Ports
from actions.catalog.predicates import eq
from actions.catalog.registry import Catalog, build
from actions.catalog.spec import ActionInput, ActionOutput, ActionSpec, Effect, Reply, Surface, action
from actions.catalog.text import Text
from actions.catalog.views import SessionState
from actions.errors import Ambiguous, NotFound
from actions.execution.approval import Status
from actions.execution.approvals import Approvals, Decider
from actions.execution.door import Door
from actions.execution.inbox import Inbox
from actions.execution.judge import Judge
from actions.execution.port import ApprovalsForHandlers
from actions.execution.request import Request
from actions.policy.settings import PolicySettings
from actions.storage.database import Database

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WINDOW = Caller(CallerKind.WINDOW, present=True, label="window")
TERMINAL = Caller(CallerKind.COMMAND, present=True, label="terminal")
SCRIPT = Caller(CallerKind.COMMAND, present=False, label="script")
EDITOR = Caller(CallerKind.EDITOR, label="editor")
AGENT = Caller(CallerKind.SESSION, session_id="ses_child", chain=("ses_root", "ses_child"), label="agent")
OTHER_AGENT = Caller(CallerKind.SESSION, session_id="ses_other", chain=("ses_other",), label="other agent")
PERSON = Decider(WINDOW, Surface.UI)


class AddLine(ActionInput):
    text: Annotated[str, Hint(title=Text("Line"))]
    kind: Annotated[
        str, Hint(options=(FixedOption("plain", Text("Plain text")), FixedOption("loud", Text("Loud"))))
    ] = "plain"
    volume: Annotated[int | None, Hint(visible_when=eq("kind", "loud"))] = None


class Line(ActionOutput):
    lines: int


class LineOfSession(ActionInput):
    text: str
    session_id: OwnSession = None


class LineOfOther(ActionInput):
    text: str
    session_id: SessionRef


class SecretLine(ActionInput):
    token: Annotated[str, Hint(widget=Widget.SECRET)]


class Unshown(ActionInput):
    text: Annotated[str, Hint(visible_when=eq("kind", "shown"))]
    kind: str = ""


class Trouble(ActionInput):
    how: str


def _note(ctx: ActionContext, text: str) -> Line:
    """The side effect: one line, written and flushed at once."""
    file = Path(cast("str", ctx.workspace)) / "effects.txt"
    with file.open("a") as out:
        out.write(f"{text}\n")
    return Line(lines=len(file.read_text().splitlines()))


@action("note.read", title="Read the notes", effect=Effect.READ)
async def read_lines(inp: Trouble, ctx: ActionContext) -> Line:
    """Count the lines."""
    file = Path(cast("str", ctx.workspace)) / "effects.txt"
    return Line(lines=len(file.read_text().splitlines()) if file.exists() else 0)


@action("note.write", title="Write a note", effect=Effect.WRITE)
async def write_line(inp: AddLine, ctx: ActionContext) -> Line:
    """Add a line that asks only on voice."""
    await asyncio.sleep(0)
    return _note(ctx, inp.text)


def _louder(inp: AddLine) -> Effect:
    return Effect.DANGER if inp.kind == "loud" else Effect.NONE


async def _head_of_workspace(inp: AddLine, ctx: ActionContext) -> Mapping[str, Any]:
    return {"directory": ctx.workspace, "head": ctx.workspace}


@action("note.send", title=Text("Send a note", "发送便条"), effect=Effect.EXTERNAL, effect_of=_louder)
async def send_line(inp: AddLine, ctx: ActionContext) -> Line:
    """Add a line that agents and editors ask for."""
    await asyncio.sleep(0)
    return _note(ctx, inp.text)


@action("note.stamped", title="Send a stamped note", effect=Effect.EXTERNAL, proof=_head_of_workspace)
async def send_stamped(inp: AddLine, ctx: ActionContext) -> Line:
    """Add a line that rests on the state of the workspace."""
    return _note(ctx, inp.text)


@action("note.burn", title="Burn the notes", effect=Effect.DANGER)
async def burn(inp: AddLine, ctx: ActionContext) -> Line:
    """Add a line about what was burnt."""
    return _note(ctx, f"burnt {inp.text}")


class AnyLine(ActionInput):
    text: str
    how: str


def _meant(inp: AnyLine) -> tuple[str, Mapping[str, Any]]:
    known = {"write": "note.write", "danger": "note.burn"}
    if inp.how not in known:
        raise NotFound(f"Nothing is meant by {inp.how}.")
    return known[inp.how], {"text": inp.text}


@action("note.any", title="Note in any way", effect=Effect.WRITE, stands_for=_meant)
async def any_line(inp: AnyLine, ctx: ActionContext) -> Line:
    """Add a line as the action does that is meant."""
    raise AssertionError("the door runs what is meant")


@action("note.slow", title="Send slowly", effect=Effect.EXTERNAL)
async def slow(inp: AddLine, ctx: ActionContext) -> Line:
    """Add a line, then take long."""
    line = _note(ctx, inp.text)
    await asyncio.sleep(float(inp.volume or 0) / 1000)
    return line


@action("note.own", title="Note for a session", effect=Effect.WRITE)
async def own_line(inp: LineOfSession, ctx: ActionContext) -> Line:
    """Add a line named after the session."""
    return _note(ctx, f"{inp.session_id}: {inp.text}")


@action("note.other", title="Note for another session", effect=Effect.WRITE)
async def other_line(inp: LineOfOther, ctx: ActionContext) -> Line:
    """Add a line named after another session."""
    return _note(ctx, f"{inp.session_id}: {inp.text}")


@action("note.secret", title="Send a secret", effect=Effect.EXTERNAL)
async def secret_line(inp: SecretLine, ctx: ActionContext) -> Line:
    """Add a line that shows the secret arrived."""
    return _note(ctx, f"got {len(inp.token)} characters")


@action("note.needed", title="Ask and wait", effect=Effect.EXTERNAL, reply=Reply.WAIT)
async def needed(inp: AddLine, ctx: ActionContext) -> Line:
    """Add a line whose caller needs the answer."""
    return _note(ctx, inp.text)


@action("note.trouble", title="Fail on purpose", effect=Effect.WRITE)
async def trouble(inp: Trouble, ctx: ActionContext) -> Line:
    """Fail in the way that is asked for."""
    match inp.how:
        case "known":
            raise NotFound("The note is gone. Write it again.", details={"note": 1})
        case "unknown":
            raise RuntimeError("a secret detail of the inside")
        case "exit":
            raise KeyError("exit")
        case _:
            return cast("Line", Gone(gone=True))


class Gone(ActionOutput):
    gone: bool


@action("note.unshown", title="Send what is not shown", effect=Effect.EXTERNAL)
async def unshown(inp: Unshown, ctx: ActionContext) -> Line:
    """Add a line that the form may hide."""
    return _note(ctx, inp.text)


@action("note.later", title="Come later", effect=Effect.DANGER, implemented=False)
async def come_later(inp: Trouble, ctx: ActionContext) -> Line:
    """An action of a later version."""
    later("Coming later")


@action("note.decide", title="Decide something", effect=Effect.WRITE, decides=True)
async def decide(inp: Trouble, ctx: ActionContext) -> Line:
    """An action that decides."""
    return _note(ctx, inp.how)


@action("note.rules", title="Change the rules", effect=Effect.DANGER, surfaces=[Surface.UI, Surface.CLI], decides=True)
async def change_rules(inp: Trouble, ctx: ActionContext) -> Line:
    """A danger that only a person may call, such as a change of the policy."""
    return _note(ctx, f"rules: {inp.how}")


def specs() -> list[ActionSpec]:
    return [value for value in globals().values() if isinstance(value, ActionSpec)]


def session_view(id: str, root: str) -> v.SessionView:
    return v.SessionView(
        id=id,
        provider="builtin",
        provider_name="Built in",
        workspace="/w",
        workspace_id="wsp_1",
        title=f"Title of {id}",
        state=SessionState.IDLE,
        root_session_id=root,
        created=0,
        updated=0,
        last_activity=0,
    )


class _Sessions:
    """Three sessions: a root, its child, and another."""

    known: ClassVar = {"ses_root": "ses_root", "ses_child": "ses_root", "ses_other": "ses_other"}

    async def get(self, session_id: str) -> v.SessionView:
        if session_id not in self.known:
            raise NotFound(f"There is no session {session_id}.")
        return session_view(session_id, self.known[session_id])


class _References:
    usual: str | None = None

    async def usual_session(self) -> str | None:
        return self.usual

    async def resolve(self, kind: RefKind, text: str) -> str:
        fits = [id for id in _Sessions.known if id.startswith(text)]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise Ambiguous("Several sessions fit.", [{"id": id} for id in fits])
        raise NotFound(f"There is no {kind.value} {text}.")


def quick_folder() -> str | None:
    """Where temporary homes are quick: in memory where the system has that, else None for the usual place.

    A killed process leaves the same bytes there; only a power cut would not, and nobody pulls the plug here.
    """
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@dataclass
class House:
    """Everything that a host would build around the door."""

    folder: Path
    settings: PolicySettings = field(default_factory=PolicySettings)
    changes: list[tuple[str, Status]] = field(default_factory=list[tuple[str, Status]])

    def __post_init__(self) -> None:
        self.catalog: Catalog = build(specs(), [open_sessions])
        self.database = Database(self.folder / "sayso.db", self.folder / "backups")
        self.judge = Judge(lambda: self.settings)
        self.approvals = Approvals(
            self.database, self.catalog, self.judge, lambda: self.ports, lambda id, s: self.changes.append((id, s))
        )
        self.inbox = Inbox(self.database, self.approvals, self.catalog)
        missing = cast("Any", None)
        self.ports = Ports(
            sessions=cast("Any", _Sessions()),
            care=missing,
            runs=missing,
            workspaces=missing,
            worktrees=missing,
            servers=missing,
            server_use=missing,
            providers=missing,
            approvals=ApprovalsForHandlers(self.approvals, self.catalog, self.judge),
            inbox=self.inbox,
            directory=missing,
            preferences=missing,
            references=_References(),
            window=missing,
        )
        self.door = Door(self.catalog, self.judge, self.database, self.approvals, lambda: self.ports)

    @property
    def effects(self) -> list[str]:
        file = self.folder / "effects.txt"
        return file.read_text().splitlines() if file.exists() else []

    def request(self, action_id: str, surface: Surface = Surface.MCP, caller: Caller = EDITOR, **given: Any) -> Request:
        options = {name: given.pop(name) for name in ("idempotency_key", "patience_s", "read_back") if name in given}
        return Request(action_id, given, surface, caller, workspace=str(self.folder), **options)

    async def asked(self) -> v.InboxRow:
        """The first row of the inbox, as soon as there is one."""
        for _ in range(8000):
            if rows := (await self.inbox.list()).rows:
                return rows[0]
            await asyncio.sleep(0.005)
        raise AssertionError("nothing was asked")

    async def effect(self) -> None:
        """Wait for the first effect."""
        for _ in range(8000):
            if self.effects:
                return
            await asyncio.sleep(0.005)
        raise AssertionError("nothing happened")

    async def close(self) -> None:
        await self.door.close()
        await self.approvals.close()
        await self.database.close()


@asynccontextmanager
async def open_house(folder: Path, settings: PolicySettings | None = None) -> AsyncIterator[House]:
    """A house that is up: the database open, what an earlier one left behind settled."""
    house = House(folder, settings or PolicySettings())
    await house.database.open()
    await house.approvals.start()
    try:
        yield house
    finally:
        await house.close()
