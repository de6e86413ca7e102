"""When a request that failed is sent again: how long to wait, and when to give up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from actions.agent.loop.screen import Screen
from actions.agent.model.errors import ModelError, ModelErrorKind

LONGEST = 120.0
"""Seconds. A provider that names a longer time is not waited for: that is a person's decision."""
_BUSY = frozenset({ModelErrorKind.RATE_LIMIT, ModelErrorKind.OVERLOADED})
_JITTER = 0.2


@dataclass(frozen=True, slots=True)
class Waits:
    """``tries`` times the wait doubles, from ``first`` to at most ``most`` seconds, each a fifth more or less."""

    tries: int
    first: float
    most: float


_BROKEN = Waits(3, 0.3, 5.0)
"""A connection that broke, and every answer that broke off after calls had begun."""
_CROWDED = Waits(5, 1.0, 8.0)
"""A provider that takes no more at the moment and names no time: it needs longer, and everybody comes back at once.
Never so long that a session looks hung: a person sees something at least every ten seconds."""


class Patience:
    """For one request: told of each failure of it, waits, or raises the failure. A person is told of each wait."""

    def __init__(self, screen: Screen, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._screen, self._sleep = screen, sleep
        self._failed = 0

    async def after(self, error: ModelError, *, begun: bool = False) -> None:
        """Wait until the request may be sent again. ``begun``: calls of the answer had begun, so it must not be long
        until the next one, which takes over their results.

        Raises:
            ModelError: ``error``, where another try does not help, or enough of them did not.
        """
        waits = _CROWDED if error.kind in _BUSY and not begun else _BROKEN
        if not error.retryable or self._failed >= waits.tries:
            raise error
        named = error.retry_after or 0.0
        if named > LONGEST:
            raise ModelError(
                error.kind,
                f"{_sentence(error.fault)} It says to wait {timedelta(seconds=round(named))}. Send the prompt again "
                "then, or choose another model.",
                fault=error.fault,
                retry_after=named,
            ) from error
        wait = named or _wait(waits, self._failed)
        self._failed += 1
        self._screen.notice(f"{_sentence(error.fault)} Trying again in {wait:.1f} s ({self._failed} of {waits.tries}).")
        await self._sleep(wait)


def _wait(waits: Waits, failed: int) -> float:
    spread = random.uniform(1 - _JITTER, 1 + _JITTER)
    return min(waits.most, waits.first * 2**failed) * spread


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
