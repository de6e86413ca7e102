"""The small parts between the pipe and the transcript."""

from __future__ import annotations

import asyncio
import contextlib
import os

import pytest

from actions.sessions.environment import build_environment
from actions.sessions.events import Draft, Kind, coalesce
from actions.sessions.intake import Intake
from actions.sessions.modes import ModeState
from actions.sessions.stderr_log import RING_BYTES, StderrLog
from actions.sessions.stdout_filter import read_line
from actions.sessions.transport import AgentTransport
from actions.sessions.updates import TEXT_LIMIT, UpdateReader
from tests.stopwatch import Stopwatch


@pytest.mark.parametrize(
    ("raw", "message", "noise"),
    [
        (b'{"a": 1}\n', {"a": 1}, ""),
        (b'  {"a": 1}\r\n', {"a": 1}, ""),
        (b'\x1b[32m{"a": 1}\n', {"a": 1}, ""),
        (b'\x1b]0;title\x07> {"a": 1}\n', {"a": 1}, ">"),
        (b'log: {"a": 1}\n', {"a": 1}, "log:"),
        (b'{"text": "\\u001b[1m{x}"}\n', {"text": "\x1b[1m{x}"}, ""),
        (b"[]\n", None, "[]"),
        (b'"x"\n', None, '"x"'),
        (b"1\n", None, "1"),
        (b"plain text {not json}\n", None, "plain text {not json}"),
        (b"\xff\xfe\n", None, "\ufffd\ufffd"),
        (b"\n", None, ""),
        (b"[" * 100_000 + b"\n", None, "[" * 100_000),
    ],
)
def test_only_objects_pass(raw: bytes, message: dict | None, noise: str) -> None:
    line = read_line(raw)
    assert (line.message, line.noise) == (message, noise)


async def test_a_transport_reads_long_lines_and_turns_ids_back() -> None:
    reader = asyncio.StreamReader(limit=1024)
    read_fd, write_fd = os.pipe()
    notes: list[dict] = []
    writer_transport, protocol = await asyncio.get_running_loop().connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(write_fd, "wb")
    )
    writer = asyncio.StreamWriter(writer_transport, protocol, None, asyncio.get_running_loop())
    ended: list[bool] = []
    transport = AgentTransport(
        reader, writer, on_notification=notes.append, on_noise=lambda _: None, on_end=lambda: ended.append(True)
    )
    big = "x" * 100_000
    reader.feed_data(b'{"method": "session/update", "params": {"n": 1}}\n')
    reader.feed_data(f'{{"id": "7", "result": "{big}"}}\n'.encode())
    reader.feed_data(b'{"id": "7", "method": "fs/read"}')
    reader.feed_eof()
    assert await transport.receive() == {"id": 7, "result": big}
    assert notes == [{"method": "session/update", "params": {"n": 1}}]
    assert await transport.receive() == {"id": "7", "method": "fs/read"}
    assert await transport.receive() is None
    assert ended == [True]
    os.close(read_fd)
    await asyncio.sleep(0.05)
    await asyncio.wait({asyncio.ensure_future(_send_until_it_breaks(transport))}, timeout=30)
    for _ in range(2):  # every time, at once; never a hang
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(transport.send({"id": 1}), 30)
    await transport.close()


async def _send_until_it_breaks(transport: AgentTransport) -> None:
    with contextlib.suppress(ConnectionError):
        while True:
            await transport.send({"id": 1})
            await asyncio.sleep(0)


def test_the_environment_lets_through_what_is_named() -> None:
    source = {
        "HOME": "/home/a",
        "LC_ALL": "de_DE.UTF-8",
        "OPENAI_API_KEY": "k",
        "AWS_SECRET_ACCESS_KEY": "s",
        "BASH_FUNC_x%%": "() { :; }",
        "SAYSO_TOKEN": "of another session",
    }
    env = build_environment(
        path="/bin", pass_through=["OPENAI_*"], own={"HOME": "/other"}, session={"SAYSO_SESSION_ID": "s"}, source=source
    )
    assert env == {
        "HOME": "/other",
        "LC_ALL": "de_DE.UTF-8",
        "OPENAI_API_KEY": "k",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "PATH": "/bin",
        "SAYSO_SESSION_ID": "s",
    }


