import asyncio
import gc
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktop.app.crash import CrashReports


async def test_slots_callbacks_and_lost_tasks_end_in_one_report(tmp_path: Path, qtbot: QtBot) -> None:
    told: list[str] = []
    loop = asyncio.get_running_loop()
    crashes = CrashReports(tmp_path / "logs", told.append)
    crashes.install(loop)
    try:
        QTimer.singleShot(0, lambda: 1 / 0)
        loop.call_soon(lambda: list[int]().pop())

        async def lost() -> None:
            raise KeyError("lost")

        task = loop.create_task(lost())
        await asyncio.wait([task])
        del task
        gc.collect()
        async with asyncio.timeout(30):
            while len(told) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    finally:
        crashes.remove()
        loop.set_exception_handler(None)
    reports = "".join(path.read_text() for path in (tmp_path / "logs").iterdir())
    for name in ("ZeroDivisionError", "IndexError", "KeyError"):
        assert name in reports
        assert any(text.startswith(name) for text in told)
    assert sys.excepthook is not crashes._on_exception
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "logs").iterdir())


def test_a_folder_that_cannot_be_written_is_survived(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    told: list[str] = []
    assert CrashReports(file / "logs", told.append).report(ValueError("x"), "here") is None
    assert told == ["ValueError: x"]
