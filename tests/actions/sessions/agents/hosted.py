"""A real agent under a real host process, against the scripted model; what it does is noted down."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from tests.actions.sessions.agents.installed import AGENTS, ROOT, Agent, path_for
from tests.running_host import RunningHost, eventually, running_host

LLM = ROOT / "tests" / "fixtures" / "llm"
LIMIT = 600.0
"""Seconds for everything with one agent. Idle cores need 20 to 40; ones that others use ten times that."""
RESTING = ("idle", "stopped", "failed", "interrupted")


class Hosted:
    """One agent and its session. Every wait ends with the agent's time."""

    def __init__(self, agent: Agent, host: RunningHost, folder: Path) -> None:
        self.agent = agent
        self.host = host
        self.folder = folder
        self.workspace = folder / "repo"
        self.session_id = ""
        self.seen: dict[str, str] = {}
        self.seconds: dict[str, float] = {}
        self._until = time.monotonic() + LIMIT

    @property
    def left(self) -> float:
        """Seconds that are left, at least one."""
        return max(1.0, self._until - time.monotonic())

    def do(self, action: str, **input: Any) -> dict[str, Any]:
        """An action from the window."""
        assert self._until > time.monotonic(), f"{self.agent.id} used up its {LIMIT:.0f} s"
        return self.host.done(action, **input)

    def new(self) -> dict[str, Any]:
        view = self.do("session.spawn_new", provider=self.agent.id, workspace=str(self.workspace))
        self.session_id = view["id"]
        return view

    def say(self, script: str) -> None:
        """Send the prompt that plays a script of the model."""
        self.do("session.message.send", session_id=self.session_id, message=f"[[{script}]] cwd={self.workspace} please")

    def wait(self, until: str = "idle") -> dict[str, Any]:
        return self.do("session.wait", session_id=self.session_id, until=until, timeout_s=self.left)

    def status(self) -> dict[str, Any]:
        return self.do("session.status.get", session_id=self.session_id)

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        return self.do("session.transcript.get", session_id=self.session_id, limit=2000, kinds=list(kinds))["events"]

    def text(self) -> str:
        """What the agent said."""
        return "".join(event["data"]["text"] for event in self.events("agent"))

    def answer_slowly(self) -> None:
        """Have it answer for ten seconds, and come back in the middle of that."""
        before = self.text().count("A slow")
        self.say("slow")
        eventually(lambda: self.text().count("A slow") > before, 60)

    def last_end(self) -> str:
        """The stop reason of the last turn."""
        return self.events("turn_end")[-1]["data"]["stop_reason"]

    def asked(self) -> dict[str, Any] | None:
        """Wait for its question, or for the end of the turn without one; the request that is open."""
        view = eventually(lambda: (v := self.status()) and (v["waiting_for"] or v["state"] in RESTING) and v, self.left)
        if view["waiting_for"] == 0:
            return None
        answered = {event["item_id"] for event in self.events("permission_answer")}
        return next(event for event in self.events("permission") if event["item_id"] not in answered)

    def answer(self, request: dict[str, Any], decision: str) -> None:
        """Decide, by the id of the one option of that kind."""
        self.do("session.permission.respond", request_id=request["item_id"], decision=decision)

    def answer_until_idle(self, request: dict[str, Any] | None, decision: str) -> int:
        """Answer this request and every further one of the turn the same way; how many there were."""
        count = 0
        while request is not None:
            self.answer(request, decision)
            count += 1
            request = self.asked()
        self.wait()
        return count

    def processes(self) -> list[psutil.Process]:
        """The agent's processes: the host starts each in a group of its own."""
        return [child for child in psutil.Process(self.host.process.pid).children() if child.status() != "zombie"]

    def kill(self) -> list[psutil.Process]:
        """SIGKILL to the agent itself; its children are left to the host. Gives all that ran."""
        ran = [process for child in self.processes() for process in (child, *child.children(recursive=True))]
        for child in self.processes():
            os.kill(child.pid, signal.SIGKILL)
        return ran

    def note(self, step: str, what: str, since: float | None = None) -> None:
        """What was seen in a step, for the table; ``since`` is when it began."""
        self.seen[step] = what
        if since is not None:
            self.seconds[step] = round(time.monotonic() - since, 1)

    def keep(self) -> None:
        """Write down what was noted."""
        report = {"version": self.agent.installed_version(), "seen": self.seen, "seconds": self.seconds}
        (AGENTS / "run" / f"{self.agent.id}.json").write_text(json.dumps(report, indent=1), encoding="utf-8")


