"""The stream: in order, once each, over lines that are cut, hosts that end, and both event loops."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from actions.client.aio import AsyncClient, Event, Line
from actions.delivery.endpoint import local_app
from actions.delivery.events import EventHub
from actions.delivery.server import LocalServer, peer_of
from actions.delivery.windows import Windows
from actions.errors import ErrorCode, HostUnavailable, SaysoError
from actions.policy.presence import Claim, Peer
from actions.tasks import TaskOwner


class Side:
    """The host's side of the wire: the real endpoint and event hub; `execute` gives back its input."""

    def __init__(self, socket_file: Path) -> None:
        self.hub = EventHub()
        self.windows = Windows(self.hub)
        self.calls: list[dict[str, Any]] = []
        self._server = LocalServer(local_app(self._call, self.hub, peer_of, lambda: None), socket_file)
        self._serving: asyncio.Task[None] | None = None

    async def _call(
        self, method: str, params: Mapping[str, Any], peer: Peer, claim: Claim, token: str | None, *_: object
    ) -> dict[str, Any]:
        self.calls.append({"method": method, "token": token, **params})
        if method == "client.reply":
            self.windows.answered(params["call_id"], params["ok"], params.get("data") or {}, params.get("error"))
        return {"ok": True, "outcome": "completed", "kind": method, "data": params.get("input", {})}

    async def __aenter__(self) -> Side:
        self._serving = await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.hub.close()
        self._server.stop()
        assert self._serving is not None
        await self._serving
        self._server.remove()


class Wire:
    """A socket in front of the host's, whose connections can be cut in the middle of anything."""

    def __init__(self, front: Path, back: Path) -> None:
        self._front = front
        self._back = back
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks = TaskOwner("wire")

    async def __aenter__(self) -> Wire:
        self._server = await asyncio.start_unix_server(self._joined, str(self._front))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        await self._tasks.close()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(str(self._back))
        except OSError:
            writer.transport.abort()
            return
        self._writers += [writer, far_writer]
        self._tasks.start(self._pass_on(reader, far_writer), name="to")
        self._tasks.start(self._pass_on(far_reader, writer), name="from")

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # A few bytes at a time, so that a cut falls into the middle of lines.
            while (piece := await reader.read(100)) and not writer.is_closing():
                writer.write(piece)
                await writer.drain()
            writer.close()
        except OSError:
            writer.transport.abort()


