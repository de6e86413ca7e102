"""The checks, in the order in which things depend on each other."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from actions.cli.commands import load
from actions.cli.doctor.check import Check
from actions.cli.doctor.endpoints import model_endpoints
from actions.cli.doctor.probe import command, look, quiet
from actions.cli.invocation import Invocation
from actions.errors import SaysoError
from actions.storage.paths import Paths

if TYPE_CHECKING:
    from pathlib import Path

_LEAST_SPACE = 200 * 1024 * 1024
_AGAIN = "Install Sayso again: make setup, or pip install --force-reinstall sayso"
_LIBRARIES = (
    ("library: host", "pydantic, starlette, uvicorn, sqlalchemy, alembic, acp, httpx2, psutil", _AGAIN),
    ("library: MCP", "fastmcp", _AGAIN),
    (
        "library: window",
        "PySide6.QtCore, PySide6.QtGui, PySide6.QtWidgets, qasync",
        "Install what Qt needs, on Debian: apt install libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1",
    ),
    ("library: audio", "sounddevice", "Install PortAudio, on Debian: apt install libportaudio2"),
    ("library: speech", "faster_whisper, av, soxr", _AGAIN),
)


def everything(call: Invocation) -> list[Check]:
    """All checks. Slow ones run side by side, each in a process of its own."""
    environ = quiet(call.environ)
    paths = Paths.from_environment(call.environ)
    jobs: list[Callable[[], Check | list[Check]]] = [
        _python,
        _git,
        lambda: _home(paths),
        # One after the other: a host that is just starting may be making the database.
        lambda: [*_host_and_providers(call, paths), database(paths)],
        *(_library(name, modules, fix, environ) for name, modules, fix in _LIBRARIES),
        lambda: _display(environ),
        lambda: _microphone(environ),
        lambda: _speech_model(environ),
        lambda: model_endpoints(call.environ),
    ]
    with ThreadPoolExecutor(max_workers=4) as pool:
        found = list(pool.map(_unharmed, jobs))
    return [check for part in found for check in (part if isinstance(part, list) else [part])]


def _unharmed(job: Callable[[], Check | list[Check]]) -> Check | list[Check]:
    try:
        return job()
    except (OSError, SaysoError) as error:
        return Check("a check", False, f"A check itself failed: {error}", "Report this with the line above.")


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    sayso = load().version
    ok = sys.version_info >= (3, 11)
    return Check(
        "sayso", ok, f"Sayso {sayso}, Python {version}, {sys.executable}", "" if ok else "Sayso needs Python 3.11."
    )


def _git() -> Check:
    git = shutil.which("git")
    if git is None:
        return Check("git", False, "git was not found.", "Install git; reviews and plans read the repository with it.")
    said = subprocess.run([git, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout.strip()
    return Check("git", True, said)


def _home(paths: Paths) -> Check:
    try:
        paths.ensure()
        for folder in (paths.config, paths.data, paths.state, paths.cache):
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"sayso")
    except (OSError, SaysoError) as error:
        message = error.message if isinstance(error, SaysoError) else str(error)
        return Check("home", False, message, "Make it writable, or set SAYSO_HOME to a folder that is.")
    free = shutil.disk_usage(paths.data).free
    detail = f"{paths.data} is writable, {free // 2**20} MB free"
    if free < _LEAST_SPACE:
        return Check("home", False, detail, "Make room on this disk: sessions are stored there.")
    return Check("home", True, detail)


def database(paths: Paths) -> Check:
    """Whether the home's database can be read and is whole."""
    file: Path = paths.database_file
    if not file.exists():
        return Check("database", True, f"{file} does not exist yet; it is made at the first start")
    try:
        connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=5)
        try:
            said = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
            revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        return Check(
            "database", False, f"{file}: {error}", f"Stop the host; a copy from {paths.backups} can take its place."
        )
    size = file.stat().st_size // 1024
    detail = f"{file}, {size} kB, revision {revision[0] if revision else 'none'}"
    if said != "ok":
        return Check("database", False, f"{file} is damaged: {said}", f"Copy one of {paths.backups} over it.")
    return Check("database", True, detail)


