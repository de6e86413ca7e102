"""The command line of the demo: arguments, a home and a host of its own, and the window without a screen."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from actions.errors import ErrorCode, InvalidInput, SaysoError
from actions.storage.paths import Paths

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from actions.client.aio import AsyncClient
    from desktop.demo.story import Told

SPOKEN = Path(__file__).with_name("spoken.wav")
_USAGE = """usage: sayso demo [--audio WAV] [--workspace DIR] [--shots DIR] [--json]

The main job without a screen or a microphone: a spoken command becomes a finished plan run.

  --audio WAV      a recording of your own instead of the bundled one
  --workspace DIR  a repository of your own instead of the sample shop
  --shots DIR      save a picture of the window at each step
  --json           one JSON document on stdout, the story on stderr
"""


@dataclass(frozen=True)
class Arguments:
    audio: Path
    workspace: Path | None
    shots: Path | None
    json: bool


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]  # leaves by an exception of ours, not by exit()
        raise InvalidInput(
            f"sayso demo: {message}. See: sayso demo --help", [{"field": "arguments", "message": message}]
        )


def main(argv: Sequence[str]) -> int:
    """Run the demo. Exit codes: 0 each step happened, 1 one did not, 2 wrong usage, 130 interrupted."""
    if "--help" in argv or "-h" in argv:
        sys.stdout.write(_USAGE)
        return 0
    as_json = "--json" in argv
    try:
        arguments = _read(argv)
        told = _play(arguments, sys.stderr if as_json else sys.stdout)
    except SaysoError as error:
        if as_json:
            print(json.dumps({"ok": False, "error": error.as_json()}, ensure_ascii=False))
        else:
            print(f"The demo stopped: {error.message}", file=sys.stderr)
        return 2 if isinstance(error, InvalidInput) else 1
    if told is None:
        if as_json:
            interrupted = SaysoError("Interrupted.", code=ErrorCode.CANCELLED)
            print(json.dumps({"ok": False, "error": interrupted.as_json()}))
        return 130
    if as_json:
        print(json.dumps({"ok": True, "kind": "demo", "data": told.as_json()}, ensure_ascii=False))
    return 0


def _read(argv: Sequence[str]) -> Arguments:
    parser = _Parser(prog="sayso demo", add_help=False)
    parser.add_argument("--audio", type=Path, default=SPOKEN)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--json", action="store_true")
    found = parser.parse_args(list(argv))
    if not found.audio.is_file():
        raise InvalidInput(f"There is no recording {found.audio}.", [{"field": "audio", "message": "Give a WAV file."}])
    if found.workspace is not None and not found.workspace.is_dir():
        raise InvalidInput(
            f"There is no directory {found.workspace}.", [{"field": "workspace", "message": "Give a directory."}]
        )
    if found.shots is not None:
        try:
            found.shots.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"{found.shots} cannot be made: {error.strerror}.", [{"field": "shots", "message": "Give a folder."}]
            ) from error
    return Arguments(found.audio, found.workspace, found.shots, found.json)


def _play(arguments: Arguments, out: TextIO) -> Told | None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from desktop.app.display import missing_display

    if (problem := missing_display(os.environ)) is not None:
        raise SaysoError(problem)
    with tempfile.TemporaryDirectory(prefix="sayso-demo-") as folder, _home(Path(folder) / "home"):
        workspace = arguments.workspace
        if workspace is None:
            from desktop.demo.workspace import make_workspace

            workspace = make_workspace(Path(folder) / "orchard-shop")
        return _in_a_window(arguments, workspace.resolve(), out)


@contextmanager
def _home(throw_away: Path) -> Iterator[None]:
    """The home that SAYSO_HOME names, else one that is thrown away; and the scout, whatever model is set."""
    before = dict(os.environ)
    os.environ.setdefault("SAYSO_HOME", str(throw_away))
    os.environ.pop("SAYSO_AGENT_MODEL", None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _interruption_held_back() -> Iterator[None]:
    """Qt's bindings swallow a Ctrl+C that comes while they load, and are broken afterwards: it is taken when they are
    loaded.
    """
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def _in_a_window(arguments: Arguments, workspace: Path, out: TextIO) -> Told | None:
    try:
        with _interruption_held_back():
            from desktop.app.loop import AppLoop
            from desktop.app.qt import qt_application

            app = qt_application()
    except ImportError as error:
        raise SaysoError(f"The window cannot be loaded: {error}. See: sayso doctor") from error
    with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
        return runner.run(_until_told(app, arguments, workspace, out))


async def _until_told(app: QApplication, arguments: Arguments, workspace: Path, out: TextIO) -> Told | None:
    """Play the story, unless a signal ends it before."""
    loop = asyncio.get_running_loop()
    told = loop.create_task(_tell(app, arguments, workspace, out), name="demo.story")
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.cancel)
    await asyncio.wait({told})
    return None if told.cancelled() else told.result()


async def _tell(app: QApplication, arguments: Arguments, workspace: Path, out: TextIO) -> Told:
    from actions.client.aio import AsyncClient
    from actions.client.launch import HostStarter
    from desktop.app.application import Application
    from desktop.app.remote import RemoteBackend
    from desktop.demo.report import Report
    from desktop.demo.sound import Recording
    from desktop.demo.story import Story
    from desktop.theme.colors import SchemeName
    from desktop.theme.theme import Theme
    from desktop.voicebar.local import local_voice

    paths = Paths.from_environment()
    starter = HostStarter(paths, os.environ)
    ours = not paths.socket_file.exists()
    recording = await asyncio.to_thread(Recording, arguments.audio)
    client = AsyncClient(str(paths.socket_file), surface="ui", label="demo", start=starter.start)
    backend = RemoteBackend(client)
    application = Application(Theme(app, SchemeName.LIGHT), backend)
    voice = local_voice(
        client,
        paths,
        language="en",
        session=application.session_in_front,
        workspace=application.workspace_in_front,
        microphone=lambda _: recording,
    )
    application.attach_voice(voice)
    try:
        application.open()
        backend.open({"ui.open": application.answer_open})
        return await Story(application, voice, client, Report(arguments.shots, out)).play(workspace)
    finally:
        if ours:
            await _end_host(client)
        await voice.close()
        await application.close()
        await backend.close()


async def _end_host(client: AsyncClient) -> None:
    """The host that was started for the demo ends with it."""
    try:
        await client.call("host.stop", {"surface": "ui"})
    except SaysoError as error:
        print(f"The demo's host did not end: {error.message}", file=sys.stderr)
