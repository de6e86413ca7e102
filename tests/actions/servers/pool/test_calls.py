"""Calls to servers that answer late, wrongly, in pieces or never again."""

from __future__ import annotations

import asyncio
import json
import math
import time
from typing import Any

import pytest

from actions.errors import NotFound
from actions.servers.pool.definition import Limits
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import CallTimeout, Reason, ServerError, State
from actions.servers.pool.surroundings import Surroundings
from tests.actions.servers.pool.conftest import SHORT, Settled, stdio, until


def text(result: Any) -> str:
    return "".join(block.get("text", "") for block in result.content)


async def test_a_call_gives_what_the_server_gave(settled: Settled, pool: Pool) -> None:
    await settled(stdio())
    assert text(await pool.call("bad", "ok", {"a": "x"})) == "ok"
    with pytest.raises(NotFound, match=r"There is no MCP server 'other' here\. Known: bad"):
        await pool.call("other", "ok", {})


async def test_a_server_that_dies_in_a_call_is_started_again_at_the_next(settled: Settled, pool: Pool) -> None:
    first = await settled(stdio())
    with pytest.raises(ServerError) as raised:
        await pool.call("bad", "die", {})
    assert raised.value.failure.reason is Reason.PROCESS_EXITED
    assert raised.value.failure.exit_code == 139
    assert "segfault soon" in raised.value.failure.tail
    await until(lambda: pool.snapshot().servers[0].state is State.FAILED)
    assert len(pool.snapshot().servers[0].tools) == 19
    assert text(await pool.call("bad", "ok", {})) == "ok"
    row = pool.snapshot().servers[0]
    assert (row.state, row.starts) == (State.CONNECTED, 2)
    assert row.pid != first.pid


async def test_silence_ends_a_call_and_the_session_stays(settled: Settled, pool: Pool) -> None:
    row = await settled(stdio(limits=SHORT))
    started = time.monotonic()
    with pytest.raises(CallTimeout, match=r"given up after 1\.5 s without a sign of life"):
        await pool.call("bad", "hangcall", {})
    assert 1.4 < time.monotonic() - started < SHORT.call
    assert text(await pool.call("bad", "ok", {})) == "ok"
    assert pool.snapshot().servers[0].pid == row.pid


async def test_progress_resets_the_idle_limit(settled: Settled, pool: Pool) -> None:
    await settled(stdio(limits=Limits(connect=50.0, idle=2.5)))  # it says five notes, 0.6 s apart
    seen: list[tuple[float, float | None, str | None]] = []
    result = await pool.call("bad", "progress", {}, lambda *note: seen.append(note))
    assert text(result) == "done"
    assert seen == [(float(k), 5.0, f"m{k}") for k in range(5)]
    with pytest.raises(CallTimeout):
        await pool.call("bad", "slow", {})


async def test_progress_does_not_move_the_hard_limit(settled: Settled, pool: Pool) -> None:
    await settled(stdio(limits=Limits(connect=50.0, idle=1.5, hard=1.8)))
    started = time.monotonic()
    with pytest.raises(CallTimeout, match=r"after more than 1\.8 s"):
        await pool.call("bad", "progress", {})
    assert time.monotonic() - started > 1.7


async def test_a_cancelled_call_is_cancelled_at_the_server(settled: Settled, pool: Pool) -> None:
    await settled(stdio(env={"TRACE": "1"}))
    call = asyncio.create_task(pool.call("bad", "hangcall", {}))
    await until(lambda: "hangcall" in pool.snapshot().servers[0].tail)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await until(lambda: "notifications/cancelled" in pool.snapshot().servers[0].tail)
    assert text(await pool.call("bad", "ok", {})) == "ok"


async def test_many_calls_beside_one_that_hangs(settled: Settled, pool: Pool) -> None:
    await settled(stdio(limits=Limits(connect=50.0, idle=4.0)))
    hanging = asyncio.create_task(pool.call("bad", "hangcall", {}))
    results = await asyncio.gather(*(pool.call("bad", "ok", {}) for _ in range(50)))
    assert {text(result) for result in results} == {"ok"}
    with pytest.raises(CallTimeout):
        await hanging


async def test_a_tools_own_error_is_no_timeout_of_ours(settled: Settled, pool: Pool) -> None:
    await settled(stdio())
    result = await pool.call("bad", "iserror", {})
    assert result.is_error
    assert text(result) == "it failed: the request timed out upstream"
    with pytest.raises(ServerError, match="custom failure") as raised:
        await pool.call("bad", "rpcerror", {})
    assert not isinstance(raised.value, CallTimeout)
    assert raised.value.failure.reason is Reason.SERVER_ERROR


