"""What is installed: looked up on the PATH that the user's own terminal has, never on the event loop."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path

from actions.sessions.groups import end_members
from actions.sessions.lookup import find_program, python_of
from actions.sessions.provider import Provider

_SHELL_SECONDS = 5.0
_VERSION_SECONDS = 10.0
_VERSION_FRESH = 600.0
_MARK = "__sayso_path__"


class Detection:
    """Finds programs and asks them for their versions; remembers both for a while."""

    def __init__(self) -> None:
        self._path: str | None = None
        self._asking = asyncio.Lock()
        self._versions: dict[tuple[str, ...], tuple[float, str | None]] = {}
        self._one_at_a_time = asyncio.Semaphore(2)

    async def search_path(self) -> str:
        """The PATH for agents: this environment's own, then what a login shell adds. Asked once."""
        async with self._asking:
            if self._path is None:
                command = login_shell(os.environ)
                output = await _output(command, _SHELL_SECONDS, dict(os.environ)) if command else ""
                found = next((line for line in output.splitlines() if line.startswith(_MARK)), _MARK)
                self._path = _joined(os.environ.get("PATH", os.defpath), found[len(_MARK) :])
            return self._path

    async def find(self, program: str) -> str | None:
        """The file that ``program`` is, None where there is none."""
        path = await self.search_path()
        return await asyncio.to_thread(find_program, program, path)

    async def version(self, provider: Provider) -> str | None:
        """What the version command prints last; None without one, or where it fails or takes over ten seconds."""
        return await self._ask(provider.version_command) if provider.version_command else None

    async def node(self) -> str | None:
        """What the first Node on the PATH says its version is."""
        return await self._ask(("node", "--version"))

    async def python(self, program: str) -> str | None:
        """What the Python that ``program`` is a script for says its version is; None for any other program."""
        if (file := await self.find(program)) is None:
            return None
        interpreter = python_of(await asyncio.to_thread(_head, file))
        return await self._ask((*interpreter, "--version")) if interpreter else None

    async def _ask(self, command: tuple[str, ...]) -> str | None:
        if (program := await self.find(command[0])) is None:
            return None
        async with self._one_at_a_time:  # a list of all providers must not start a dozen of them at once
            known = self._versions.get(command)
            if known is None or time.monotonic() - known[0] > _VERSION_FRESH:
                env = {**os.environ, "PATH": await self.search_path(), "NO_COLOR": "1"}
                output = await _output([program, *command[1:]], _VERSION_SECONDS, env)
                line = output.strip().splitlines()[-1].strip()[:80] if output.strip() else None
                known = self._versions[command] = (time.monotonic(), line)
        return known[1]

    def forget(self) -> None:
        """Look again next time, after the user installed something."""
        self._path = None
        self._versions.clear()


def login_shell(environ: Mapping[str, str], *, windows: bool = os.name == "nt") -> list[str] | None:
    """The command that prints the PATH of the user's login shell behind a mark; None where there is no such shell."""
    if windows:
        return None  # a process there has the PATH of the user's settings
    return [environ.get("SHELL") or "/bin/sh", "-lc", f'printf "%s%s\\n" {_MARK} "$PATH"']


def _head(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(1024)
    except OSError:
        return b""


async def _output(argv: list[str], seconds: float, env: dict[str, str]) -> str:
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=env,
            start_new_session=True,
        )
    except OSError:
        return ""
    try:
        stdout, _ = await asyncio.wait_for(process.communicate(), seconds)
    except TimeoutError:
        return ""
    finally:
        await asyncio.shield(end_members(process.pid, term_wait=0.5))
        await process.wait()
    return stdout.decode("utf-8", "replace")


def _joined(*paths: str) -> str:
    parts = [part for path in paths for part in path.split(os.pathsep) if part]
    return os.pathsep.join(dict.fromkeys(parts))
