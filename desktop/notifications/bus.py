"""The notifications of a Linux desktop, over D-Bus.

Source: Desktop Notifications Specification 1.2 (freedesktop.org), ``org.freedesktop.Notifications``.
"""

from __future__ import annotations

import asyncio
import html
import logging
from contextlib import AsyncExitStack
from typing import Any, cast

from jeepney import DBusAddress, DBusErrorResponse, MatchRule, Message, message_bus, new_method_call
from jeepney.io.asyncio import DBusRouter, open_dbus_router
from jeepney.io.common import RouterClosed
from jeepney.wrappers import unwrap_msg

from actions.tasks import TaskOwner
from desktop.notifications.outlet import Clicked
from desktop.notifications.words import Words

_log = logging.getLogger(__name__)
_NAME = "org.freedesktop.Notifications"
_SERVER = DBusAddress("/org/freedesktop/Notifications", bus_name=_NAME, interface=_NAME)
_DESKTOP_ENTRY = "sayso"
_ANSWER_SECONDS = 5.0
_UNTIL_CLOSED, _AS_USUAL = 0, -1
_CLICK = "default"
_FAILURES = (OSError, EOFError, KeyError, ValueError, StopIteration, TimeoutError, RouterClosed, DBusErrorResponse)
"""No bus, no server on it, one that went away or does not answer: then another outlet shows it."""


class BusOutlet:
    """Implements :class:`~desktop.notifications.outlet.Outlet`. Connects at the first notification."""

    def __init__(self) -> None:
        self._clicked: Clicked = lambda id: None
        self._router: DBusRouter | None = None
        self._connection = AsyncExitStack()
        self._tasks = TaskOwner("notifications.bus")
        self._one = asyncio.Lock()
        self._numbers: dict[str, int] = {}
        self._abilities: frozenset[str] = frozenset()

    def listen(self, clicked: Clicked) -> None:
        self._clicked = clicked

    async def show(self, id: str, words: Words, *, waits: bool) -> bool:
        async with self._one:
            try:
                router = await self._connect()
                self._numbers[id] = await self._notify(router, self._numbers.get(id, 0), words, waits=waits)
            except _FAILURES as failure:
                _log.info("the desktop shows no notifications: %s", failure)
                await self._disconnect()
                return False
        return True

    async def withdraw(self, id: str) -> None:
        async with self._one:
            number = self._numbers.pop(id, None)
            if number is None or self._router is None:
                return
            try:
                await self._call(self._router, "CloseNotification", "u", (number,))
            except _FAILURES as failure:  # a server may say that it is gone already
                _log.debug("notification %s: %s", number, failure)

    async def close(self) -> None:
        for id in list(self._numbers):
            await self.withdraw(id)
        await self._disconnect()
        await self._tasks.close()

    async def _connect(self) -> DBusRouter:
        if self._router is not None:
            return self._router
        async with asyncio.timeout(_ANSWER_SECONDS):
            router = cast("DBusRouter", await self._connection.enter_async_context(open_dbus_router(bus="SESSION")))
        heard: asyncio.Queue[Message] = asyncio.Queue()
        for member in ("ActionInvoked", "NotificationClosed"):
            rule = MatchRule(type="signal", interface=_NAME, member=member)
            unwrap_msg(await self._reply(router, message_bus.AddMatch(rule)))
            self._connection.enter_context(router.filter(rule, queue=heard))
        (abilities,) = await self._call(router, "GetCapabilities")
        self._abilities = frozenset(abilities)
        self._router = router
        self._tasks.start(self._listen(heard), name="listen")
        return router

    async def _disconnect(self) -> None:
        self._router = None
        self._numbers.clear()
        connection, self._connection = self._connection, AsyncExitStack()
        try:
            await connection.aclose()
        except _FAILURES as failure:
            _log.debug("closing the bus: %s", failure)

    async def _notify(self, router: DBusRouter, replaces: int, words: Words, *, waits: bool) -> int:
        # A server that knows markup reads it in the body, and in the body only.
        body = html.escape(words.body, quote=False) if "body-markup" in self._abilities else words.body
        actions = [_CLICK, ""] if "actions" in self._abilities else []
        hints: dict[str, Any] = {"desktop-entry": ("s", _DESKTOP_ENTRY), "category": ("s", "im.received")}
        expires = _UNTIL_CLOSED if waits else _AS_USUAL
        arguments = ("Sayso", replaces, _DESKTOP_ENTRY, words.title, body, actions, hints, expires)
        (number,) = await self._call(router, "Notify", "susssasa{sv}i", arguments)
        return int(number)

    async def _listen(self, heard: asyncio.Queue[Message]) -> None:
        while True:
            number, what = (await heard.get()).body
            id = next((id for id, known in self._numbers.items() if known == number), None)
            if id is None:
                continue  # of another program
            if what == _CLICK:
                self._clicked(id)
            elif isinstance(what, int):  # closed, with the reason
                self._numbers.pop(id, None)

    async def _call(
        self, router: DBusRouter, method: str, signature: str = "", arguments: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        reply = await self._reply(router, new_method_call(_SERVER, method, signature or None, arguments))
        return cast("tuple[Any, ...]", unwrap_msg(reply))

    async def _reply(self, router: DBusRouter, message: Message) -> Message:
        async with asyncio.timeout(_ANSWER_SECONDS):
            return await router.send_and_get_reply(message)
