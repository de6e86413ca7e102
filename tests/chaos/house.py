"""The house that is shaken: a host process, its sessions, and what was decided in it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.chaos.disk import Disk
from tests.running_host import RunningHost

SCRIPTED = Path(__file__).parents[1] / "fixtures" / "agents" / "scripted.py"
KEPT_WAITS = 5
REST = ("idle", "stopped", "failed", "interrupted")
KINDS = ("resume", "load", "plain", "family")
"""The scripted agents: one resumes, one loads, one cannot take up anything, one ignores the end and has a child."""


class Broken(AssertionError):
    """A promise of the host that did not hold."""


@dataclass
class ChaosSession:
    id: str
    kind: str

    @property
    def builtin(self) -> bool:
        return self.kind == "builtin"


@dataclass(frozen=True, order=True)
class Wait:
    """How long somebody waited, what for, and in the wake of which fault."""

    seconds: float
    what: str
    during: str

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s for {self.what} ({self.during})"


@dataclass
class ChaosHouse:
    """Starts and kills hosts over one home. ``patience`` is how many seconds nothing may take longer than.

    ``decided`` are the answers that the host said it took: request to option. ``longest`` are the longest waits, and
    ``during`` says of which fault and agent they are.
    """

    home: Path
    workspace: Path
    disk: Disk
    chance: random.Random
    patience: float
    env: dict[str, str] = field(default_factory=dict)
    sessions: list[ChaosSession] = field(default_factory=list)
    decided: dict[str, str] = field(default_factory=dict)
    longest: list[Wait] = field(default_factory=list[Wait])
    during: str = "the first start"
    host: RunningHost = field(init=False)

    def __post_init__(self) -> None:
        config = self.home / "config"
        config.mkdir(parents=True)
        (self.home / "pids").mkdir()
        rows = [
            f'[providers.{kind}]\nname = "{kind}"\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n'
            f'env = {{ SCRIPTED = "{kind}", SCRIPTED_PIDS = "{self.home / "pids" / kind}" }}\n'
            for kind in KINDS
        ]
        (config / "providers.toml").write_text("\n".join(rows))
        self.start_host()

    def start_host(self) -> None:
        begun = time.monotonic()
        self.host = RunningHost(self.home, env=self.env)
        if not (self.host.ready or {}).get("ok"):
            raise Broken(f"the host does not start: {self.host.ready}")
        self._took("a start of the host", begun)

    def kill_host(self) -> None:
        self.host.end(signal.SIGKILL)
        self.close_host()

    def close_host(self) -> None:
        assert self.host.process.stdout is not None
        self.host.process.stdout.close()

    def spawn(self, kind: str) -> ChaosSession:
        view = self.done("session.spawn_new", provider=kind, workspace=str(self.workspace))
        session = ChaosSession(view["id"], kind)
        self.sessions.append(session)
        return session

    def run(self, action: str, **input: Any) -> dict[str, Any]:
        """The outcome of an action. Raises Broken when it takes longer than is ever right."""
        begun = time.monotonic()
        connection = http.client.HTTPConnection("sayso", timeout=3 * self.patience)
        with contextlib.closing(connection):
            connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.sock.settimeout(3 * self.patience)
            connection.sock.connect(self.host.socket_file)
            params = {"action": action, "surface": "ui", "input": input}
            try:
                connection.request("POST", "/rpc", json.dumps({"method": "execute", "params": params}))
                answer = json.loads(connection.getresponse().read())
            except TimeoutError as late:
                raise Broken(f"{action} {input} hangs for more than {3 * self.patience:.0f} s") from late
        self._took(f"{action} {input}", begun)
        return answer

    def done(self, action: str, **input: Any) -> dict[str, Any]:
        answer = self.run(action, **input)
        if answer.get("outcome") != "completed":
            raise Broken(f"{action} {input}: {answer}")
        return answer["data"]

    def state(self, session: ChaosSession) -> dict[str, Any]:
        return self.done("session.status.get", session_id=session.id)

    def agent(self, session: ChaosSession) -> psutil.Process | None:
        """The agent's process: the child of the host that carries the session's mark."""
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self.host.process.pid).children():
                with contextlib.suppress(psutil.Error):
                    if child.environ().get("SAYSO_SESSION_ID") == session.id:
                        return child
        return None

    def running(self, session: ChaosSession) -> psutil.Process:
        """The agent, started if need be and ready for a prompt."""
        self.settled(session)
        if (agent := self.agent(session)) is None:
            self.speaks(session)
            agent = self.agent(session)
        if agent is None:
            raise Broken(f"{session} answers and has no process")
        return agent

    def until(self, what: str, look: Callable[[], Any]) -> Any:
        """The first true value of ``look``. Raises Broken when that takes longer than ``patience``."""
        begun = time.monotonic()
        while not (value := look()):
            if time.monotonic() - begun > self.patience:
                raise Broken(f"{what}: not within {self.patience:.0f} s")
            time.sleep(0.03)
        self._took(what, begun)
        return value

    def send(self, session: ChaosSession, message: str) -> dict[str, Any]:
        return self.run("session.message.send", session_id=session.id, message=message)

    def begin(self, session: ChaosSession, word: str) -> None:
        """Send ``word`` and wait until the agent has said something in that turn."""
        self.running(session)
        seen = self.last_seq(session)
        self.done("session.message.send", session_id=session.id, message=word)
        self.until(f"the first word to {word!r}", lambda: self.events(session, seen, "agent"))

    def settled(self, session: ChaosSession) -> dict[str, Any]:
        """Bring a session to rest: what it asks is decided, what streams is cancelled."""
        view = self.state(session)
        if view["state"] not in REST:
            self.done("session.turn.cancel", session_id=session.id)
            view = self.rests(session)
        return view

    def rests(self, session: ChaosSession) -> dict[str, Any]:
        """Wait until nothing runs in a session; one that ended says why."""

        def look() -> dict[str, Any] | None:
            view = self.state(session)
            return view if view["state"] in REST else None

        view = self.until(f"{session} comes to rest", look)
        if view["state"] != "idle" and not view.get("reason"):
            raise Broken(f"{session} is {view['state']} and does not say why")
        return view

    def speaks(self, session: ChaosSession) -> None:
        """A message is answered, by an agent that was started again where there was none."""
        message, expected = (
            ("[[default]] hello", "Hello from the fake model.") if session.builtin else ("hello", "Hello there")
        )
        answer = self.run("session.message.send", session_id=session.id, message=message, wait=True, timeout_s=60)
        if answer.get("outcome") != "completed" or expected not in (answer["data"].get("text") or ""):
            raise Broken(f"{session} does not answer: {answer}")

    def waits(self, session: ChaosSession) -> dict[str, Any]:
        """The permission that a session waits for."""

        def look() -> dict[str, Any] | None:
            rows = self.done("inbox.list", session_id=session.id)["rows"]
            return next((row for row in rows if row["kind"] == "permission"), None)

        return self.until(f"{session} asks", look)

    def decide(self, session: ChaosSession, request: str, option: str) -> dict[str, Any]:
        """Answer a permission; what the host takes is remembered."""
        decision = "deny" if option == "no" else "allow"
        answer = self.run(
            "session.permission.respond",
            session_id=session.id,
            request_id=request,
            option_id=option,
            decision=decision,
        )
        if answer.get("outcome") == "completed":
            if request in self.decided:
                raise Broken(f"{request} was decided twice: {answer}")
            self.decided[request] = option
        return answer

    def last_seq(self, session: ChaosSession) -> int:
        events = self.all_events(session)
        return events[-1]["seq"] if events else 0

    def events(self, session: ChaosSession, after: int, *kinds: str) -> list[dict[str, Any]]:
        given = {"session_id": session.id, "cursor": after, "limit": 5000, "kinds": list(kinds)}
        return self.done("session.transcript.get", **given)["events"]

    def all_events(self, session: ChaosSession) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while page := self.events(session, found[-1]["seq"] if found else 0):
            found += page
        return found

    def _took(self, what: str, begun: float) -> None:
        took = time.monotonic() - begun
        self.longest = sorted([*self.longest, Wait(took, what, self.during)], reverse=True)[:KEPT_WAITS]
        if took > self.patience:
            raise Broken(f"{what} took {took:.1f} s, more than {self.patience:.0f} s")


def marked(sessions: list[ChaosSession]) -> Iterator[psutil.Process]:
    """Every process that carries the mark of one of ``sessions``."""
    ids = {session.id for session in sessions}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and process.environ().get("SAYSO_SESSION_ID") in ids:
                yield process
