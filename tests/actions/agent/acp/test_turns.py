"""Turns with a scripted model, over the wire."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from actions.agent.loop.options import Flags
from tests.actions.agent.acp.wired import Editor, environment, wired
from tests.actions.agent.loop.stage import Server, serve
from tests.stopwatch import Stopwatch


def shell(command: str, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"tool": ["Shell"], "args": {"command": command, **more}}]}


SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "shell": [{"thought": "hm", "text": "Looking. ", **shell("echo hi")}, {"text": "It said hi."}],
    "slow": [{"text": "word " * 400, "chunk": 5, "chunk_delay": 0.05}],
    "live": [shell("echo one; sleep 1; echo two"), {"text": "ok"}],
    "edits": [
        {
            "tool_calls": [
                {"tool": ["WriteFile"], "args": {"path": "new.txt", "content": "fresh\n"}},
                {"tool": ["StrReplaceFile"], "args": {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}},
                {"tool": ["SetTodoList"], "args": {"todos": [{"title": "Edit", "status": "in_progress"}]}},
            ]
        },
        {"text": "done"},
    ],
    "unknown": [{"tool_calls": [{"tool": ["Dance"], "args": {"far": True}}]}, {"text": "went on"}],
    "three": [
        {"tool_calls": [shell(f"echo {n} > {n}.txt")["tool_calls"][0] for n in ("x", "y", "z")]},
        {"text": "all"},
    ],
    "mixed": [
        {"tool_calls": [*shell("echo x > x.txt")["tool_calls"], {"tool": ["ReadFile"], "args": {"path": "a.txt"}}]},
        {"text": "end"},
    ],
    "sub": [
        {
            "tool_calls": [
                {
                    "tool": ["Agent"],
                    "args": {
                        "description": "write it", "prompt": "[[inner]] cwd=@CWD@ do it", "type": "coder"
                    },
                }
            ]
        },
        {"text": "delegated"},
    ],
    "inner": [shell("echo sub > sub.txt"), {"text": "inner done"}],
    "plan": [
        {"tool_calls": [{"tool": ["EnterPlanMode"], "args": {}}]},
        {"tool_calls": [{"tool": ["ExitPlanMode"], "args": {"plan": "1. Do it"}}]},
        {"text": "after the plan"},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One model server for all: its scripts keep no state."""
    server = serve(tmp_path_factory.mktemp("llm") / "server", {"scripts": SCRIPTS})
    yield server
    server.process.terminate()
    server.process.wait()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    made.mkdir()
    (made / "a.txt").write_text("one\n")
    return made


@pytest_asyncio.fixture
async def editor(model: Server) -> AsyncIterator[Editor]:
    """A connected client that allows everything once."""
    made = Editor()
    async with wired(made, environment(model)):
        yield made


def kinds(editor: Editor) -> list[str]:
    """The updates of a turn by kind, runs of one kind once."""
    told: list[str] = []
    for update in editor.updates:
        kind = update.session_update
        if kind in ("available_commands_update", "session_info_update", "usage_update", "config_option_update"):
            continue
        if not told or told[-1] != kind:
            told.append(kind)
    return told


def written(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("[xyz].txt"))


