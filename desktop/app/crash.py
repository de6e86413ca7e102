"""One place for errors that nobody caught: slots, callbacks and lost tasks all end here."""

from __future__ import annotations

import asyncio
import logging
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

_log = logging.getLogger(__name__)
Told = Callable[[str], None]


class CrashReports:
    """Writes a report a failure into ``folder`` and tells the user where it is. The app goes on."""

    def __init__(self, folder: Path, tell: Told) -> None:
        self._folder = folder
        self._tell = tell
        self._before = sys.excepthook

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        sys.excepthook = self._on_exception
        loop.set_exception_handler(self._on_context)

    def remove(self) -> None:
        sys.excepthook = self._before

    def report(self, error: BaseException, where: str) -> Path | None:
        """Store a report; None where it could not be stored."""
        text = f"{where}\n\n{''.join(traceback.format_exception(error))}"
        _log.error("%s", text)
        path = self._folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.txt"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_text(text, encoding="utf-8")
            path.chmod(0o600)
        except OSError as problem:
            _log.error("the crash report could not be stored: %s", problem)
            path = None
        self._tell(f"{type(error).__name__}: {error}" + (f" ({path})" if path else ""))
        return path

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            self._before(kind, error, trace)
        else:
            self.report(error, "In a slot of the window:")

    def _on_context(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        where = str(context.get("message") or "In the event loop:")
        if isinstance(error, BaseException) and not isinstance(error, asyncio.CancelledError):
            self.report(error, where)
        elif error is None:
            _log.warning("%s", where)
