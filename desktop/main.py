"""``sayso desktop``: opens the window on this home's host."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from actions.storage.paths import Paths

_USAGE = """usage: sayso desktop [--language LANGUAGE] [--theme THEME]

Opens the window. It starts a host when none runs; closing the window leaves sessions running.
"""


def run(argv: Sequence[str], ctx: Any = None) -> int:
    """Open the window with ``argv`` (without "desktop") and return the exit code when it is closed.

    Without a display: one line on stderr that names the fix, exit code 1.
    """
    from actions.storage.paths import Paths
    from desktop.app.arguments import read_arguments
    from desktop.app.display import missing_display
    from desktop.app.qt import qt_application

    arguments = read_arguments(argv, _USAGE)
    if isinstance(arguments, int):
        return arguments
    problem = missing_display(os.environ)
    if problem is not None:
        sys.stderr.write(f"{problem}\n")
        return 1
    app = qt_application()
    paths = Paths.from_environment()

    from desktop.app.loop import AppLoop

    with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
        return runner.run(_main(app, paths, arguments.language, arguments.theme))


async def _main(app: QApplication, paths: Paths, language: str | None, theme_name: str | None) -> int:
    from actions.client.aio import AsyncClient
    from actions.client.launch import HostStarter
    from desktop.app.application import Application
    from desktop.app.crash import CrashReports
    from desktop.app.preferences import read_preferences
    from desktop.app.remote import RemoteBackend
    from desktop.i18n import install, resolve
    from desktop.theme.theme import Theme
    from desktop.voicebar.local import local_voice

    preferences = read_preferences(paths, language=language, theme=theme_name)
    install(app, preferences.language)
    theme = Theme(app, preferences.theme)
    client = AsyncClient(
        str(paths.socket_file),
        surface="ui",
        label="window",
        language=resolve(preferences.language),
        start=HostStarter(paths, os.environ).start,
    )
    backend = RemoteBackend(client)
    application = Application(theme, backend)
    voice = local_voice(
        client,
        paths,
        language=resolve(preferences.language),
        session=application.session_in_front,
        workspace=application.workspace_in_front,
    )
    application.attach_voice(voice)
    loop = asyncio.get_running_loop()
    crashes = CrashReports(paths.logs, application.window.banner.show_error)
    crashes.install(loop)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, application.end)
    try:
        application.open()
        if preferences.problem:
            application.window.banner.show_error(preferences.problem)
        backend.open(
            {
                "ui.open": application.answer_open,
                "voice.listen.start": voice.answer_start,
                "voice.listen.stop": voice.answer_stop,
            }
        )
        voice.warm()
        await application.closed
        return 0
    finally:
        await voice.close()
        await application.close()
        await backend.close()
        crashes.remove()
