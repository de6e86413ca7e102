"""Logging in to a server, giving up a test, and accepting a tool that has changed, in a real window on a real host."""

import asyncio
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QTreeWidgetItem

from actions.client.aio import AsyncClient
from actions.storage.paths import Paths
from desktop.app.application import Application
from desktop.app.remote import RemoteBackend
from desktop.settings.servers import PREVIEW, ServersPage
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.settings.test_window import BAD, say
from tests.running_host import gone, running_host

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
MUTE = (
    "import subprocess, sys; child = subprocess.Popen(['sleep', '600']); "
    "open(sys.argv[1], 'w').write(str(child.pid)); sys.stdin.read(); child.wait()"
)
BAD_TEXT = Path(BAD).read_text()
OAUTH = str(Path(__file__).parents[2] / "fixtures" / "mcp" / "oauth_http.py")


@pytest.fixture
def guarded() -> Iterator[str]:
    with subprocess.Popen([sys.executable, OAUTH], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as it:
        assert it.stdout is not None
        yield f"{it.stdout.readline().strip()}/mcp"
        it.kill()


def browse(url: QUrl) -> None:
    """The person's browser; the provider lets everybody in."""
    with urllib.request.urlopen(url.toString(), timeout=60) as page:
        page.read()


async def test_a_login_and_a_changed_tool(
    sayso_home: Path, tmp_path: Path, theme: Theme, guarded: str, eventually: Eventually
) -> None:
    paths = Paths.from_environment()
    paths.config.mkdir(parents=True, exist_ok=True)
    script = tmp_path / "serve.py"
    script.write_text(BAD_TEXT)
    servers = {
        "guarded": {"type": "http", "url": guarded},
        "moving": {"command": sys.executable, "args": [str(script), "ok"]},
    }
    bindings = {name: {"device": True} for name in servers}
    servers["mute"] = {"command": sys.executable, "args": ["-c", MUTE, str(tmp_path / "child")]}
    (paths.config / "mcp.json").write_text(json.dumps({"mcpServers": servers, "sayso": {"bindings": bindings}}))
    for name in ("seen", "repo"):
        (tmp_path / name).mkdir()
    with running_host(sayso_home) as host:
        seen = host.done("workspace.add", path=str(tmp_path / "seen"))["path"]
        host.done("mcp.preview", provider="builtin", workspace=seen, wait_s=60)
        script.write_text(script.read_text().replace('"description": "fine"', '"description": "other"'))
        host.done("workspace.remove", workspace=seen, surface="cli")
        host.done("workspace.add", path=str(tmp_path / "repo"))
        backend = RemoteBackend(AsyncClient(host.socket_file, surface="ui", label="window"))
        application = Application(theme, backend)
        application.window.resize(1180, 780)
        application.open()
        backend.open(application.offers())
        try:
            await eventually(lambda: not application.window.banner.isVisible())
            application.window.show_page("settings")
            application.window.settings.open("mcp")
            page = application.settings.servers_page
            opened: list[asyncio.Future[None]] = []
            loop = asyncio.get_running_loop()
            presenter = application.settings.servers
            presenter._open_url = lambda url: opened.append(loop.run_in_executor(None, browse, url))

            def state(name: str) -> str:
                known = page.model.state(name)
                return "" if known is None else known.state

            await eventually(lambda: page.model.rowCount() == 3)
            page.open_server("mute")
            page.detail.test.click()
            assert page.detail.cancel_test.isVisible()
            assert not page.detail.test.isVisible()
            child = await eventually(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text())
            mute = [psutil.Process(int(str(child))).parent(), psutil.Process(int(str(child)))]
            page.detail.cancel_test.click()
            await eventually(page.detail.test.isVisible)
            assert not page.detail._bar.isVisible()
            assert not page.detail._result.isVisible()
            await eventually(lambda: all(process is not None and gone(process) for process in mute))

            await eventually(lambda: state("guarded") == "unauthorized")
            page.open_server("guarded")
            assert page.detail.login.isVisible()
            page.detail.login.click()
            await eventually(lambda: state("guarded") == "connected")
            assert len(opened) == 1
            await opened[0]
            await eventually(lambda: "You are logged in." in page.detail._login.text())

            await eventually(lambda: state("moving") == "connected")
            page.tabs.setCurrentIndex(PREVIEW)
            tool = await eventually(lambda: changed(page))
            assert isinstance(tool, QTreeWidgetItem)
            page.preview.tree.setCurrentItem(tool)
            assert "- fine" in page.preview.detail._changes.toPlainText()
            page.preview.detail.accept.click()
            await say(eventually, yes=True)
            await eventually(lambda: changed(page) is None and state("moving") == "connected")
        finally:
            await application.close()
            await backend.close()


def changed(page: ServersPage) -> QTreeWidgetItem | None:
    """The tool of `moving` that waits to be looked at."""
    tree = page.preview.tree
    tops = [tree.topLevelItem(at) for at in range(tree.topLevelItemCount())]
    tools = [top.child(at) for top in tops if top is not None for at in range(top.childCount())]
    found = [(item, item.data(0, Qt.ItemDataRole.UserRole)) for item in tools]
    return next((item for item, tool in found if tool.source == "moving" and tool.pin == "changed"), None)
