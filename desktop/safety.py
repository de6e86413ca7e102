"""Answers that cannot be given by accident."""

from __future__ import annotations

import time
from collections.abc import Callable

SETTLE_SECONDS = 0.4  # a person needs that long to see what came up under the cursor


class SafeAnswer:
    """Guards the answer of one request at a time: what has just come up cannot be answered, and nothing twice.

    A click meant for what was there before, and the second half of a double click, fall into nothing.
    """

    def __init__(self, settle: float = SETTLE_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._settle = settle
        self._clock = clock
        self._shown: str | None = None
        self._since = 0.0
        self._answered: str | None = None

    def show(self, request_id: str | None) -> None:
        """``request_id`` is on the screen now; showing the same one again does not start its time anew."""
        if request_id != self._shown:
            self._shown = request_id
            self._since = self._clock()

    def ready(self) -> bool:
        return self._shown is not None and self._clock() - self._since >= self._settle

    def take(self, request_id: str) -> bool:
        """True once for each request, when it has been visible long enough."""
        if request_id != self._shown or not self.ready() or request_id == self._answered:
            return False
        self._answered = request_id
        return True

    def give_back(self, request_id: str) -> None:
        """The answer did not arrive; it may be given again."""
        if self._answered == request_id:
            self._answered = None
