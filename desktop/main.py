"""``sayso desktop``: opens the window on this home's host."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from actions.storage.paths import Paths
    from desktop.app.arguments import Arguments

_USAGE = """usage: sayso desktop [--language LANGUAGE] [--theme THEME] [--new-window]

Opens the window, or brings the one that is open to the front; with --new-window another one on the same host. It
starts a host when none runs; closing the window leaves sessions running.
"""


def run(argv: Sequence[str], ctx: Any = None) -> int:
    """Open the window with ``argv`` (without "desktop") and return the exit code when it is closed.

    A second start on one home brings the first window to the front and ends. Without a display: one line on stderr that
    names the fix, exit code 1. With ``--json`` one document on stdout at the end.
    """
    from actions.errors import SaysoError
    from desktop.app.arguments import read_arguments

    arguments = read_arguments(argv, _USAGE)
    if isinstance(arguments, int):
        return arguments
    try:
        data = _open(arguments)
    except SaysoError as error:
        if arguments.json:
            _print({"ok": False, "error": error.as_json()})
        else:
            sys.stderr.write(f"{error.message}\n")
        return 1
    if arguments.json:
        _print({"ok": True, "kind": "desktop", "data": data})
    elif data["raised"]:
        sys.stdout.write("Sayso is open already; its window was brought to the front.\n")
    return 0


def _open(arguments: Arguments) -> dict[str, Any]:
    """Be the window of this home until it is closed, or raise the one that is."""
    from actions.errors import SaysoError
    from actions.storage.paths import Paths
    from desktop.app.display import missing_display
    from desktop.app.single import WindowLock, raise_first

    paths = Paths.from_environment()
    with WindowLock(paths.state / "window.lock") as lock:
        if not lock.acquire() and not arguments.new_window:
            return {"raised": True, **raise_first(paths, os.environ)}
        if (problem := missing_display(os.environ)) is not None:
            raise SaysoError(problem)
        from desktop.app.loop import AppLoop
        from desktop.app.preferences import scale_window
        from desktop.app.qt import qt_application

        scale_window(paths)
        app = qt_application()
        with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
            runner.run(_main(app, paths, arguments.language, arguments.theme))
    return {"raised": False, "pid": os.getpid()}


def _print(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")


async def _main(app: QApplication, paths: Paths, language: str | None, theme_name: str | None) -> None:
    from actions.client.aio import AsyncClient
    from actions.client.launch import HostStarter
    from desktop.app.another import open_another
    from desktop.app.application import Application
    from desktop.app.crash import CrashReports
    from desktop.app.preferences import read_preferences
    from desktop.app.remote import RemoteBackend
    from desktop.app.single import RAISE
    from desktop.i18n import install, resolve
    from desktop.launcher.recent import Recent
    from desktop.notifications.places import outlets
    from desktop.theme.theme import Theme
    from desktop.voicebar.local import local_voice

    preferences = read_preferences(paths, language=language, theme=theme_name)
    install(app, preferences.language)
    theme = Theme(
        app,
        preferences.theme,
        high_contrast=preferences.high_contrast,
        size=preferences.font_size,
        reduced_motion=preferences.reduced_motion,
    )
    client = AsyncClient(
        str(paths.socket_file),
        surface="ui",
        label="window",
        language=resolve(preferences.language),
        start=HostStarter(paths, os.environ).start,
    )
    backend = RemoteBackend(client)
    application = Application(theme, backend, outlets(theme))
    application.launcher.recent = Recent(paths.state / "launcher.json")
    application.window.drafts.keep_in(paths.state / "drafts.json")
    voice = local_voice(
        client,
        paths,
        language=resolve(preferences.language),
        session=application.session_in_front,
        workspace=application.workspace_in_front,
    )
    application.attach_voice(voice)
    application.window.another_asked.connect(lambda: open_another(sys.argv))
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
                **application.offers(),
                RAISE: application.answer_raise,
                "voice.listen.start": voice.answer_start,
                "voice.listen.stop": voice.answer_stop,
            }
        )
        voice.warm()
        await application.closed
    finally:
        await voice.close()
        await application.close()
        await backend.close()
        crashes.remove()
