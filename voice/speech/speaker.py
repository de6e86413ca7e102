"""Speaks through a program that the machine has: the platform's speech, else espeak-ng; silent where there is none."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Callable, Sequence
from typing import Any

from actions.tasks import TaskOwner
from voice.speech.aloud import aloud

_PROGRAMS: Sequence[tuple[str, Callable[[str], list[str]]]] = (
    ("say", lambda language: ["-v", "Tingting"] if language == "zh" else []),
    ("spd-say", lambda language: ["--wait", "--language", language, "--"]),
    ("espeak-ng", lambda language: ["-v", "cmn" if language == "zh" else "en", "--"]),
)
"""In the order in which they are preferred, with their arguments before the text."""
LONGEST_S = 30.0
"""Seconds; a program that hangs must not keep the microphone deaf."""


class Speaker:
    """One sentence at a time; a newer one, or :meth:`quiet`, ends the one before."""

    def __init__(self, find: Callable[[str], str | None] = shutil.which) -> None:
        self._find = find
        self._process: asyncio.subprocess.Process | None = None
        self._tasks = TaskOwner("speaker")

    @property
    def speaking(self) -> bool:
        """Whether something is being said: what the microphone hears now is us."""
        return self._process is not None and self._process.returncode is None

    def able(self) -> bool:
        """Whether this machine can speak."""
        return any(self._find(name) for name, _ in _PROGRAMS)

    async def say(self, text: str, language: str = "en") -> None:
        """Say what of ``text`` may be heard, and return when it was said or was ended. Raises nothing: a machine that
        cannot speak is silent.
        """
        self.quiet()
        spoken = aloud(text, language)
        for name, arguments in _PROGRAMS:
            program = self._find(name)
            if program is not None and spoken:
                await self._run([program, *arguments("zh" if language.startswith("zh") else "en"), spoken])
                return

    def quiet(self) -> None:
        """End what is being said."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            if (dispatcher := self._find("spd-say")) is not None:  # it speaks on without the program that asked
                self._tasks.start(self._silence(dispatcher), name="silence")

    async def close(self) -> None:
        """Be quiet, and end what ends it."""
        self.quiet()
        await self._tasks.close()

    async def _silence(self, dispatcher: str) -> None:
        process = await asyncio.create_subprocess_exec(dispatcher, "--cancel", stderr=asyncio.subprocess.DEVNULL)
        await process.wait()

    async def _run(self, argv: list[str]) -> None:
        nothing: Any = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(*argv, stdin=nothing, stdout=nothing, stderr=nothing)
        except OSError:
            return
        self._process = process
        try:
            async with asyncio.timeout(LONGEST_S):
                await process.wait()
        except TimeoutError:
            pass
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            if self._process is process:
                self._process = None