def test_config_options_beat_modes() -> None:
    state = ModeState.from_response(
        {
            "modes": {"currentModeId": "old", "availableModes": [{"id": "old", "name": "Old"}]},
            "configOptions": [
                {
                    "id": "perm",
                    "category": "mode",
                    "type": "select",
                    "name": "Mode",
                    "currentValue": "ask",
                    "options": [
                        {"value": "ask", "name": "Ask"},
                        {"group": "g", "name": "More", "options": [{"value": "yolo", "name": "Yolo"}]},
                    ],
                },
                {"id": "model", "type": "select", "currentValue": "m1", "options": [{"value": "m1", "name": "M 1"}]},
                {"id": "ultra", "type": "boolean", "currentValue": False},
            ],
        }
    )
    assert (state.mode.current, [c.id for c in state.mode.choices], state.mode.config_id) == (
        "ask",
        ["ask", "yolo"],
        "perm",
    )
    assert (state.model.current, state.model.config_id) == ("m1", "model")
    # A legacy update does not count where there are options.
    assert state.after({"sessionUpdate": "current_mode_update", "currentModeId": "old"}) == state


def test_pieces_of_one_message_are_one_item_until_something_comes_between() -> None:
    reader = UpdateReader()
    reader.start_turn(1)
    text = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a"}}
    thought = {**text, "sessionUpdate": "agent_thought_chunk"}
    ids = [reader.read(update)[0].item_id for update in (text, text, thought, text)]
    assert ids[0] == ids[1]
    assert len({*ids}) == 3
    named = {**text, "messageId": "M"}
    assert reader.read(named)[0].item_id == "M"


def test_a_call_keeps_what_an_update_leaves_out() -> None:
    reader = UpdateReader()
    reader.read({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "Edit", "kind": "edit"})
    [draft] = reader.read({"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "in_progress"})
    assert draft.data == {"status": "in_progress"}
    assert reader.folded("c") == {"id": "c", "title": "Edit", "kind": "edit"}
    assert [d.item_id for d in reader.close_calls("unfinished")] == ["c"]
    assert reader.close_calls("unfinished") == []
    assert reader.read({"sessionUpdate": "tool_call_update", "status": "completed"}) == []


def test_a_huge_output_is_cut_and_says_so() -> None:
    update = {"sessionUpdate": "tool_call", "toolCallId": "c", "rawOutput": {"text": "x" * (TEXT_LIMIT + 5)}}
    [draft] = UpdateReader().read(update)
    assert draft.data["output"]["text"].endswith("(5 more characters were not kept)")


def test_neighbours_are_joined_and_order_is_kept() -> None:
    drafts = [
        Draft(Kind.AGENT, {"text": "a"}, "m"),
        Draft(Kind.AGENT, {"text": "b"}, "m"),
        Draft(Kind.THOUGHT, {"text": "c"}, "m"),
        Draft(Kind.AGENT, {"text": "d"}, "m"),
    ]
    assert [(d.kind, d.data["text"]) for d in coalesce(drafts)] == [("agent", "ab"), ("thought", "c"), ("agent", "d")]


async def test_an_urgent_entry_does_not_wait() -> None:
    intake: Intake[int] = Intake()
    loop = asyncio.get_running_loop()
    intake.put(1)
    started = loop.time()
    assert await intake.batch() == [1]
    assert 0.02 < loop.time() - started < 20
    intake.put(2)
    intake.put(3, urgent=True)
    took = Stopwatch()
    assert await intake.batch() == [2, 3]
    assert took.seconds < 0.02


def test_stderr_keeps_the_end_and_rotates(tmp_path) -> None:
    log = StderrLog(tmp_path / "x.log")
    for number in range(20):
        log.add(b"%d" % (number % 10) * 100_000)
    log.add(b"the end")
    assert log.tail(7) == "the end"
    assert len(log.tail(10 * RING_BYTES)) == RING_BYTES
    log.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.log", "x.log.1"]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2_300_000
