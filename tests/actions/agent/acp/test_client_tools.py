"""Tools that the client runs: how they are taken, and every way in which a call of one can go wrong."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from actions.agent.acp.clienttools import BUILT_IN, METHOD, ClientTools
from actions.agent.toolset.agentfile import read_agent_file
from actions.agent.toolset.call import ToolCall, current_call
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect
from tests.actions.agent.acp.client import Pipes

LOOK = {
    "name": "look_up",
    "description": "Looks a symbol up in the editor.",
    "schema": {"type": "object", "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]},
}


def tool(pipes: Pipes, **fields: Any) -> Tool:
    offered = ClientTools()
    assert offered.register([{**LOOK, **fields}])["accepted"] == ["look_up"]
    return offered.tools(pipes.link, "ses_1")[0]


def call(tool: Tool, **arguments: Any) -> asyncio.Task[ToolResult]:
    async def run() -> ToolResult:
        token = current_call.set(ToolCall("call_7", tool.name, "{}"))
        try:
            return await tool.run(**arguments)
        finally:
            current_call.reset(token)

    return asyncio.create_task(run())


class TestRegistration:
    def test_68_a_taken_name_is_rejected_with_the_reason_and_the_others_are_accepted(self) -> None:
        answer = ClientTools().register([{**LOOK, "name": "Shell"}, LOOK])
        assert answer == {
            "accepted": ["look_up"],
            "rejected": [{"name": "Shell", "reason": "the name Shell is taken by a tool of the agent"}],
        }

    @pytest.mark.parametrize(
        ("offered", "reason"),
        [
            ({**LOOK, "schema": {"type": "strange"}}, "invalid schema"),
            ({**LOOK, "schema": {"type": "array"}}, "invalid schema"),
            ({**LOOK, "schema": 5}, "schema"),
            ({**LOOK, "name": "two words"}, "a name has"),
            ({**LOOK, "effect": "huge"}, "effect"),
            ({**LOOK, "timeout": 0}, "timeout"),
            ({"description": "no name"}, "name"),
            ("text", "object"),
            (None, "object"),
        ],
    )
    def test_what_cannot_be_taken_is_rejected_with_the_reason(self, offered: object, reason: str) -> None:
        answer = ClientTools().register([offered])
        assert answer["accepted"] == []
        assert reason in answer["rejected"][0]["reason"]

    def test_a_second_registration_replaces_the_first(self, pipes: Pipes) -> None:
        offered = ClientTools()
        offered.register([LOOK])
        assert offered.register([{**LOOK, "description": "New."}]) == {"accepted": ["look_up"], "rejected": []}
        (only,) = offered.tools(pipes.link, "ses_1")
        assert only.description == "New."

    def test_it_writes_unless_it_says_otherwise_and_has_a_description(self, pipes: Pipes) -> None:
        assert tool(pipes).effect is Effect.WRITE
        assert tool(pipes, effect="read").effect is Effect.READ
        assert tool(pipes, description=" ").description == "The tool look_up of the connected editor."

    def test_the_taken_names_are_those_of_the_agent(self) -> None:
        named = {entry.path.rpartition(":")[2] for entry in read_agent_file("default").tools}
        assert named == BUILT_IN


class TestCalls:
    async def test_a_call_goes_to_the_client_and_its_answer_to_the_model(self, pipes: Pipes) -> None:
        task = call(tool(pipes), symbol="Wire")
        request = await pipes.next()
        assert request["method"] == METHOD
        assert request["params"] == {
            "sessionId": "ses_1", "callId": "call_7", "name": "look_up", "arguments": {"symbol": "Wire"}
        }  # fmt: skip
        pipes.answer(request, {"is_error": False, "output": "line 3", "message": "found", "display": "Wire: 3"})
        result = await task
        assert (result.output, result.message, result.error) == ("line 3", "found", None)
        assert result.display == (TextDisplay("Wire: 3"),)

    async def test_an_error_answer_is_a_tool_error_with_its_text(self, pipes: Pipes) -> None:
        task = call(tool(pipes), symbol="x")
        pipes.answer(await pipes.next(), {"is_error": True, "output": "", "message": "index is not ready"})
        result = await task
        assert (result.error, result.message) == (ErrorClass.TOOL_ERROR, "index is not ready")

    @pytest.mark.parametrize(
        "answer", [None, 5, "text", [], {}, {"output": "x"}, {"is_error": "no", "output": "x"}, {"is_error": False}]
    )
    async def test_a_malformed_answer_is_a_tool_error(self, pipes: Pipes, answer: object) -> None:
        task = call(tool(pipes), symbol="x")
        pipes.answer(await pipes.next(), answer)
        result = await task
        assert result.error is ErrorClass.TOOL_ERROR
        assert "cannot be read" in result.message

    async def test_a_wrong_id_is_ignored_and_of_two_answers_the_first_counts(self, pipes: Pipes) -> None:
        task = call(tool(pipes), symbol="x")
        request = await pipes.next()
        for number, output in ((request["id"] + 1, "wrong"), (request["id"], "first"), (request["id"], "second")):
            pipes.send(id=number, result={"is_error": False, "output": output})
        assert (await task).output == "first"

    async def test_arguments_are_checked_before_anything_is_sent(self, pipes: Pipes) -> None:
        looked = tool(pipes)
        for arguments in ({}, {"symbol": 5}):
            with pytest.raises(ToolFailure, match="do not fit") as wrong:
                await looked.prepare(arguments)
            assert wrong.value.result.error is ErrorClass.INVALID_INPUT
            with pytest.raises(ToolFailure):
                await call(looked, **arguments)
        pipes.link.notify("end", {})
        assert (await pipes.next())["method"] == "end"

    async def test_a_client_that_never_answers_runs_into_the_limit(self, pipes: Pipes) -> None:
        task = call(tool(pipes, timeout=0.05), symbol="x")
        request = await pipes.next()
        result = await task
        assert (result.error, "0.05 s" in result.message) == (ErrorClass.TIMEOUT, True)
        assert (await pipes.next())["params"] == {"requestId": request["id"]}

    async def test_a_refusal_and_a_lost_connection_say_which(self, pipes: Pipes) -> None:
        refused = call(tool(pipes), symbol="x")
        pipes.send(id=(await pipes.next())["id"], error={"code": -32601, "message": "unknown method"})
        assert "refused the call of look_up: unknown method" in (await refused).message
        lost = call(tool(pipes), symbol="x")
        await pipes.next()
        pipes.hang_up()
        result = await lost
        assert (result.error, "connection was closed" in result.message) == (ErrorClass.TOOL_ERROR, True)
