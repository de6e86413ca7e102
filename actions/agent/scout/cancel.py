"""Cooperative cancelling: the scout works in a thread and looks up between two files."""

from __future__ import annotations

import threading


class ScoutCancelled(Exception):
    """The work was cancelled; nothing of it is kept."""


class Cancel:
    """Set from any thread; :meth:`check` raises :class:`ScoutCancelled` in the working one."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    @property
    def is_set(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        if self._event.is_set():
            raise ScoutCancelled