@pytest.mark.parametrize(
    ("tool", "words", "structured"),
    [("structured", "n=1", {"n": 1}), ("structured_bad", "n=x", {"n": "x"}), ("structured_missing", "n=1", None)],
)
async def test_wrong_structured_content_does_not_lose_the_text(
    settled: Settled, pool: Pool, tool: str, words: str, structured: object
) -> None:
    await settled(stdio())
    result = await pool.call("bad", tool, {})
    assert (text(result), result.structured) == (words, structured)


async def test_unknown_and_old_results_arrive(settled: Settled, pool: Pool) -> None:
    await settled(stdio())
    assert (await pool.call("bad", "badcontent", {})).content == ({"type": "hologram", "x": 1},)
    assert text(await pool.call("bad", "oldresult", {})) == "old style"


async def test_large_results_arrive_whole(settled: Settled, pool: Pool) -> None:
    await settled(stdio())
    assert len(text(await pool.call("bad", "big", {}))) == 5_000_000
    image = (await pool.call("bad", "image", {})).content[0]
    assert image["mimeType"] == "image/png"
    assert len(image["data"]) > 2_600_000


async def test_junk_around_an_answer_is_flagged(settled: Settled, pool: Pool) -> None:
    await settled(stdio())
    assert text(await pool.call("bad", "stdoutjunk", {})) == "after junk"
    assert pool.snapshot().servers[0].warnings == (
        "It writes to stdout, which belongs to the protocol: 'DEBUG: calling'",
    )


async def test_a_server_that_closes_its_output_is_ended(settled: Settled, pool: Pool) -> None:
    await settled(stdio())
    with pytest.raises(ServerError, match="ended during the call") as raised:
        await pool.call("bad", "closeout", {})
    assert raised.value.failure.reason is Reason.PROCESS_EXITED
    await until(lambda: pool.snapshot().servers[0].state is State.FAILED)
    assert text(await pool.call("bad", "ok", {})) == "ok"


async def test_a_changed_list_is_read_again(settled: Settled, pool: Pool) -> None:
    await settled(stdio(limits=Limits(connect=50.0, idle=2.5)))  # it says five notes, 0.6 s apart
    seen: list[int] = []
    pool.watch(lambda row: seen.append(len(row.tools)))
    assert (await pool.call("bad", "changed", {})).content == ()
    await until(lambda: 20 in seen)
    assert pool.snapshot().servers[0].tools[-1].name == "newtool"


async def test_a_server_gets_none_of_our_keys() -> None:
    given = {
        "OPENAI_API_KEY": "k",
        "ANTHROPIC_API_KEY": "k",
        "SAYSO_TOKEN": "k",
        "UV_PUBLISH_TOKEN": "k",
        "LANG": "C.UTF-8",
    }
    own = Pool(Surroundings({**given, "PATH": "/usr/bin:/bin", "HOME": "/root"}))
    try:
        own.start([stdio(env={"MINE": "1"})])
        names = json.loads(text(await own.call("bad", "env", {})))
    finally:
        await own.close()
    assert set(names) - {"LC_CTYPE"} == {"PATH", "HOME", "LANG", "MINE", "SAYSO_MCP_SERVER"}


@pytest.mark.parametrize(
    ("tool", "expected"), [("strid", "ok"), ("twice", "ok"), ("crlf", "crlf"), ("badutf8", "caf\ufffd"), ("ok", "ok")]
)
async def test_odd_encodings_of_an_answer(settled: Settled, pool: Pool, tool: str, expected: str) -> None:
    await settled(stdio("", script="bad_encoding.py"))
    assert text(await pool.call("bad", tool, {})) == expected
    assert text(await pool.call("bad", "ok", {})) == "ok"


async def test_an_answer_that_cannot_be_read_costs_its_own_call_only(settled: Settled, pool: Pool) -> None:
    await settled(stdio("", script="bad_encoding.py", limits=Limits(connect=50.0, idle=4.0)))
    with pytest.raises(ServerError, match="could not be read") as raised:
        await pool.call("bad", "surrogate", {})
    assert not isinstance(raised.value, CallTimeout)
    with pytest.raises(CallTimeout):
        await pool.call("bad", "wrongid", {})
    assert math.isnan((await pool.call("bad", "nan", {})).structured["x"])
    assert text(await pool.call("bad", "ok", {})) == "ok"
