"""What the demo tells: a line a step while it goes, and at the end what truly happened."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from PySide6.QtWidgets import QApplication, QWidget

from actions.errors import SaysoError

STEPS = 8


@dataclass
class Report:
    """Numbers and prints the steps; takes pictures of the window into ``shots`` where that is wanted."""

    shots: Path | None
    out: TextIO = sys.stdout
    started: float = field(default_factory=time.monotonic)
    step: int = 0
    pictures: list[str] = field(default_factory=list[str])

    def done(self, what: str, more: str = "") -> None:
        """A step that truly happened."""
        self.step += 1
        seconds = time.monotonic() - self.started
        self.out.write(f"[{self.step}/{STEPS}] {seconds:5.1f} s  {what}\n")
        for line in more.splitlines():
            self.out.write(f"{'':15}{line}\n")
        self.out.flush()

    def picture(self, window: QWidget, name: str) -> None:
        """Save the window as it is on the screen. Raises SaysoError where the picture cannot be written."""
        if self.shots is None:
            return
        for _ in range(3):
            QApplication.processEvents()
        file = self.shots / f"{len(self.pictures) + 1}-{name}.png"
        if not window.grab().save(str(file)):
            raise SaysoError(f"The picture {file} cannot be written. Give a folder that you may write to.")
        self.pictures.append(str(file))


def expect(condition: object, problem: str, **details: Any) -> None:
    """Raise SaysoError when a step did not truly happen."""
    if not condition:
        raise SaysoError(problem, details=details)
