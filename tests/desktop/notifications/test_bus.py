"""Notifications over a real message bus, to a server that speaks the specification's words and nothing more."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    message_bus,
    new_error,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.io.asyncio import DBusConnection, open_dbus_connection

from desktop.notifications.bus import BusOutlet
from desktop.notifications.words import Words
from tests.desktop.conftest import Eventually

NAME = "org.freedesktop.Notifications"
HERE = DBusAddress("/org/freedesktop/Notifications", interface=NAME)
_SIGNATURES = {"Notify": "u", "GetCapabilities": "as", "CloseNotification": None}
HELLO = Words("Fix the login", "Claude asks for permission: run <b>a</b> & more")

pytestmark = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="needs the package dbus-daemon")


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    config = tmp_path / "bus.conf"
    config.write_text(
        f"<busconfig><type>session</type><listen>unix:path={tmp_path}/bus</listen>"
        '<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>'
        '<allow own="*"/></policy></busconfig>'
    )
    command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"]
    daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert daemon.stdout is not None
    address = daemon.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    yield address
    daemon.terminate()
    daemon.wait()
    daemon.stdout.close()


class Server:
    """A notification server; ``notified`` are the arguments of each Notify, ``closed`` the numbers that were closed."""

    def __init__(self, connection: DBusConnection, abilities: list[str]) -> None:
        self._connection = connection
        self._abilities = abilities
        self.notified: list[tuple[Any, ...]] = []
        self.closed: list[int] = []

    async def begin(self) -> None:
        await self._connection.send(message_bus.RequestName(NAME))
        while True:
            message = await self._connection.receive()
            if message.header.message_type is MessageType.method_call:
                await self._answer(message)

    async def signal(self, member: str, signature: str, *body: Any) -> None:
        await self._connection.send(new_signal(HERE, member, signature, body))

    async def _answer(self, message: Message) -> None:
        member = message.header.fields[HeaderFields.member]
        match member:
            case "GetCapabilities":
                body: tuple[Any, ...] = (self._abilities,)
            case "Notify":
                self.notified.append(message.body)
                body = (message.body[1] or len(self.notified) + 6,)
            case "CloseNotification":
                self.closed.append(message.body[0])
                body = ()
            case _:
                await self._connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
                return
        await self._connection.send(new_method_return(message, _SIGNATURES[member], body))


@pytest.fixture
async def server(bus: str, request: pytest.FixtureRequest) -> AsyncIterator[Server]:
    connection = await open_dbus_connection("SESSION")
    found = Server(connection, getattr(request, "param", ["body", "actions", "body-markup"]))
    serving = asyncio.create_task(found.begin())
    asking = await open_dbus_connection("SESSION")
    while True:  # until the name is there
        await asking.send(new_method_call(message_bus, "NameHasOwner", "s", (NAME,)))
        if (await asking.receive()).body == (True,):
            break
    await asking.close()
    yield found
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await connection.close()


@pytest.fixture
async def outlet() -> AsyncIterator[BusOutlet]:
    outlet = BusOutlet()
    yield outlet
    await outlet.close()


async def test_one_is_shown_replaced_clicked_and_taken_back(
    server: Server, outlet: BusOutlet, eventually: Eventually
) -> None:
    clicks: list[str] = []
    outlet.listen(clicks.append)
    assert await outlet.show("n1", HELLO, waits=True)
    assert await outlet.show("n2", Words("Other", "Codex is done"), waits=False)
    assert await outlet.show("n1", HELLO, waits=True)
    first, second, again = server.notified
    assert first[0] == "Sayso"
    assert first[3:6] == (
        "Fix the login",
        "Claude asks for permission: run &lt;b&gt;a&lt;/b&gt; &amp; more",
        ["default", ""],
    )
    assert (first[1], second[1], again[1]) == (0, 0, 7), "the third takes the place of the first"
    assert (first[7], second[7]) == (0, -1), "what waits for an answer stays"
    await server.signal("ActionInvoked", "us", 99, "default")  # of another program
    await server.signal("ActionInvoked", "us", 8, "default")
    await eventually(lambda: clicks == ["n2"])
    await outlet.withdraw("n1")
    assert server.closed == [7]
    await server.signal("NotificationClosed", "uu", 8, 2)
    await eventually(lambda: not outlet._numbers)  # what it would else try to close
    await outlet.withdraw("n2")
    assert server.closed == [7]


@pytest.mark.parametrize("server", [["body"]], indirect=True)
async def test_a_server_without_markup_gets_the_text_as_it_is(server: Server, outlet: BusOutlet) -> None:
    assert await outlet.show("n1", HELLO, waits=False)
    assert server.notified[0][4:6] == (HELLO.body, [])


async def test_where_nobody_serves_another_outlet_has_to(bus: str, outlet: BusOutlet) -> None:
    assert not await outlet.show("n1", HELLO, waits=False)


async def test_without_a_bus_another_outlet_has_to(outlet: BusOutlet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    assert not await outlet.show("n1", HELLO, waits=False)
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    assert not await outlet.show("n1", HELLO, waits=False)
    await outlet.withdraw("n1")


async def test_a_server_that_comes_later_is_found(bus: str, outlet: BusOutlet, eventually: Eventually) -> None:
    assert not await outlet.show("n1", HELLO, waits=False)
    connection = await open_dbus_connection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    server = Server(connection, ["body", "actions"])
    serving = asyncio.create_task(server.begin())
    async with asyncio.timeout(20):
        while not await outlet.show("n1", HELLO, waits=False):  # noqa: ASYNC110  # the bus tells nobody of it
            await asyncio.sleep(0.05)
    assert len(server.notified) == 1
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await connection.close()