class Heard:
    """What a client was told."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.lines: list[Line] = []

    def event(self, event: Event) -> None:
        self.numbers.append(event["data"]["number"])

    def line(self, line: Line, reason: str) -> None:
        self.lines.append(line)


async def until(condition: Callable[[], bool], seconds: float = 40) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for is in another process or loop turn
            await asyncio.sleep(0.01)


@asynccontextmanager
async def listening(client: AsyncClient, heard: Heard, **more: Any) -> AsyncIterator[asyncio.Task[None]]:
    """A client that listens, connected; it is cancelled at the end."""
    owner = TaskOwner("test")
    task = owner.start(client.events(heard.event, on_line=heard.line, **more), name="events")
    await until(lambda: Line.CONNECTED in heard.lines)
    try:
        yield task
    finally:
        await owner.close()
        await client.close()


async def test_calls_and_what_they_carry(tmp_path: Path) -> None:
    async with Side(tmp_path / "s") as side:
        client = AsyncClient(str(tmp_path / "s"), surface="voice", label="bar", language="zh", token="t1")
        envelope = await client.execute("session.list", {"limit": 3}, workspace="/w", idempotency_key="k")
        await client.close()
    assert envelope == {"ok": True, "outcome": "completed", "kind": "execute", "data": {"limit": 3}}
    assert side.calls == [
        {
            "method": "execute",
            "token": "t1",
            "action": "session.list",
            "input": {"limit": 3},
            "surface": "voice",
            "workspace": "/w",
            "language": "zh",
            "idempotency_key": "k",
            "label": "bar",
        }
    ]


async def test_nothing_is_missed_or_repeated_when_the_line_is_cut(tmp_path: Path) -> None:
    heard = Heard()

    async def burst(side: Side, wire: Wire, first: int) -> None:
        connected = heard.lines.count(Line.CONNECTED)
        for number in range(first, first + 400):
            side.hub.publish("thing_did_happen", {"number": number, "text": "行\u2028" * 20})
        await until(lambda: len(heard.numbers) > first + 50)
        wire.cut()
        await until(lambda: heard.lines.count(Line.CONNECTED) == connected + 1)

    async with Side(tmp_path / "host") as side, Wire(tmp_path / "wire", tmp_path / "host") as wire:
        client = AsyncClient(str(tmp_path / "wire"), surface="ui")
        async with listening(client, heard):
            for first in range(0, 2000, 400):
                await burst(side, wire, first)
            await until(lambda: len(heard.numbers) >= 2000)
            await asyncio.sleep(0.1)
    assert heard.numbers == list(range(2000))
    assert Line.RESET not in heard.lines


async def test_another_host_means_to_start_over(tmp_path: Path) -> None:
    heard = Heard()
    client = AsyncClient(str(tmp_path / "s"), surface="ui")
    async with Side(tmp_path / "s") as first:
        owner = TaskOwner("test")
        owner.start(client.events(heard.event, on_line=heard.line), name="events")
        await until(lambda: Line.CONNECTED in heard.lines)
        first.hub.publish("x", {"number": 1})
        await until(lambda: heard.numbers == [1])
    async with Side(tmp_path / "s") as second:
        await until(lambda: Line.RESET in heard.lines)
        second.hub.publish("x", {"number": 2})
        await until(lambda: heard.numbers == [1, 2])
        await owner.close()
        await client.close()
    assert heard.lines[:2] == [Line.CONNECTED, Line.DISCONNECTED]
    assert heard.lines[-2:] == [Line.CONNECTED, Line.RESET]


async def test_the_host_asks_and_the_client_answers(tmp_path: Path) -> None:
    async def open_pane(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if arguments["target"] == "nowhere":
            raise SaysoError("There is no such pane.")
        if arguments["target"] == "bug":
            raise ZeroDivisionError
        return {"opened": arguments["target"]}

    async with Side(tmp_path / "s") as side:
        client = AsyncClient(str(tmp_path / "s"), surface="ui")
        async with listening(client, Heard(), handlers={"ui.open": open_pane}):
            assert await side.windows.call("ui.open", {"target": "inbox"}) == {"opened": "inbox"}
            for target, says in (("nowhere", "no such pane"), ("bug", "failed in the window")):
                with pytest.raises(SaysoError, match=says):
                    await side.windows.call("ui.open", {"target": target})
            with pytest.raises(SaysoError, match="No window is open"):
                await side.windows.call("voice.listen.start", {})


async def test_a_slow_handler_holds_up_nothing(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def slow(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        await release.wait()
        return {}

    heard = Heard()
    async with Side(tmp_path / "s") as side:
        client = AsyncClient(str(tmp_path / "s"), surface="ui")
        async with listening(client, heard, handlers={"slow": slow}), asyncio.TaskGroup() as group:
            asked: Awaitable[dict[str, Any]] = group.create_task(side.windows.call("slow", {}))
            await asyncio.sleep(0.05)
            side.hub.publish("x", {"number": 7})
            await until(lambda: heard.numbers == [7])
            release.set()
            assert await asked == {}


async def test_a_host_is_started_once_for_many_calls(tmp_path: Path) -> None:
    started: list[int] = []
    client = AsyncClient(str(tmp_path / "s"), surface="ui", start=lambda: started.append(1))
    calls = [client.execute("session.list", {}) for _ in range(5)]
    ended = await asyncio.gather(*calls, return_exceptions=True)
    await client.close()
    assert [type(error) for error in ended] == [HostUnavailable] * 5
    assert len(started) == 1


async def test_a_lost_answer_is_unknown(tmp_path: Path) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.transport.abort()

    server = await asyncio.start_unix_server(hang_up, str(tmp_path / "s"))
    client = AsyncClient(str(tmp_path / "s"), surface="ui")
    with pytest.raises(SaysoError) as caught:
        await client.execute("session.stop", {})
    assert caught.value.code is ErrorCode.OUTCOME_UNKNOWN
    with pytest.raises(HostUnavailable):
        await client.execute("session.stop", {}, idempotency_key="k")
    await client.close()
    server.close()


_QT = """
import asyncio, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from actions.client.aio import AsyncClient
from tests.actions.client.test_aio import Heard, Side, listening, until

async def main(folder):
    heard = Heard()
    async with Side(folder / "s") as side:
        client = AsyncClient(str(folder / "s"), surface="ui")
        async with listening(client, heard):
            for number in range(500):
                side.hub.publish("x", {"number": number})
            assert (await client.execute("a.b", {"c": 1}))["data"] == {"c": 1}
            await until(lambda: len(heard.numbers) == 500)
    assert heard.numbers == list(range(500))
    print("fine")

app = QApplication([])
with QEventLoop(app) as loop:
    loop.run_until_complete(main(Path(sys.argv[1])))
"""


def test_the_same_under_qt(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    env = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", _QT, str(tmp_path)], capture_output=True, text=True, timeout=50, env=env, check=False
    )
    assert done.stdout == "fine\n", done.stderr
