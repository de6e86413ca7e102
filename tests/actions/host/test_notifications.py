"""What a person is told who is not looking, through a real host and the event stream that a window hears."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from actions.client.aio import AsyncClient
from tests.running_host import RunningHost, running_host

SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("telling") / "home"
    (home.parent / "repo").mkdir()
    (home / "config").mkdir(parents=True)
    row = f'[providers.scripted]\nname = "Scripted"\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n'
    (home / "config" / "providers.toml").write_text(row)
    return home


@pytest.fixture(scope="module")
def host(home: Path) -> Iterator[RunningHost]:
    with running_host(home) as running:
        yield running


class Listener:
    """The events that a window would hear of notifications."""

    def __init__(self, host: RunningHost) -> None:
        self.client = AsyncClient(host.socket_file, surface="ui")
        self.told: list[dict[str, Any]] = []
        self.ended: list[str] = []

    def take(self, event: Any) -> None:
        if event["type"] == "notification":
            self.told.append(dict(event["data"]))
        elif event["type"] == "notification_did_end":
            self.ended.append(event["data"]["id"])

    async def shows(self, session_id: str, *, focused: bool) -> None:
        params = {"window": self.client.window, "surface": "ui", "showing": session_id, "focused": focused}
        await self.client.call("window.showing", params)

    def of(self, session_id: str) -> list[tuple[str, str | None]]:
        return [(told["kind"], told["tool"]) for told in self.told if told["session_id"] == session_id]


@contextlib.asynccontextmanager
async def listening(host: RunningHost) -> AsyncIterator[Listener]:
    listener = Listener(host)
    connected = asyncio.Event()
    hearing = asyncio.create_task(
        listener.client.events(listener.take, on_line=lambda line, reason: connected.set(), handlers={})
    )
    try:
        await asyncio.wait_for(connected.wait(), 30)
        yield listener
    finally:
        hearing.cancel()
        await asyncio.gather(hearing, return_exceptions=True)
        await listener.client.close()


async def until(look: Callable[[], Any]) -> Any:
    async with asyncio.timeout(30):
        while not (found := look()):  # noqa: ASYNC110  # the host says nothing when it says nothing
            await asyncio.sleep(0.02)
    return found


def session(host: RunningHost, title: str) -> str:
    workspace = str(host.home.parent / "repo")
    return host.done("session.spawn_new", provider="scripted", workspace=workspace, title=title)["id"]


def say(host: RunningHost, session_id: str, text: str) -> None:
    host.done("session.message.send", session_id=session_id, message=text)


def settle(host: RunningHost, session_id: str) -> None:
    host.done("session.wait", session_id=session_id, until="idle", timeout_s=30)


async def test_a_permission_is_told_by_tool_and_session_and_taken_back_with_its_answer(host: RunningHost) -> None:
    async with listening(host) as window:
        one = session(host, "Clean up")
        say(host, one, "permission")
        await until(lambda: window.of(one))
        (told,) = window.told
        assert (told["kind"], told["tool"], told["session_title"]) == ("permission", "execute", "Clean up")
        assert "rm -rf" not in json.dumps(told)
        assert str(host.home.parent) not in json.dumps(told)
        (row,) = host.done("inbox.list", session_id=one)["rows"]
        assert told["request_id"] == row["id"]
        host.done("session.permission.respond", request_id=row["id"], decision="allow")
        settle(host, one)
        await until(lambda: len(window.told) == 2)
        assert window.ended == [told["id"]]
        assert window.of(one)[1] == ("done", None)


async def test_questions_ends_and_failures_are_told(host: RunningHost) -> None:
    async with listening(host) as window:
        asks, dies = session(host, "Asks"), session(host, "Dies")
        say(host, asks, "question")
        say(host, dies, "exit")
        await until(lambda: window.of(asks) and window.of(dies))
        assert [window.of(asks), window.of(dies)] == [[("question", None)], [("failed", None)]]


async def test_nothing_is_told_of_a_session_only_while_its_window_has_the_keyboard(host: RunningHost) -> None:
    async with listening(host) as window:
        seen, other = session(host, "Seen"), session(host, "Other")
        await window.shows(seen, focused=True)
        for one in (seen, other):
            say(host, one, "hello")
            settle(host, one)
        await until(lambda: window.of(other))
        assert window.of(seen) == []
        await window.shows(seen, focused=False)
        say(host, seen, "hello")
        await until(lambda: window.of(seen))


async def test_each_kind_has_its_setting(host: RunningHost) -> None:
    async with listening(host) as window:
        quiet = session(host, "Quiet")
        settings = host.home / "config" / "settings.toml"
        before = settings.read_text() if settings.exists() else ""
        settings.write_text(f"{before}\n[notifications]\ndone = false\n")
        try:
            say(host, quiet, "hello")
            settle(host, quiet)
            say(host, quiet, "question")
            await until(lambda: window.of(quiet))
            assert window.of(quiet) == [("question", None)]
        finally:
            settings.write_text(before)


async def test_what_an_agent_asks_of_us_is_told_and_not_again_by_the_next_host(host: RunningHost, home: Path) -> None:
    one, other = session(host, "Asker"), session(host, "Its victim")
    say(host, one, "env")
    settle(host, one)
    said = host.done("session.transcript.get", session_id=one, kinds=["agent"])["events"]
    token = json.loads("".join(event["data"]["text"] for event in said))["SAYSO_TOKEN"]
    async with listening(host) as window:
        given = {"action": "session.delete", "surface": "session_agent", "input": {"session_id": other}}
        asked = await asyncio.to_thread(lambda: host.call("execute", token=token, **given))
        assert asked["outcome"] == "pending", asked
        own = host.run("session.delete", session_id=one)
        assert own["outcome"] == "pending", own
        await until(lambda: window.of(one))
        (told,) = [told for told in window.told if told["kind"] == "permission"]
        assert (told["request_id"], told["session_id"]) == (asked["data"]["approval_id"], one)
        assert told["action"] == {"en": "Delete a session for good", "zh": "永久删除会话"}
    host.end(signal.SIGKILL)
    with running_host(home) as again:
        async with listening(again) as window:
            last = session(again, "Last")
            say(again, last, "hello")
            await until(lambda: window.of(last))
            assert [told["session_id"] for told in window.told] == [last]
            rows = again.done("inbox.list")["rows"]
            assert {asked["data"]["approval_id"], own["data"]["approval_id"]} <= {row["id"] for row in rows}
