"""The connection over real pipes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from actions.agent.acp.link import Refused
from tests.actions.agent.acp.client import Pipes


def ask(pipes: Pipes, method: str = "x/ask") -> asyncio.Task[Any]:
    return asyncio.create_task(pipes.link.call(method, {"a": 1}))


async def test_notifications_and_requests_keep_their_order(pipes: Pipes) -> None:
    for number in range(50):
        pipes.link.notify("x/tell", {"n": number})
    task = ask(pipes)
    told = [await pipes.next() for _ in range(51)]
    assert [message["params"].get("n") for message in told[:50]] == list(range(50))
    pipes.answer(told[50], {"ok": True})
    assert await task == {"ok": True}


async def test_half_a_surrogate_pair_goes_out_as_a_character(pipes: Pipes) -> None:
    pipes.link.notify("x/tell", {"text": "a\ud800b \ud83d\ude00 😀 \\ud800 é"})
    line = await asyncio.wait_for(pipes.reader.readline(), 30)
    assert json.loads(line)["params"]["text"] == "a\ufffdb 😀 😀 \\ud800 é"
    assert b"\\ufffd" in line


async def test_answers_go_to_their_requests_whatever_their_order(pipes: Pipes) -> None:
    first, second = ask(pipes), ask(pipes)
    one, two = await pipes.next(), await pipes.next()
    pipes.answer(two, "second")
    pipes.answer(one, "first")
    assert (await first, await second) == ("first", "second")


async def test_the_first_answer_counts_and_a_wrong_id_is_ignored(pipes: Pipes) -> None:
    task = ask(pipes)
    request = await pipes.next()
    for wrong in (request["id"] + 7, str(request["id"]), None, True, [1], {"x": 1}):
        pipes.send(id=wrong, result="wrong")
    pipes.answer(request, "first")
    pipes.answer(request, "second")
    assert await task == "first"


@pytest.mark.parametrize("error", [{"code": -32601, "message": "no such method"}, {"code": "odd"}, "text", 5])
async def test_an_error_of_any_shape_is_raised(pipes: Pipes, error: object) -> None:
    task = ask(pipes)
    pipes.send(id=(await pipes.next())["id"], error=error)
    with pytest.raises(Refused):
        await task


async def test_a_cancelled_request_is_taken_back_and_its_late_answer_ignored(pipes: Pipes) -> None:
    task = ask(pipes)
    request = await pipes.next()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    taken_back = await pipes.next()
    assert (taken_back["method"], taken_back["params"]) == ("$/cancel_request", {"requestId": request["id"]})
    pipes.answer(request, "late")
    other = ask(pipes)
    pipes.answer(await pipes.next(), "good")
    assert await other == "good"


async def test_a_client_that_is_gone_ends_every_request(pipes: Pipes) -> None:
    task = ask(pipes)
    await pipes.next()
    pipes.hang_up()
    with pytest.raises(ConnectionError):
        await task
    with pytest.raises(ConnectionError):
        await pipes.link.call("x/ask", {})


async def test_what_the_client_asks_is_handed_on(pipes: Pipes) -> None:
    pipes.send(id=1, method="session/new", params={})
    task = ask(pipes)
    pipes.answer(await pipes.next(), None)
    await task
    assert [message["method"] for message in pipes.requests] == ["session/new"]