class TestTurn:
    async def test_62_a_turn_with_an_approval(self, editor: Editor, folder: Path) -> None:
        """Case 62: turn start, text, call, permission request, answer, result "ok", second step, text, turn end."""
        session = await editor.open(folder)
        ended = await editor.prompt(session, "shell", folder)
        assert ended.stop_reason == "end_turn"
        assert kinds(editor) == [
            "agent_thought_chunk", "agent_message_chunk", "tool_call", "tool_call_update", "agent_message_chunk"
        ]  # fmt: skip
        assert editor.text == "Looking. It said hi."
        ((asked),) = editor.asked
        (started,) = editor.of("tool_call")
        assert asked.call.tool_call_id == started.tool_call_id
        told = editor.calls(started.tool_call_id)
        assert [u.status for u in told if u.status] == ["pending", "in_progress", "completed"]
        assert told[-1].raw_output["output"].strip() == "hi"
        assert started.kind == "execute"
        assert [u.title for u in told if u.title][-1] == "Shell echo hi"
        assert [u.raw_input for u in told if u.raw_input] == [{"command": "echo hi"}]

    async def test_64_under_yolo_nothing_is_asked(self, editor: Editor, folder: Path) -> None:
        """Case 64: no permission request on the wire."""
        session = await editor.open(folder, "yolo")
        await editor.prompt(session, "shell", folder)
        assert editor.asked == []
        assert editor.calls()[-1].status == "completed"

    @pytest.mark.parametrize("flags", [Flags(yolo=True), Flags(afk=True)])
    async def test_the_flags_count_from_the_start(self, model: Server, folder: Path, flags: Flags) -> None:
        editor = Editor()
        async with wired(editor, environment(model), flags=flags):
            opened = await editor.connection.new_session(cwd=str(folder), mcp_servers=[])
            assert opened.modes.current_mode_id == ("yolo" if flags.yolo else "afk")
            await editor.prompt(opened.session_id, "shell", folder)
            assert editor.asked == []

    async def test_65_what_is_asked_is_shown(self, editor: Editor, folder: Path) -> None:
        """Case 65: command, whole-file diff, diff, list."""
        session = await editor.open(folder)
        await editor.prompt(session, "shell", folder)
        assert "echo hi" in editor.asked[0].call.content[0].content.text
        assert editor.asked[0].call.raw_input == {"command": "echo hi"}
        await editor.prompt(session, "edits", folder)
        new, replaced = (asked.call for asked in editor.asked[1:])
        assert (new.kind, new.content[0].type) == ("edit", "diff")
        assert (new.content[0].old_text, new.content[0].new_text) == (None, "fresh\n")
        assert (replaced.content[0].old_text, replaced.content[0].new_text) == ("one\n", "two\n")
        assert [place.path for place in replaced.locations or ()] == [str(folder / "a.txt")]
        (todo,) = editor.of("plan")
        assert [(entry.content, entry.status) for entry in todo.entries] == [("Edit", "in_progress")]
        assert ((folder / "new.txt").read_text(), (folder / "a.txt").read_text()) == ("fresh\n", "two\n")

    async def test_66_an_unknown_tool_is_an_error_and_the_turn_goes_on(self, editor: Editor, folder: Path) -> None:
        """Case 66."""
        session = await editor.open(folder)
        ended = await editor.prompt(session, "unknown", folder)
        assert (ended.stop_reason, editor.text) == ("end_turn", "went on")
        last = editor.calls()[-1]
        assert (last.status, last.raw_output["error"]) == ("failed", "not_found")

    async def test_output_of_a_command_is_shown_while_it_runs(self, editor: Editor, folder: Path) -> None:
        session = await editor.open(folder)
        await editor.prompt(session, "live", folder)
        shown = [u.content[0].content.text for u in editor.calls() if u.content and u.status is None]
        assert any("one" in text and "two" not in text for text in shown)
        assert editor.calls()[-1].raw_output["output"].split() == ["one", "two"]

    async def test_usage_title_and_commands_are_told(self, editor: Editor, folder: Path) -> None:
        session = await editor.open(folder)
        ended = await editor.prompt(session, "shell", folder)
        (title,) = editor.of("session_info_update")
        assert "[[shell]]" in title.title
        assert ended.usage.total_tokens == ended.usage.input_tokens + ended.usage.output_tokens > 0
        assert ended.usage.field_meta == {"sayso": {"cost_usd": "0"}}  # a model on this machine costs nothing
        assert editor.of("usage_update")[-1].cost.amount == 0
        assert editor.of("usage_update")[-1].size > 0
        (commands,) = editor.of("available_commands_update")
        assert {"plan", "review", "grep", "read", "shell"} <= {c.name for c in commands.available_commands}

    async def test_a_slash_command_runs_as_a_call(self, editor: Editor, folder: Path) -> None:
        session = await editor.open(folder)
        ended = await editor.say(session, "/shell echo slash")
        assert ended.stop_reason == "end_turn"
        assert len(editor.asked) == 1
        assert editor.calls()[-1].raw_output["output"].strip() == "slash"


