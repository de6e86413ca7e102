"""Another window on the same host: a process of its own, so that one that crashes leaves the other."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtCore import QProcess


def command(argv: Sequence[str], executable: str, *, frozen: bool) -> list[str]:
    """How this window was started, for one more."""
    own = [argv[0]] if frozen else [executable, argv[0]]
    return [*own, "desktop", "--new-window"]


def open_another(argv: Sequence[str]) -> bool:
    """Start it, and let go of it; whether that worked."""
    program, *arguments = command(argv, sys.executable, frozen=bool(getattr(sys, "frozen", False)))
    started, _ = QProcess.startDetached(program, arguments)
    return started
