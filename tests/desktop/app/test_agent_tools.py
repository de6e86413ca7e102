"""The built-in agent shows things in the window: a real host, a real agent on a scripted model, a real window."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from actions.client.aio import AsyncClient
from actions.client.connection import HostConnection
from actions.client.launch import HostStarter
from actions.storage.paths import Paths
from desktop.app.application import Application
from desktop.app.remote import RemoteBackend
from desktop.theme.theme import Theme
from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve
from tests.desktop.conftest import Eventually

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(200)]


def _script(tool: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"tool_calls": [{"tool": [tool], "args": arguments}]}, {"text": "said so"}]


SCRIPTS = {
    "change": _script("show_diff", title="Rank the search"),
    "pane": _script("open_in_desktop", target="runs"),
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "search.py").write_text("def search(text):\n    return text\n")
    names = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *names, *arguments], cwd=work, check=True)
    (work / "search.py").write_text("def search(text):\n    return rank(text)\n")
    return work


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = serve(tmp_path / "llm", {"scripts": SCRIPTS})
    for name, value in environment(server).items():
        monkeypatch.setenv(name, value)
    yield
    server.process.terminate()
    server.process.wait()


@pytest.fixture
async def backend(sayso_home: Path, model: None) -> AsyncIterator[RemoteBackend]:
    paths = Paths.from_environment()
    starter = HostStarter(paths, os.environ, patience_s=60)
    client = AsyncClient(str(paths.socket_file), surface="ui", label="window", start=starter.start)
    backend = RemoteBackend(client)
    yield backend
    await backend.close()
    await asyncio.to_thread(HostConnection(str(paths.socket_file)).call, "host.stop", {"surface": "ui"})


async def _type(edit: QWidget) -> None:
    while True:
        QTest.keyClick(edit, Qt.Key.Key_A)
        await asyncio.sleep(0.2)


async def test_an_agent_shows_a_change_and_a_pane_until_the_window_is_closed(
    backend: RemoteBackend, theme: Theme, eventually: Eventually, work: Path
) -> None:
    application = Application(theme, backend)
    window = application.window
    application.open()
    backend.open(application.offers())
    await eventually(lambda: not window.banner.isVisible(), 90)
    spawned = await backend.execute("session.spawn_new", {"provider": "builtin", "directory": str(work)})
    assert spawned.ok, spawned.message
    session_id = str(spawned.data["id"])

    async def say(script: str) -> list[dict[str, Any]]:
        """What became of the tool calls of a turn."""
        given = {"session_id": session_id, "message": f"[[{script}]]", "wait": True, "timeout_s": 60}
        turn = await backend.execute("session.message.send", given)
        assert turn.ok, turn.message
        asked = {"session_id": session_id, "kinds": ["tool_call", "permission"]}
        events = (await backend.execute("session.transcript.get", asked)).data["events"]
        assert {event["kind"] for event in events} == {"tool_call"}, "nobody is asked for what changes nothing"
        last = max(event["turn"] for event in events)
        return [event["data"] for event in events if event["turn"] == last]

    try:
        application.sessions.open(session_id)
        calls = await say("change")
        assert calls[-1]["status"] == "completed", calls
        assert "1 file, +1 −1" in str(calls[-1]["output"])
        await eventually(lambda: window.page() == "diff")
        assert "    return rank(text)" in window.diff.view.toPlainText()
        window.diff.left.emit()
        await eventually(lambda: window.page() == "session")
        assert application.sessions.current == session_id
        assert (await say("pane"))[-1]["status"] == "completed"
        await eventually(lambda: window.page() == "runs")
        application.sessions.open(session_id)
        window.activateWindow()
        window.session_page.composer.edit.setFocus()
        await eventually(lambda: window.isActiveWindow() and window.session_page.composer.edit.hasFocus())
        typing = asyncio.create_task(_type(window.session_page.composer.edit))
        assert "offers it to them" in str((await say("change"))[-1]["output"])
        assert window.page() == "session", "whoever types is not interrupted"
        await eventually(lambda: window.toasts.texts())
        assert "shows you a change: Rank the search" in window.toasts.texts()[0]
        await eventually(lambda: window.session_page.composer.edit.toPlainText().startswith("aa"))
        typing.cancel()
    finally:
        await application.close()
        await backend.close()
    client = AsyncClient(str(Paths.from_environment().socket_file), surface="ui")
    given = {"session_id": session_id, "message": "[[change]]", "wait": True, "timeout_s": 60}
    await client.execute("session.message.send", given)
    asked = await client.execute("session.transcript.get", {"session_id": session_id, "kinds": ["tool_call"]})
    last = asked["data"]["events"][-1]["data"]
    await client.close()
    assert (last["status"], "No window of Sayso is open" in str(last["output"])) == ("failed", True), last