def _host_and_providers(call: Invocation, paths: Paths) -> list[Check]:
    """The host is started when none runs: that it can be is the check."""
    log = f"Its log: {paths.logs / 'host.log'}"
    try:
        host = call.host()
        status = host.call("host.status", {"surface": "cli"}, repeatable=True)["data"]
        providers = call.execute("providers.list", {}, effect="read", host=host)
    except SaysoError as error:
        return [Check("host", False, error.message, f"{log}. Then try: sayso host"), _unknown_providers()]
    detail = f"process {status['pid']}, version {status['version']}, {status['agents']} agents"
    ours = load().version
    fix = "" if status["version"] == ours else f"It is of another version than this command ({ours}): sayso host stop"
    found = [Check("host", not fix, detail, fix, status)]
    problems: list[str] = [*status.get("problems", []), *providers["problems"]]
    found += [
        Check("settings", False, problem, "Correct the file; what it says is not used until then.")
        for problem in problems
    ]
    return [*found, _providers(providers["providers"])]


def _providers(providers: list[dict[str, Any]]) -> Check:
    here = [p["id"] for p in providers if p["installed"]]
    missing = [p["id"] for p in providers if not p["installed"]]
    detail = f"installed: {', '.join(here) or 'none'}"
    if missing:
        detail += f"; not installed: {', '.join(missing)}"
    return Check(
        "providers",
        bool(here),
        detail,
        "How to install one: sayso providers list" if missing else "",
        {"providers": providers},
    )


def _unknown_providers() -> Check:
    return Check("providers", False, "Not known: the host does not run.", "Get the host to run first.")


def _library(name: str, modules: str, fix: str, environ: Mapping[str, str]) -> Callable[[], Check]:
    code = (
        f"import json, importlib\nfor m in {modules.split(', ')!r}: importlib.import_module(m)\nprint(json.dumps({{}}))"
    )

    def check() -> Check:
        seen = look(code, environ)
        return Check(
            name,
            seen.data is not None,
            modules if seen.data is not None else seen.why,
            "" if seen.data is not None else fix,
        )

    return check


_DISPLAY = """
import json
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
screen = app.primaryScreen()
size = screen.size().toTuple() if screen else (0, 0)
print(json.dumps({"platform": app.platformName(), "width": size[0], "height": size[1]}))
"""


def _display(environ: Mapping[str, str]) -> Check:
    named = [
        f"{name}={environ[name]}" for name in ("WAYLAND_DISPLAY", "DISPLAY", "QT_QPA_PLATFORM") if environ.get(name)
    ]
    if not named and sys.platform == "linux":
        return Check(
            "display",
            False,
            "No screen: neither DISPLAY nor WAYLAND_DISPLAY is set.",
            "Open the app in a desktop session. Commands work without a screen.",
        )
    seen = look(_DISPLAY, environ)
    if seen.data is None:
        fix = "On Debian: apt install libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxkbcommon-x11-0"
        return Check("display", False, f"{', '.join(named)}: {seen.why}", fix)
    return Check("display", True, "{platform}, {width} x {height}".format(**seen.data), data=seen.data)


def _microphone(environ: Mapping[str, str]) -> Check:
    seen = command(["voice", "devices"], environ)
    if seen.data is None or not seen.data.get("ok"):
        why = seen.why or str((seen.data or {}).get("error", {}).get("message", ""))
        return Check("microphone", False, why, "Install PortAudio, on Debian: apt install libportaudio2")
    data: dict[str, Any] = seen.data["data"]
    if data.get("state") != "ok":
        fix = "Everything but voice works without one."
        return Check("microphone", False, str(data.get("message")), fix, data)
    names = [str(device["name"]) for device in data["devices"]]
    return Check("microphone", True, ", ".join(names), data=data)


_SPEECH = """
import json
from actions.errors import SaysoError
from actions.storage.paths import Paths
from voice.recognition.models import choose_model
try:
    m = choose_model(cache=Paths.from_environment().models)
    found = {"name": m.name, "folder": str(m.folder), "language": m.language, "verified": m.verified, "note": m.note}
    print(json.dumps(found))
except SaysoError as error:
    print(json.dumps({"error": error.message}))
"""


def _speech_model(environ: Mapping[str, str]) -> Check:
    seen = look(_SPEECH, environ)
    if seen.data is None or "error" in seen.data:
        why = seen.why or str((seen.data or {})["error"])
        return Check("speech model", False, why, "Install the models: pip install 'sayso[models]'")
    note = f", {seen.data['note']}" if seen.data["note"] else ""
    return Check("speech model", True, f"{seen.data['name']} ({seen.data['language']}){note}", data=seen.data)
