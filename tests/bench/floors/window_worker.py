"""A real window, offscreen, on the host of SAYSO_HOME. Run by tests.bench.sessions; prints its figures as JSON.

``open SESSION...``: ms from choosing each session to its first painted rows. ``watch SESSION SECONDS``: how late a
10 ms timer of the window fires while that session streams, and the same of a bare Qt program beforehand.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from PySide6.QtCore import Qt, QTimer

from actions.client.aio import AsyncClient
from actions.storage.paths import Paths
from desktop.app.application import Application
from desktop.app.loop import AppLoop
from desktop.app.qt import qt_application
from desktop.app.remote import RemoteBackend
from desktop.theme.theme import Theme


class Lateness:
    """How late a 10 ms timer is, in milliseconds, one number a shot."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._shot)

    def start(self) -> None:
        self._last = time.perf_counter()
        self._timer.start(10)

    def stop(self) -> float:
        """The 99th percentile."""
        self._timer.stop()
        return sorted(self.late)[int(0.99 * (len(self.late) - 1))]

    def _shot(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, (now - self._last) * 1000 - 10))
        self._last = now


async def opened(application: Application, session_id: str) -> float:
    """Milliseconds until the newest row of a session is painted."""
    window = application.window
    started = time.perf_counter()
    application.sessions.open(session_id)
    view = window.session_page.transcript
    while not (len(window.transcript) and view.isVisible() and view.card(len(window.transcript) - 1)):
        await asyncio.sleep(0)
        if time.perf_counter() - started > 60:
            raise RuntimeError(f"{session_id} does not open")
    window.repaint()
    return (time.perf_counter() - started) * 1000


async def main(theme: Theme, what: str, *given: str) -> dict[str, object]:
    bare, floor = Lateness(), 0.0
    if what == "watch":
        bare.start()
        await asyncio.sleep(3)
        floor = bare.stop()
    paths = Paths.from_environment(os.environ)
    client = AsyncClient(str(paths.socket_file), surface="ui", label="window")
    backend = RemoteBackend(client)
    application = Application(theme, backend)
    try:
        application.open()
        backend.open({})
        while application.sessions.current is None:  # noqa: ASYNC110 - the window tells nobody
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        if what == "open":
            return {"open": [await opened(application, session_id) for session_id in given]}
        await opened(application, given[0])
        shown = Lateness()
        shown.start()
        await asyncio.sleep(float(given[1]))
        return {"p99": shown.stop(), "floor": floor, "rows": len(application.window.transcript)}
    finally:
        await application.close()
        await backend.close()


if __name__ == "__main__":
    app = qt_application()
    with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
        print(json.dumps(runner.run(main(Theme(app), *sys.argv[1:]))))
