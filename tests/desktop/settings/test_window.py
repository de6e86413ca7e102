"""The settings in a real window on a real host: all writes through the one door, with what is dangerous asked about."""

import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog

from actions.client.aio import AsyncClient
from actions.storage.paths import Paths
from desktop.app.application import Application
from desktop.app.remote import RemoteBackend
from desktop.settings.actions_model import Held
from desktop.settings.confirm_dialog import ConfirmDialog
from desktop.settings.server_form import AddDialog
from desktop.settings.servers import PREVIEW
from desktop.settings.trust_dialog import TrustDialog
from desktop.theme.theme import Theme
from tests.desktop.accessibility import unnamed
from tests.desktop.conftest import Eventually
from tests.running_host import running_host

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
BAD = str(Path(__file__).parents[2] / "fixtures" / "mcp" / "bad_stdio.py")


def server(mode: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": [BAD, mode]}


@pytest.fixture
async def application(sayso_home: Path, tmp_path: Path, theme: Theme) -> AsyncIterator[Application]:
    paths = Paths.from_environment()
    paths.config.mkdir(parents=True, exist_ok=True)
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / ".mcp.json").write_text(json.dumps({"mcpServers": {"theirs": server("ok")}}))
    bindings = {"bindings": {"dead": {"device": True}}}
    (paths.config / "mcp.json").write_text(json.dumps({"mcpServers": {"dead": server("exit3")}, "sayso": bindings}))
    with running_host(Path(os.environ["SAYSO_HOME"])) as host:
        host.done("workspace.add", path=str(tmp_path / "repo"))
        backend = RemoteBackend(AsyncClient(host.socket_file, surface="ui", label="window"))
        application = Application(theme, backend)
        application.window.resize(1180, 780)
        application.open()
        backend.open(application.offers())
        yield application
        await application.close()
        await backend.close()


def dialog(kind: type[QDialog]) -> Callable[[], QDialog | None]:
    def look() -> QDialog | None:
        found = QApplication.activeModalWidget()
        return found if isinstance(found, kind) else None

    return look


async def say(eventually: Eventually, *, yes: bool) -> str:
    """Answer the dialog that asks, when it is ready for it; gives what it asked."""
    found = await eventually(dialog(ConfirmDialog))
    assert isinstance(found, ConfirmDialog)
    assert found.focusWidget() is found.no, "no is the default"
    if yes:
        await eventually(found._guard.ready)
        QTest.mouseClick(found.yes, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(found, Qt.Key.Key_Escape)
    return found.windowTitle()


def started(mark: Path) -> list[int]:
    """The processes of the draft."""
    found = psutil.process_iter(["cmdline"])
    return [one.pid for one in found if (one.info["cmdline"] or [])[-2:] == ["hang", str(mark)]]


def choose(select: QComboBox, value: object) -> None:
    """As a person picks an entry."""
    select.setCurrentIndex(select.findData(value))
    select.activated.emit(select.currentIndex())


async def test_the_settings_of_a_home(application: Application, eventually: Eventually, tmp_path: Path) -> None:
    window, pages = application.window, application.settings
    servers, actions = pages.servers_page, pages.actions_page
    await eventually(lambda: not window.banner.isVisible())
    QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    await eventually(lambda: window.page() == "settings")
    window.settings.open("mcp")
    await eventually(lambda: servers.model.rowCount() == 2)

    def state(name: str) -> str:
        known = servers.model.state(name)
        return "" if known is None else known.state

    # A broken server says why; the workspace's own waits for trust.
    await eventually(lambda: state("dead") == "failed")
    servers.open_server("dead")
    assert "missing API_KEY" in servers.detail._stderr.toPlainText()
    assert unnamed(window) == []
    servers.open_server("theirs")
    servers.detail.trust.click()
    review = await eventually(dialog(TrustDialog))
    assert isinstance(review, TrustDialog)
    assert BAD in review.findChildren(type(servers.detail._stderr))[0].toPlainText()
    await eventually(review._guard.ready)
    review.yes.click()
    await eventually(lambda: state("theirs") == "connected")

    # A test shows its tools; the preview what they cost.
    servers.detail.test.click()
    await eventually(lambda: "19" in servers.detail._result.text())
    servers.tabs.setCurrentIndex(PREVIEW)
    await eventually(lambda: "theirs" in servers.preview._legend.text())

    # Off here: asked about, a no changes nothing, a yes does.
    servers.open_server("theirs")
    repo = str(tmp_path / "repo")
    servers.detail.bind_asked.emit("theirs", repo, "off")
    await say(eventually, yes=False)
    servers.detail.bind_asked.emit("theirs", repo, "off")
    await say(eventually, yes=True)
    await eventually(lambda: not (found := servers.model.server("theirs")) or not found.enabled)

    # A draft that says nothing is tested, and given up: its process ends, the draft stays as it was.
    servers.add.click()
    draft = await eventually(dialog(AddDialog))
    assert isinstance(draft, AddDialog)
    draft.form.name.setText("mute")
    draft.form.line.setText(f"{sys.executable} {BAD} hang {tmp_path}")
    draft.test.click()
    await eventually(lambda: draft.stop_test.isVisible() and started(tmp_path))
    draft.stop_test.click()
    await eventually(lambda: draft.test.isVisible() and not started(tmp_path))
    assert draft.form.name.text() == "mute"
    draft.reject()

    # A pasted server with a secret: shown uncut first, then taken; the secret is nowhere in the file.
    servers.add.click()
    form = await eventually(dialog(AddDialog))
    assert isinstance(form, AddDialog)
    form.tabs.setCurrentIndex(1)
    pasted = {"mcpServers": {"pasted": {**server("ok"), "env": {"API_TOKEN": "canary-41d8"}}}}
    form.paste.setPlainText(json.dumps(pasted))
    form.go.click()
    await eventually(lambda: form.found.isVisible() and form.go.isEnabled())
    form.go.click()
    await eventually(lambda: servers.model.server("pasted"))
    assert "canary-41d8" not in (Paths.from_environment().config / "mcp.json").read_text()

    # The policy: asked about in the window, then carried out.
    answer = await application.answer_open({"target": "settings.actions"})
    assert answer == {"opened": "settings.actions"}
    await eventually(lambda: actions.model.rowCount() > 50)
    actions.search.setText("session.pin")
    actions.table.setCurrentIndex(actions.rows.index(0, 5))
    choose(actions.detail.held, Held.OFF)
    assert await say(eventually, yes=True) == "Change an action's policy"
    await eventually(lambda: actions.rows.index(0, 5).data() == "Off")

    # For one workspace beside it: what the device switched off stays off there, anything else is its own.
    actions.table.setCurrentIndex(actions.rows.index(0, 1))
    choose(actions.place, str(tmp_path / "repo"))
    await eventually(lambda: actions.detail.held_here.isVisible())
    choose(actions.detail.held_here, Held.ASKS)
    assert await say(eventually, yes=True) == "Change an action's policy"
    await eventually(lambda: actions.rows.index(0, 1).data() == "Asks first")
    assert actions.detail.held.currentText() == "Allowed"
    choose(actions.place, "")
    await eventually(lambda: actions.rows.index(0, 1).data() == "Allowed")
    assert unnamed(window) == []
    outcome = await application._backend.execute("inbox.list")
    assert outcome.data["rows"] == [], "what was asked in a dialog does not wait in the inbox"