class TestAsking:
    async def test_the_options_come_in_our_order_and_say_what_they_release(self, editor: Editor, folder: Path) -> None:
        session = await editor.open(folder)
        await editor.prompt(session, "shell", folder)
        options = editor.asked[0].options
        assert [o.option_id for o in options] == ["allow_once", "allow_session", "allow_always", "reject_once"]
        assert [o.kind for o in options] == ["allow_once", "allow_always", "allow_always", "reject_once"]
        assert all("echo" in o.name for o in options[1:3])
        assert editor.asked[0].meta["effect"] == "danger"

    @pytest.mark.parametrize(("option", "held"), [("allow_session", "this session"), ("allow_always", "always")])
    async def test_what_was_allowed_is_listed_and_taken_back(
        self, editor: Editor, folder: Path, option: str, held: str
    ) -> None:
        editor.answer = option
        session = await editor.open(folder)
        for _ in range(2):
            await editor.prompt(session, "shell", folder)
        assert len(editor.asked) == 1
        editor.updates.clear()
        await editor.say(session, "/rules")
        assert f"({held}" in editor.text
        assert "every single command that begins with: echo (" in editor.text
        (rule,) = re.findall(r"`([0-9a-f]{8})`", editor.text)
        editor.updates.clear()
        await editor.say(session, "/rules revoke nothing")
        assert f"Known: {rule}" in editor.text
        await editor.say(session, f"/rules revoke {rule}")
        editor.updates.clear()
        await editor.say(session, "/rules")
        assert editor.text.startswith("No rule allows anything here")
        await editor.prompt(session, "shell", folder)
        assert len(editor.asked) == 2
        await editor.say(session, "/rules revoke all")
        await editor.prompt(session, "shell", folder)
        assert len(editor.asked) == 3

    async def test_59_three_requests_in_their_order_and_one_rule_releases_all(
        self, editor: Editor, folder: Path
    ) -> None:
        """Case 59: shown in the order they came. A chain with a redirect has no rule, so each is asked."""
        editor.answer = None
        session = await editor.open(folder)
        turn = asyncio.create_task(editor.prompt(session, "three", folder))
        asked = await editor.until_asked(3)
        assert [one.call.raw_input["command"][:6] for one in asked] == ["echo x", "echo y", "echo z"]
        for one in reversed(asked):
            one.choose("allow_once")
        assert (await turn).stop_reason == "end_turn"
        assert written(folder) == ["x.txt", "y.txt", "z.txt"]

    async def test_a_waiting_permission_holds_nothing_back(self, editor: Editor, folder: Path) -> None:
        editor.answer = None
        session = await editor.open(folder)
        turn = asyncio.create_task(editor.prompt(session, "mixed", folder))
        (asked,) = await editor.until_asked(1)
        await editor.until(lambda: any(u.status == "completed" for u in editor.calls()))
        assert not asked.answer.done()
        asked.choose("allow_once")
        await turn

    async def test_a_plain_no_ends_the_turn_and_one_with_words_goes_on(self, editor: Editor, folder: Path) -> None:
        editor.answer = "reject_once"
        session = await editor.open(folder)
        ended = await editor.prompt(session, "shell", folder)
        assert (ended.stop_reason, editor.text) == ("end_turn", "Looking. ")
        editor.answer = None
        turn = asyncio.create_task(editor.prompt(session, "shell", folder))
        (await editor.until_asked(2))[1].choose("reject_once", feedback="use ls")
        await turn
        assert editor.text.endswith("It said hi.")
        assert "use ls" in editor.calls()[-1].raw_output["message"]

    async def test_an_option_that_was_not_offered_is_a_no(self, editor: Editor, folder: Path) -> None:
        editor.answer = "allow_everything"
        session = await editor.open(folder)
        await editor.prompt(session, "three", folder)
        assert written(folder) == []

    async def test_58_a_request_put_off_is_answered_later_and_only_once(self, editor: Editor, folder: Path) -> None:
        """Case 58: the second answer is refused, the first stands."""
        editor.answer = None
        session = await editor.open(folder)
        turn = asyncio.create_task(editor.prompt(session, "shell", folder))
        (asked,) = await editor.until_asked(1)
        asked.choose("cancelled", later=True)
        await asyncio.sleep(0.2)
        assert not turn.done()
        answer = {"sessionId": session, "requestId": asked.meta["request_id"], "optionId": "allow_once"}
        assert await editor.connection.ext_method("sayso/permission/answer", answer) == {"accepted": True}
        assert await editor.connection.ext_method("sayso/permission/answer", answer) == {"accepted": False}
        assert (await turn).stop_reason == "end_turn"

    async def test_89_yolo_releases_what_waits_and_closes_its_dialogs(self, editor: Editor, folder: Path) -> None:
        """Case 89: both released."""
        editor.answer = None
        session = await editor.open(folder)
        turn = asyncio.create_task(editor.prompt(session, "three", folder))
        await editor.until_asked(3)
        await editor.connection.set_config_option(session_id=session, config_id="mode", value="yolo")
        assert (await asyncio.wait_for(turn, 40)).stop_reason == "end_turn"
        assert len(written(folder)) == 3
        assert not any(asked.answer.done() for asked in editor.asked)

    async def test_81_a_subagents_request_shows_at_the_root(self, editor: Editor, folder: Path) -> None:
        """Case 81: one request at the root with the subagent's id; approved, it runs."""
        session = await editor.open(folder)
        ended = await editor.prompt(session, "sub", folder)
        assert (ended.stop_reason, (folder / "sub.txt").read_text()) == ("end_turn", "sub\n")
        (asked,) = editor.asked
        parent, inner = editor.of("tool_call")
        assert asked.meta["agent_type"] == "coder"
        assert asked.meta["agent_id"]
        assert asked.call.tool_call_id == inner.tool_call_id
        about = inner.field_meta["sayso"]
        assert (about["parent_call"], about["agent_id"]) == (parent.tool_call_id, asked.meta["agent_id"])
        assert editor.text == "delegated"

    @pytest.mark.parametrize(
        ("option", "mode"), [("plan_default", "default"), ("plan_yolo", "yolo"), ("plan_keep", "plan")]
    )
    async def test_a_plan_is_put_before_the_person(self, editor: Editor, folder: Path, option: str, mode: str) -> None:
        editor.answer = option
        session = await editor.open(folder)
        await editor.prompt(session, "plan", folder)
        (asked,) = editor.asked
        assert (asked.call.kind, [o.kind for o in asked.options]) == (
            "switch_mode", ["allow_once", "allow_always", "reject_once"]
        )  # fmt: skip
        assert "1. Do it" in asked.call.content[0].content.text
        modes = [update.current_mode_id for update in editor.of("current_mode_update")]
        assert modes == (["plan"] if mode == "plan" else ["plan", mode])
        assert editor.of("config_option_update")[-1].config_options[0].current_value == mode