@contextlib.contextmanager
def hosted(agent: Agent) -> Iterator[Hosted]:
    """The model server, a host on a fresh home, and the provider's row; all are ended and the notes kept."""
    # Not in the system's temporary folder: Codex' sandbox hides that, and with it its own helper.
    folder = AGENTS / "run" / agent.id
    shutil.rmtree(folder, ignore_errors=True)
    home, workspace = folder / "home", folder / "repo"
    home.mkdir(parents=True)
    workspace.mkdir()
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    with _model(folder) as llm:
        env = {name: _filled(value, llm, home) for name, value in agent.env.items()} | {"HOME": str(home)}
        for name, text in agent.files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(_filled(text, llm, home), encoding="utf-8")
        config = folder / "sayso" / "config"
        config.mkdir(parents=True)
        pairs = "\n".join(f"{name} = {json.dumps(value)}" for name, value in env.items())
        (config / "providers.toml").write_text(f"[providers.{agent.id}.env]\n{pairs}\n", encoding="utf-8")
        own = {"PATH": path_for(agent), "SHELL": "/bin/sh", "HOME": str(home), "LANG": "C.UTF-8"}
        with running_host(folder / "sayso", env=own) as host:
            subject = Hosted(agent, host, folder)
            try:
                yield subject
            finally:
                subject.keep()
        leftover = [p for p in psutil.process_iter() if _belongs(p, str(folder))]
        for process in leftover:
            process.kill()
        assert not leftover, f"the host left processes behind: {leftover}"


@contextlib.contextmanager
def _model(folder: Path) -> Iterator[str]:
    script: dict[str, Any] = json.loads((LLM / "tools.json").read_text(encoding="utf-8"))
    script["scripts"] |= json.loads((LLM / "hello.json").read_text(encoding="utf-8"))["scripts"]
    calling = json.dumps(script["scripts"]["shell"]).replace("echo shell-ok > SHELL_RAN.txt", json.dumps(_BRIDGE)[1:-1])
    script["scripts"] |= {"bridge": json.loads(calling), "native": [_NATIVE, _DONE]}
    script["scripts"]["searching"] = [_SEARCH, _NATIVE, _DONE]
    (folder / "script.json").write_text(json.dumps(script), encoding="utf-8")
    port = folder / "port"
    command = [sys.executable, str(LLM / "fake_llm.py"), "--port", "0", "--portfile", str(port)]
    server = subprocess.Popen([*command, "--script", str(folder / "script.json"), "--log", str(folder / "llm.jsonl")])
    try:
        deadline = time.monotonic() + 15
        while not port.exists():
            assert time.monotonic() < deadline, "the model server did not start"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port.read_text().strip()}"
    finally:
        server.terminate()
        server.wait(5)


# The tool that may do anything: some agents ask for none that says of itself that it does no harm.
_TOOL = "action_execute"
_NAMED = {"action_id": "session.title.set", "input": {"title": "Named by its agent"}}
_BRIDGE = f"sayso tools call --source sayso --tool {_TOOL} --args-json '{json.dumps(_NAMED)}' --json > CALLED.json"
_NATIVE = {"tool_calls": [{"tool": [f"mcp__sayso__{_TOOL}"], "match": f"{_TOOL}$", "args": _NAMED}]}
_SEARCH = {"tool_calls": [{"tool": ["ToolSearch"], "args": {"query": f"select:mcp__sayso__{_TOOL}"}}]}
_DONE = {"text": "Tool done."}


def _filled(text: str, llm: str, home: Path) -> str:
    return text.replace("{llm}", llm).replace("{home}", str(home))


def _belongs(process: psutil.Process, folder: str) -> bool:
    try:
        return process.environ().get("HOME", "").startswith(folder) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
