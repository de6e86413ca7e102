"""What is told of an agent that takes long to start: what it is waited for, and since when."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 10.0
"""Seconds that a start may take before anybody is told that it goes on."""
_AGAIN_S = 2.0


class SlowStart:
    """The watch over one start. ``told`` gets the seconds and the words, again and again from ``patience`` on."""

    def __init__(self, name: str, told: Callable[[float, str], None], patience: float = PATIENCE_S) -> None:
        self._name = name
        self._told = told
        self._patience = patience
        self._began = time.monotonic()
        self._step: str | None = None

    def waits(self, step: str) -> None:
        """The agent was just asked ``step`` (ACP 1, a method's name) and has to answer."""
        self._step = step

    @property
    def reason(self) -> dict[str, Any] | None:
        """What to tell a person, with the facts for other words; None while it takes no longer than is usual."""
        if self._seconds < self._patience:
            return None
        facts = {"provider": self._name, "step": self._step or "", "seconds": f"{self._seconds:.0f}"}
        return {"code": "slow_start", "message": self._say(), "facts": facts}

    async def watch(self) -> None:
        """Tell until cancelled."""
        await asyncio.sleep(self._began + self._patience - time.monotonic())
        while True:
            self._told(self._seconds, self._say())
            await asyncio.sleep(_AGAIN_S)

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _say(self) -> str:
        what = "prepares its start" if self._step is None else f"waits for the answer of {self._name} to {self._step}"
        return f"Still starting: {what}, {self._seconds:.0f} s"
