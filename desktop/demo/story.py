"""The story of the demo: each step is done in the real window, and checked where its effect is kept."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from actions.client.aio import AsyncClient
from desktop.app.application import Application
from desktop.demo.report import Report, expect
from desktop.voicebar.service import LocalVoice
from desktop.voicebar.state import VoiceCard, VoiceState

_T = TypeVar("_T")
RUN_SECONDS = 120.0
STEP_SECONDS = 60.0
PLAN_LINES = 6
APPROVE = "Approve once"


@dataclass(frozen=True)
class Told:
    """What happened, as the command reports it."""

    heard: str
    action: str
    input: Mapping[str, Any]
    approval_id: str
    run: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        run = {"id": self.run["id"], "state": self.run["state"], "result": self.run["result"]}
        return {
            "heard": self.heard,
            "action": self.action,
            "input": dict(self.input),
            "approval_id": self.approval_id,
            "run": run,
        }


class Story:
    """Plays the main job once. Every method raises SaysoError when its step did not happen."""

    def __init__(self, application: Application, voice: LocalVoice, client: AsyncClient, report: Report) -> None:
        self._app = application
        self._window = application.window
        self._voice = voice
        self._client = client
        self._report = report

    async def play(self, workspace: Path) -> Told:
        """From an empty window to a finished run."""
        await self._start_session(workspace)
        card = await self._speak()
        approval = await self._find_request(card)
        await self._approve(approval)
        run = await self._finish_run(approval)
        await self._check_from_outside(run)
        return Told(card.heard, card.action, card.input, approval, run)

    async def _start_session(self, workspace: Path) -> None:
        hello = await self._client.call("hello", {"surface": "ui"}, repeatable=True)
        pid = hello["data"]["pid"]
        self._report.done("A host runs and the window is connected to it.", f"host process {pid}")
        given = {"provider": "builtin", "workspace": str(workspace), "title": workspace.name}
        session = await self._execute("session.spawn_new", given)
        self._app.open_pane("session", session["id"])
        await self._until(lambda: self._app.session_in_front() == session["id"], "The session did not open.")
        self._report.done("A session of the built-in agent is open.", f"{session['id']} in {session['workspace']}")
        self._report.picture(self._window, "session")

    async def _speak(self) -> VoiceCard:
        self._voice.start_listening()
        async with asyncio.timeout(STEP_SECONDS):
            view = await self._voice.idle()
        expect(view.state is not VoiceState.NO_MODEL, view.message or "There is no speech model. Run: make setup")
        card = view.card
        if card is None or view.state is not VoiceState.CARD:
            message = view.message or "It asks for nothing that needs a yes."
            expect(False, f"The recording gave no command to approve. {message}", state=view.state.value)
        assert card is not None
        self._report.done(f"Heard: “{card.heard}”", "speech model and voice activity on this machine")
        fields = "\n".join(f"{entry.title}: {entry.value}" for entry in card.fields)
        self._report.done(f"Understood: {card.title} ({card.action})", fields)
        self._report.picture(self._window, "card")
        return card

    async def _find_request(self, card: VoiceCard) -> str:
        waiting = card.approval_id
        expect(waiting is not None, "The command ran without being asked about.", action=card.action)
        approval = str(waiting)
        self._app.open_pane("inbox", approval)
        row = await self._until(lambda: self._window.requests.row(approval), "The request did not reach the inbox.")
        assert row is not None
        self._window.inbox.open(approval)
        self._report.done(f"It waits in the inbox: {row.summary}", f"{row.id}, asked by {row.asked_by}")
        self._report.picture(self._window, "inbox")
        return approval

    async def _approve(self, approval: str) -> None:
        button = await self._until(self._approve_button, "The request cannot be answered in the window.")
        assert button is not None
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        stored: dict[str, Any] = {}

        async def decided() -> bool:
            stored.update(await self._execute("approval.request.get", {"approval_id": approval}))
            return stored["status"] in ("executed", "failed")

        await self._eventually(decided, "The approval was not taken.")
        expect(stored["status"] == "executed", "The approved action failed.", request=stored)
        decision = stored["decision"] or {}
        self._report.done("Approved with a click.", f"status {stored['status']}, decided on {decision.get('surface')}")

    async def _finish_run(self, approval: str) -> Mapping[str, Any]:
        request = await self._execute("approval.request.get", {"approval_id": approval})
        results = ((request["execution"] or {}).get("result") or {}).get("results") or []
        started = next((entry["run_id"] for entry in results if entry["ok"]), None)
        expect(started is not None, "The action started no run. The demo wants a command that starts one.")
        self._app.open_pane("run", started)
        run = await self._execute("execution.run.wait", {"run_id": started, "timeout_s": RUN_SECONDS})
        expect(run["state"] == "succeeded", f"The run ended as {run['state']}.", error=run["error"])
        text = str((run["result"] or {}).get("text") or "")
        expect(text.strip(), "The run gave no result.")
        transcript = await self._execute("session.transcript.get", {"session_id": run["session_id"]})
        work = [event for event in transcript["events"] if event["kind"] == "tool_call"]
        expect(work, "The run's transcript shows no work.")
        summary = "\n".join(line for line in text.splitlines() if line.strip())
        self._report.done(
            f"The run {run['id']} is finished: {len(work)} steps of its agent are in the transcript.",
            "\n".join(summary.splitlines()[:PLAN_LINES]),
        )
        shown = self._window.run_list
        await self._until(
            lambda: (row := shown.run(str(started))) is not None and row.state.ended,
            "The window does not show that the run has finished.",
        )
        self._report.picture(self._window, "run")
        return run

    async def _check_from_outside(self, run: Mapping[str, Any]) -> None:
        """The command line, a process of its own, must see the same run."""
        command = [sys.executable, "-P", "-m", "actions.cli.main", "run", "show", str(run["id"]), "--json"]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        output, _ = await process.communicate()
        seen = json.loads(output or b"{}")
        expect(seen.get("ok"), "The command line does not see the run.", answer=seen)
        expect(seen["data"]["result"] == run["result"], "The command line sees another result.")
        self._report.done("The command line sees the same run.", f"sayso run show {run['id']}")

    def _approve_button(self) -> QPushButton | None:
        """The button that a person would click, once it may be clicked."""
        for button in self._window.inbox.detail.findChildren(QPushButton):
            if button.isVisible() and button.isEnabled() and button.accessibleName().startswith(APPROVE):
                return button
        return None

    async def _execute(self, action: str, input: Mapping[str, Any]) -> dict[str, Any]:
        envelope = await self._client.execute(action, input)
        error = envelope.get("error") or {}
        expect(envelope.get("ok"), f"{action}: {error.get('message')}", error=error)
        expect(envelope.get("outcome") == "completed", f"{action} waits for an approval that nobody expected.")
        return dict(envelope["data"])

    async def _until(self, condition: Callable[[], _T], problem: str) -> _T:
        async def check() -> _T:
            return condition()

        return await self._eventually(check, problem)

    async def _eventually(self, condition: Callable[[], Any], problem: str) -> Any:
        deadline = time.monotonic() + STEP_SECONDS
        while not (value := await condition()):
            expect(time.monotonic() < deadline, problem)
            await asyncio.sleep(0.05)
        return value
