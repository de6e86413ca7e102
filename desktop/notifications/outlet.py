"""Where notifications are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from desktop.notifications.words import Words

Clicked = Callable[[str], None]
"""Gets the id of the notification that was clicked."""


class Outlet(Protocol):
    """One place. Ids are those of :class:`actions.catalog.notification.Notification`."""

    def listen(self, clicked: Clicked) -> None:
        """Tell of clicks from now on."""
        ...

    async def show(self, id: str, words: Words, *, waits: bool) -> bool:
        """Show one, in the place of an earlier one of its id, until it was seen where it ``waits``. False: not here."""
        ...

    async def withdraw(self, id: str) -> None:
        """Take one back; harmless when it is gone."""
        ...

    async def close(self) -> None:
        """Take all back, for nobody would hear a click."""
        ...