class TestCancel:
    async def test_80_a_cancel_while_a_permission_is_open(self, editor: Editor, folder: Path) -> None:
        """Case 80: the request is taken back, the prompt returns within 1 s."""
        editor.answer = None
        session = await editor.open(folder)
        turn = asyncio.create_task(editor.prompt(session, "shell", folder))
        await editor.until_asked(1)
        before = Stopwatch()
        await editor.connection.cancel(session_id=session)
        assert (await turn).stop_reason == "cancelled"
        assert before.seconds < 1
        assert editor.calls()[-1].status == "failed"
        assert editor.calls()[-1].raw_output["error"] == "cancelled"

    async def test_a_cancelled_outcome_ends_the_turn(self, editor: Editor, folder: Path) -> None:
        editor.answer = "cancelled"
        session = await editor.open(folder)
        assert (await editor.prompt(session, "three", folder)).stop_reason == "cancelled"
        assert written(folder) == []

    async def test_a_cancel_while_the_model_streams(self, editor: Editor, folder: Path) -> None:
        session = await editor.open(folder)
        turn = asyncio.create_task(editor.prompt(session, "slow", folder))
        await editor.until(lambda: editor.text)
        before = Stopwatch()
        await editor.connection.cancel(session_id=session)
        assert (await turn).stop_reason == "cancelled"
        assert before.seconds < 0.5
        assert (await editor.prompt(session, "shell", folder)).stop_reason == "end_turn"

    async def test_60_a_client_that_goes_away_ends_what_it_was_asked(self, model: Server, folder: Path) -> None:
        """Case 60: each request ends as cancelled; nothing runs after it."""
        editor = Editor(answer=None)
        async with wired(editor, environment(model)):
            session = await editor.open(folder)
            turn = asyncio.create_task(editor.prompt(session, "three", folder))
            await editor.until_asked(3)
        assert (await turn).stop_reason == "cancelled"
        assert written(folder) == []
