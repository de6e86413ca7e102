"""A session of the agent on a stage: a scripted model server, a screen that remembers, a person who answers."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from actions.agent.approvals.decision import Answer, Choice, Request
from actions.agent.approvals.runtime import Requested
from actions.agent.loop.agent import AgentSession
from actions.agent.loop.screen import PlanVerdict
from actions.agent.loop.talk import TurnEnd
from actions.agent.tools.needs import Question
from actions.agent.toolset.asking import Ask
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import MediaPart, TextPart, ToolResult
from actions.agent.toolset.tool import Tool

FAKE = Path(__file__).parents[3] / "fixtures" / "llm" / "fake_llm.py"


@dataclass
class Screen:
    """Keeps everything in order as ``(what, ...)``. ``under`` is the parent's call of a subagent."""

    events: list[tuple[Any, ...]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    under: tuple[str, str, str] | None = None
    children: list[Screen] = field(default_factory=list)

    def _add(self, *event: Any) -> None:
        self.events.append(event)
        self.changed.set()

    def user(self, text: str, media: Sequence[MediaPart] = ()) -> None:
        self._add("user", text, tuple(media))

    def text(self, text: str) -> None:
        self._add("text", text)

    def thought(self, text: str) -> None:
        self._add("thought", text)

    def call_started(self, call_id: str, name: str, tool: Tool | None) -> None:
        self._add("started", call_id, name)

    def call_arguments(self, call_id: str, delta: str) -> None:
        self._add("arguments", call_id, delta)

    def call_made(self, call: ToolCall, tool: Tool | None) -> None:
        self._add("made", call.id, call.name)

    def call_prepared(self, call_id: str, ask: Ask) -> None:
        self._add("prepared", call_id, ask)

    def call_running(self, call_id: str) -> None:
        self._add("running", call_id)

    def call_output(self, call_id: str, text: str) -> None:
        self._add("output", call_id, text)

    def call_ended(self, call_id: str, result: ToolResult) -> None:
        self._add("ended", call_id, result)

    def todo(self, items: Sequence[tuple[str, str]]) -> None:
        self._add("todo", tuple(items))

    def usage(self, used: int, window: int, cost_usd: Decimal | None) -> None:
        self._add("usage", used, window, cost_usd)

    def notice(self, text: str) -> None:
        self._add("notice", text)

    def mode(self, mode: str) -> None:
        self._add("mode", str(mode))

    def title(self, title: str) -> None:
        self._add("title", title)

    def child(self, parent_call: str, agent_id: str, agent_type: str) -> Screen:
        made = Screen(under=(parent_call, agent_id, agent_type), changed=self.changed)
        self.children.append(made)
        return made

    def of(self, what: str) -> list[tuple[Any, ...]]:
        return [event[1:] for event in self.events if event[0] == what]

    @property
    def said(self) -> str:
        return "".join(text for (text,) in self.of("text"))

    def results(self) -> list[ToolResult]:
        return [result for _, result in self.of("ended")]

    async def until(self, seen: Callable[[], object], seconds: float = 40) -> None:
        async with asyncio.timeout(seconds):
            while not seen():
                self.changed.clear()
                await self.changed.wait()


@dataclass
class Person:
    """Answers questions with ``answers`` (None: dismisses them) and plans with ``verdict``."""

    available: bool = True
    answers: dict[str, list[str]] | None = None
    verdict: PlanVerdict = field(default_factory=lambda: PlanVerdict(approved=True))
    asked: list[Any] = field(default_factory=list)

    @property
    def questions(self) -> Person:
        return self

    async def ask(self, questions: Sequence[Question]) -> dict[str, list[str]] | None:
        self.asked.append(tuple(questions))
        return self.answers

    async def decide_plan(self, plan: str, file: str) -> PlanVerdict:
        self.asked.append((plan, file))
        return self.verdict


@dataclass
class Server:
    """A running model server. ``log`` has one line a request."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def requests(self) -> list[dict[str, Any]]:
        return [line for line in map(json.loads, self.log.read_text().splitlines()) if "script" in line]


def serve(folder: Path, script: dict[str, Any]) -> Server:
    """Start the scripted model server; the caller terminates ``process``."""
    folder.mkdir(parents=True)
    (folder / "script.json").write_text(json.dumps(script))
    port = folder / "port"
    process = subprocess.Popen(
        [sys.executable, str(FAKE), "--script", str(folder / "script.json"), "--portfile", str(port),
         "--log", str(folder / "log")],
        stdout=subprocess.DEVNULL, cwd=folder,
    )  # fmt: skip
    limit = time.monotonic() + 40
    while not port.exists():
        assert time.monotonic() < limit, "the model server did not start"
        time.sleep(0.01)
    return Server(process, f"http://127.0.0.1:{port.read_text()}", folder / "log")


@dataclass
class Stage:
    """An open session. Requests for approval get ``choice`` at once; None leaves them open."""

    session: AgentSession
    screen: Screen
    person: Person
    root: Path
    server: Server | None
    choice: Choice | None = Choice.ONCE
    feedback: str = ""
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.session.approvals.watch(self._asked)

    def _asked(self, event: object) -> None:
        if isinstance(event, Requested):
            self.requests.append(event.request)
            self.screen.changed.set()
            if self.choice is not None:
                self.session.approvals.resolve(event.request.id, Answer(self.choice, self.feedback))

    async def prompt(self, text: str) -> TurnEnd:
        return await self.session.prompt([TextPart(text)])

    def requests_to_model(self) -> list[dict[str, Any]]:
        assert self.server is not None
        return self.server.requests()


def call(tool: str, **args: Any) -> dict[str, Any]:
    """A tool call of a script."""
    return {"tool": tool, "args": args}


def step(*calls: dict[str, Any], text: str = "", **more: Any) -> dict[str, Any]:
    """A step of a script."""
    return {"text": text, "tool_calls": list(calls), **more}


def script(**scripts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"default": {"text": "Hello."}, "no_tools": {"text": "In short."}, "scripts": scripts}
