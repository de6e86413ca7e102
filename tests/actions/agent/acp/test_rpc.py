"""The client's requests: each is answered, whatever it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from pydantic import BaseModel

from actions.agent.acp.rpc import Refusal, Rpc
from tests.actions.agent.acp.client import Pipes


class Number(BaseModel):
    n: int


class Served:
    """A client that is served; ``heard`` are its notifications, ``cancelled`` the requests that it took back."""

    def __init__(self, pipes: Pipes) -> None:
        self.pipes = pipes
        self.heard: list[Any] = []
        self.cancelled: list[Any] = []

    async def double(self, params: Any) -> dict[str, Any]:
        return {"twice": Number.model_validate(params).n * 2}

    async def wait(self, params: Any) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.append(params)
            raise

    async def refuse(self, params: Any) -> None:
        raise Refusal(-32002, "Not here", {"why": 1})

    async def fail(self, params: Any) -> None:
        raise KeyError("broken")

    async def hear(self, params: Any) -> None:
        self.heard.append(Number.model_validate(params).n)

    async def ask(self, method: str, params: Any, number: Any = 1) -> dict[str, Any]:
        self.pipes.send(id=number, method=method, params=params)
        return await self.pipes.next()


@pytest_asyncio.fixture
async def served(silent: Pipes) -> AsyncIterator[Served]:
    made = Served(silent)
    requests = {"x/double": made.double, "x/wait": made.wait, "x/refuse": made.refuse, "x/fail": made.fail}

    async def ended() -> None:
        made.heard.append("end")

    serving = asyncio.create_task(Rpc(silent.link, requests, {"x/hear": made.hear}).serve(ended))
    yield made
    silent.hang_up()
    await serving
    assert made.heard[-1] == "end"


@pytest.mark.parametrize("number", [1, 0, "text", None, 1.5])
async def test_an_answer_has_the_id_of_its_request(served: Served, number: Any) -> None:
    assert await served.ask("x/double", {"n": 4}, number) == {"jsonrpc": "2.0", "id": number, "result": {"twice": 8}}


@pytest.mark.parametrize(
    ("method", "params", "code", "said"),
    [
        ("x/double", {"n": "many"}, -32602, "`n`"),
        ("x/double", {}, -32602, "`n`"),
        ("x/double", None, -32602, "params"),
        ("x/double", [1], -32602, "params"),
        ("x/dance", {}, -32601, "x/dance"),
        ("x/refuse", {}, -32002, "Not here"),
        ("x/fail", {}, -32603, "broken"),
    ],
)
async def test_what_cannot_be_done_is_an_error(served: Served, method: str, params: Any, code: int, said: str) -> None:
    error = (await served.ask(method, params))["error"]
    assert error["code"] == code
    assert said in error["message"]


async def test_a_request_that_waits_holds_no_other_back_and_can_be_taken_back(served: Served) -> None:
    served.pipes.send(id=7, method="x/wait", params={"a": 1})
    assert (await served.ask("x/double", {"n": 1}, 8))["id"] == 8
    for wrong in (None, 5, {}, {"requestId": [7]}, {"requestId": 99}):
        served.pipes.send(method="$/cancel_request", params=wrong)
    served.pipes.send(method="$/cancel_request", params={"requestId": 7})
    taken_back = await served.pipes.next()
    assert (taken_back["id"], taken_back["error"]["code"]) == (7, -32800)
    assert served.cancelled == [{"a": 1}]


async def test_notifications_are_heard_and_bad_ones_survived(served: Served) -> None:
    served.pipes.send(method="x/hear", params={"n": "no"})
    served.pipes.send(method="x/unknown", params={})
    served.pipes.send(method="x/hear", params={"n": 3})
    await served.ask("x/double", {"n": 1})
    assert served.heard == [3]
