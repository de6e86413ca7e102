"""Takes the pictures of the docs from the real app, so that they never age: run it when the window has changed.

    .venv/bin/python packaging/pictures.py [--out docs/pictures]

It plays the demo (a spoken command, an approval, a finished run) on a host of its own in a home that is thrown away,
then opens pane after pane; light and dark in one run, Chinese in a second process. Needs a checkout that is set up.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

_LANGUAGES = ("en", "zh_CN")
_SIZE = (1280, 800)
_SECONDS = 60.0
_PROMPT = "Which files matter for the discount of an order, and what would you change first?"


async def until(holds: Callable[[], Any], what: str) -> Any:
    """What ``holds`` gives once it is true. Raises TimeoutError that names ``what``."""
    try:
        async with asyncio.timeout(_SECONDS):
            while not (found := holds()):  # noqa: ASYNC110 - what a widget shows has no event
                await asyncio.sleep(0.02)
    except TimeoutError as error:
        raise TimeoutError(f"The window did not show {what}.") from error
    return found


async def take(app: Any, out: Path, language: str) -> None:
    """Play and take the pictures of one language into ``out``."""
    from PySide6.QtWidgets import QLabel

    from actions.client.aio import AsyncClient
    from actions.client.launch import HostStarter
    from actions.storage.paths import Paths
    from desktop.app.application import Application
    from desktop.app.remote import RemoteBackend
    from desktop.demo.command import SPOKEN
    from desktop.demo.report import Report
    from desktop.demo.sound import Recording
    from desktop.demo.story import Story
    from desktop.demo.workspace import make_workspace
    from desktop.notifications.toasts import Toast
    from desktop.theme.colors import SchemeName
    from desktop.theme.theme import Theme
    from desktop.voicebar.local import local_voice

    paths = Paths.from_environment()
    client = AsyncClient(
        str(paths.socket_file),
        surface="ui",
        label="window",
        language="zh" if language.startswith("zh") else "en",
        start=HostStarter(paths, os.environ).start,
    )
    backend = RemoteBackend(client)
    theme = Theme(app, SchemeName.LIGHT)
    application = Application(theme, backend)
    recording = await asyncio.to_thread(Recording, SPOKEN)
    voice = local_voice(
        client,
        paths,
        language="en",
        session=application.session_in_front,
        workspace=application.workspace_in_front,
        microphone=lambda _: recording,
    )
    application.attach_voice(voice)
    window = application.window
    suffix = "" if language == "en" else "-zh"

    async def shot(name: str) -> None:
        for toast in window.findChildren(Toast):
            toast.hide()  # what was done a moment ago is not what the picture is about
        for _ in range(20):
            await asyncio.sleep(0.02)
        window.grab().save(str(out / f"{name}{suffix}.png"))

    class Shown(Report):
        """The demo's own moments under the names that the docs use."""

        def picture(self, window: Any, name: str) -> None:
            named = {"card": "voice-card", "inbox": "inbox"}.get(name)
            if named is not None:
                for _ in range(3):
                    app.processEvents()
                window.grab().save(str(out / f"{named}{suffix}.png"))

    try:
        window.resize(*_SIZE)
        application.open()
        backend.open({"ui.open": application.answer_open})
        voice.warm()
        workspace = make_workspace(Path(os.environ["SAYSO_HOME"]) / "orchard-shop")
        await until(
            lambda: not any(one.text().endswith("…") for one in window.start_page.findChildren(QLabel)), "what is here"
        )
        if language == "en":
            await shot("first-run")
            await Story(application, voice, client, Shown(None, sys.stderr)).play(workspace.resolve())
            application.open_pane("runs")
            await shot("runs")
        given = {"provider": "builtin", "workspace": str(workspace), "title": "Discounts"}
        given |= {"initial_message": _PROMPT}
        answer = await client.execute("session.spawn_new", given)
        if not answer.get("ok"):
            raise RuntimeError(f"No session: {answer}")
        application.open_pane("session", answer["data"]["id"])
        await until(lambda: len(window.transcript) >= 2, "the answer")
        await until(lambda: window.transcript[len(window.transcript) - 1].text, "its text")
        await shot("window-light" if language == "en" else "window")
        if language != "en":
            return
        theme.choose(SchemeName.DARK)
        await shot("window-dark")
        theme.choose(SchemeName.LIGHT)
        application.open_pane("launcher")
        await shot("launcher")
        window.launcher.close_launcher()
        for page in ("settings.mcp", "settings.actions"):
            application.open_pane(page)
            await shot(page.replace(".", "-"))
    finally:
        await client.call("host.stop", {"surface": "ui"})
        await voice.close()
        await application.close()
        await backend.close()


def one(out: Path, language: str) -> int:
    """The pictures of one language, in this process."""
    from desktop.app.loop import AppLoop
    from desktop.app.qt import qt_application
    from desktop.i18n import install

    app = qt_application()
    install(app, language)
    with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
        runner.run(take(app, out, language))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "docs" / "pictures")
    parser.add_argument("--language", choices=_LANGUAGES, help="one language only, in this process")
    given = parser.parse_args()
    out = given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    if given.language:
        return one(out, given.language)
    for language in _LANGUAGES:
        with tempfile.TemporaryDirectory(prefix="sayso-pictures-") as home:
            environment = {**os.environ, "SAYSO_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
            environment.pop("SAYSO_AGENT_MODEL", None)
            command = [sys.executable, __file__, "--out", str(out), "--language", language]
            if subprocess.run(command, env=environment, check=False).returncode:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
