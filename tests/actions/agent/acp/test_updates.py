"""What is shown of a call, update by update."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from actions.agent.acp.names import CallNames
from actions.agent.acp.updates import WireScreen
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import (
    DiffDisplay,
    ErrorClass,
    Location,
    MediaPart,
    TextDisplay,
    TextPart,
    TodoDisplay,
    ToolResult,
    failure,
)
from actions.agent.toolset.tool import Tool
from tests.actions.agent.acp.client import Pipes

PIXEL = "iVBORw0KGgo="


class Write(Tool):
    name = "WriteFile"
    kind = "edit"
    key_argument = "path"

    async def run(self, *args: Any, **kwargs: Any) -> ToolResult:
        raise NotImplementedError


class Stage:
    """A screen, and what its client has got so far."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self.options_told = 0
        self.screen = WireScreen(pipes.link, "ses_1", Path("/shop"), CallNames(), self._told)

    async def updates(self) -> list[dict[str, Any]]:
        self._pipes.link.notify("end", {})
        told: list[dict[str, Any]] = []
        while (message := await self._pipes.next())["method"] != "end":
            assert message["params"]["sessionId"] == "ses_1"
            told.append(message["params"]["update"])
        return told

    def _told(self) -> None:
        self.options_told += 1


@pytest.fixture
def stage(pipes: Pipes) -> Stage:
    return Stage(pipes)


async def test_arguments_go_out_piece_by_piece_and_the_title_as_soon_as_it_is_known(stage: Stage) -> None:
    arguments = json.dumps({"path": "/shop/src/long.txt", "content": "y" * 3_000})
    pieces = [arguments[at : at + 40] for at in range(0, len(arguments), 40)]
    stage.screen.call_started("call_1", "WriteFile", Write())
    for piece in pieces:
        stage.screen.call_arguments("call_1", piece)
    stage.screen.call_made(ToolCall("call_1", "WriteFile", arguments), Write())
    started, *changes, made = await stage.updates()
    assert (started["sessionUpdate"], started["title"], started["kind"], started["status"]) == (
        "tool_call", "WriteFile", "edit", "pending"
    )  # fmt: skip
    assert [change["_meta"]["sayso"]["arguments_delta"] for change in changes] == pieces
    assert changes[0]["title"] == "WriteFile src/long.txt"
    assert all("title" not in change for change in changes[1:])
    assert made["rawInput"] == json.loads(arguments)
    assert len({update["toolCallId"] for update in (started, *changes, made)}) == 1


async def test_one_id_in_two_turns_is_two_calls_on_the_wire(stage: Stage) -> None:
    for _ in range(2):
        stage.screen.call_made(ToolCall("call_1", "Dance", "{"), None)
        stage.screen.call_ended("call_1", failure(ErrorClass.NOT_FOUND, "There is no tool Dance."))
    first, failed, second, _ = await stage.updates()
    assert first["toolCallId"] == failed["toolCallId"] != second["toolCallId"]
    assert (first["rawInput"], first["kind"]) == ("{", "other")
    assert (failed["status"], failed["rawOutput"]) == (
        "failed", {"output": "", "message": "There is no tool Dance.", "error": "not_found"}
    )  # fmt: skip
    assert failed["content"][0]["content"]["text"] == "There is no tool Dance."


async def test_the_end_shows_diffs_text_and_pictures(stage: Stage) -> None:
    results = [
        ToolResult("x", display=(DiffDisplay("/shop/a", "old", "new"), DiffDisplay("/shop/b", None, "new"))),
        ToolResult("x", display=(TextDisplay("ls ```", "command"), TextDisplay("# Plan", "markdown"))),
        ToolResult("x", display=(TodoDisplay((("one", "done"), ("two", "pending"))),)),
        ToolResult((TextPart("see"), MediaPart(PIXEL, "image/png"), MediaPart(PIXEL, "video/mp4"))),
        ToolResult("plain\n", locations=(Location("/shop/a", 3),)),
    ]
    for number, result in enumerate(results):
        stage.screen.call_made(ToolCall(str(number), "T", "{}"), None)
        stage.screen.call_ended(str(number), result)
    ends = [update for update in await stage.updates() if update.get("status") == "completed"]
    assert ends[0]["content"] == [
        {"type": "diff", "path": "/shop/a", "oldText": "old", "newText": "new"},
        {"type": "diff", "path": "/shop/b", "newText": "new"},
    ]
    assert [part["content"]["text"] for part in ends[1]["content"]] == ["````\nls ```\n````", "# Plan"]
    assert ends[2]["content"][0]["content"]["text"] == "- [x] one\n- [ ] two"
    assert [part["content"]["type"] for part in ends[3]["content"]] == ["text", "image", "text"]
    assert ends[3]["rawOutput"]["output"][1] == {"mime": "image/png", "bytes": 9}
    assert ends[4]["locations"] == [{"path": "/shop/a", "line": 3}]
    assert ends[4]["content"][0]["content"]["text"] == "```\nplain\n```"


async def test_live_output_is_sent_now_and_then_and_only_its_end(stage: Stage) -> None:
    stage.screen.call_made(ToolCall("1", "Shell", "{}"), None)
    for number in range(2_000):
        stage.screen.call_output("1", f"line {number}\n")
    await asyncio.sleep(0.5)
    stage.screen.call_output("1", "late")
    stage.screen.call_ended("1", ToolResult("all"))
    await asyncio.sleep(0.5)
    _, live, ended = await stage.updates()
    assert live["content"][0]["content"]["text"].endswith("line 1999\n```")
    assert len(live["content"][0]["content"]["text"]) < 4_100
    assert ended["status"] == "completed"


async def test_a_subagents_calls_are_under_their_parent_and_its_words_are_its_output(stage: Stage) -> None:
    stage.screen.call_made(ToolCall("1", "Agent", "{}"), None)
    child = stage.screen.child("1", "agt_1", "coder")
    child.text("working")
    child.thought("hidden")
    child.todo([("hidden", "done")])
    child.call_made(ToolCall("1", "Shell", "{}"), None)
    child.call_ended("1", ToolResult("ok"))
    await asyncio.sleep(0.5)
    parent, inner, ended, live = await stage.updates()
    about = {"parent_call": parent["toolCallId"], "agent_id": "agt_1", "agent_type": "coder"}
    assert inner["_meta"]["sayso"] == ended["_meta"]["sayso"] == about
    assert inner["toolCallId"] != parent["toolCallId"]
    assert (live["toolCallId"], live["content"][0]["content"]["text"]) == (parent["toolCallId"], "```\nworking\n```")


async def test_the_mode_is_told_in_both_forms(stage: Stage) -> None:
    stage.screen.mode("plan")
    (update,) = await stage.updates()
    assert (update, stage.options_told) == ({"sessionUpdate": "current_mode_update", "currentModeId": "plan"}, 1)


async def test_what_was_not_announced_is_not_changed(stage: Stage) -> None:
    stage.screen.call_arguments("x", "{")
    stage.screen.call_running("x")
    stage.screen.call_output("x", "out")
    stage.screen.call_ended("x", ToolResult("out"))
    assert await stage.updates() == []


async def test_a_notice_is_a_line_of_its_own_wherever_the_answer_stands(stage: Stage) -> None:
    stage.screen.release()
    stage.screen.notice("First.")
    stage.screen.text("Half a")
    stage.screen.child("call_1", "agent-1", "coder").notice("Second.")
    stage.screen.notice("Third.")
    said = "".join(update["content"]["text"] for update in await stage.updates())
    assert said == "> First.\n\nHalf a\n\n> Second.\n\n> Third.\n\n"
