"""The window on a real host: started when none runs, left running when the window closes."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.client.aio import AsyncClient
from actions.client.connection import HostConnection
from actions.client.launch import HostStarter
from actions.storage.paths import Paths
from desktop.app.application import Application
from desktop.app.remote import RemoteBackend, outcome_of
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(150)]


@pytest.fixture
async def backend(sayso_home: Path) -> AsyncIterator[RemoteBackend]:
    paths = Paths.from_environment()
    starter = HostStarter(paths, os.environ, patience_s=60)
    client = AsyncClient(str(paths.socket_file), surface="ui", label="window", start=starter.start)
    backend = RemoteBackend(client)
    yield backend
    await backend.close()
    await asyncio.to_thread(HostConnection(str(paths.socket_file)).call, "host.stop", {"surface": "ui"})


async def test_a_session_and_a_run_in_a_real_window(
    backend: RemoteBackend, theme: Theme, eventually: Eventually, tmp_path: Path
) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "search.py").write_text("def search(text):\n    return text  # TODO: rank\n")
    application = Application(theme, backend)
    window = application.window
    application.open()
    backend.open({"ui.open": application.answer_open})
    try:
        await eventually(lambda: not window.banner.isVisible(), 90)
        spawned = await backend.execute(
            "session.spawn_new",
            {"provider": "builtin", "directory": str(tmp_path / "work"), "initial_message": "Plan the ranking"},
        )
        assert spawned.ok, spawned.message
        application.sessions.open(str(spawned.data["id"]))
        rows = window.transcript
        await eventually(lambda: any("search.py" in rows[at].text for at in range(len(rows))), 60)
        started = await backend.execute(
            "subagents.plan.start",
            {"providers": ["builtin"], "instructions": "Rank the search", "workspace": str(tmp_path / "work")},
        )
        assert started.ok, started.message
        application.open_pane("run", str(started.data["results"][0]["run_id"]))
        await eventually(lambda: "search.py" in window.runs.detail.result.toPlainText(), 60)
    finally:
        await application.close()


def test_outcomes_of_the_wire() -> None:
    assert outcome_of({"ok": True, "outcome": "completed", "data": {"a": 1}}).data == {"a": 1}
    pending = outcome_of({"ok": True, "outcome": "pending", "data": {"approval_id": "apr_1"}})
    assert (pending.ok, pending.approval_id) == (False, "apr_1")
    error = {"code": "invalid_input", "message": "No.", "details": {"fields": [{"field": "a", "message": "b"}]}}
    refused = outcome_of({"ok": False, "error": error})
    assert (refused.code, refused.details["fields"][0]["field"]) == ("invalid_input", "a")
