"""Versions, sessions, options and the client's own tools, over the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acp import RequestError

from actions.agent.model.choice import Agreed
from actions.agent.model.ref import ModelRef
from actions.agent.opening import NotAgreed, agree
from actions.storage.paths import Paths
from tests.actions.agent.acp.wired import Editor, environment, wired
from tests.actions.agent.loop.stage import Server, serve

SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "read": [
        {"thought": "think", "text": "Reading. ", "tool_calls": [{"tool": ["ReadFile"], "args": {"path": "a.txt"}}]},
        {"text": "It says one."},
    ],
    "look": [{"tool_calls": [{"tool": ["look_up"], "args": {"symbol": "Wire"}}]}, {"text": "found it"}],
    "wrong": [{"tool_calls": [{"tool": ["look_up"], "args": {"symbol": 5}}]}, {"text": "sorry"}],
}
LOOK = {
    "name": "look_up",
    "description": "Looks a symbol up.",
    "schema": {"type": "object", "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]},
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
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


class TestVersions:
    @pytest.mark.parametrize("asked", [1, 2, 99])
    def test_67_the_highest_common_version_is_agreed(self, asked: int) -> None:
        """Case 67: ours, and one that we do not know."""
        assert agree({"protocolVersion": asked})[1]["protocolVersion"] == 1

    def test_67_without_a_common_version_the_refusal_is_clear(self) -> None:
        """Case 67: an older one."""
        with pytest.raises(NotAgreed, match="speaks version 1 of the protocol, not 0: use a client"):
            agree({"protocolVersion": 0})


class TestSessions:
    async def test_72_new_list_resume_load_and_cancel(self, model: Server, folder: Path) -> None:
        """Case 72: each works; load replays once, with every kind of message."""
        editor = Editor()
        async with wired(editor, environment(model)):
            session = await editor.open(folder, "plan")
            await editor.prompt(session, "read", folder)
            await editor.connection.cancel(session_id=session)
        editor = Editor()
        async with wired(editor, environment(model)):
            (listed,) = (await editor.connection.list_sessions(cwd=str(folder))).sessions
            assert (listed.session_id, listed.cwd) == (session, str(folder))
            await editor.connection.resume_session(cwd=str(folder), session_id=session, mcp_servers=[])
            assert {u.session_update for u in editor.updates} <= {"available_commands_update"}
            loaded = await editor.connection.load_session(cwd=str(folder), session_id=session, mcp_servers=[])
            assert loaded.modes.current_mode_id == "plan"
            assert loaded.config_options[1].current_value == "openai-chat:fake-model"
            told = [u.session_update for u in editor.updates if u.session_update != "available_commands_update"]
            assert told[:3] == ["user_message_chunk", "agent_thought_chunk", "agent_message_chunk"]
            assert (told.count("tool_call"), told.count("user_message_chunk")) == (1, 1)
            assert editor.text == "Reading. It says one."
            (call,) = editor.of("tool_call")
            assert call.kind == "read"
            ended = editor.calls(call.tool_call_id)[-1]
            assert (ended.status, "one" in ended.raw_output["output"]) == ("completed", True)
            await editor.prompt(session, "read", folder)
            assert editor.text == "Reading. It says one." * 2

    async def test_a_fork_goes_its_own_way(self, model: Server, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, environment(model)):
            session = await editor.open(folder)
            await editor.prompt(session, "read", folder)
            forked = await editor.connection.fork_session(session_id=session, cwd=str(folder), mcp_servers=[])
            assert forked.session_id != session
            await editor.prompt(forked.session_id, "read", folder)
            editor.updates.clear()
            await editor.connection.load_session(cwd=str(folder), session_id=session, mcp_servers=[])
            assert len(editor.of("user_message_chunk")) == 1

    async def test_a_closed_session_is_gone_and_the_others_stay(self, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, {}):
            first, second = await editor.open(folder), await editor.open(folder)
            await editor.connection.close_session(session_id=first)
            with pytest.raises(RequestError, match="There is no session"):
                await editor.say(first, "hello")
            assert (await editor.say(second, "hello")).stop_reason == "end_turn"

    async def test_a_long_list_comes_in_pages(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("actions.agent.acp.server._PAGE", 2)
        editor = Editor()
        async with wired(editor, {}):
            made = {await editor.open(folder) for _ in range(5)}
            found: list[str] = []
            cursor = None
            for size in (2, 2, 1):
                page = await editor.connection.list_sessions(cursor=cursor)
                assert len(page.sessions) == size
                found += [session.session_id for session in page.sessions]
                cursor = page.next_cursor
            assert cursor is None
            assert set(found) == made
            with pytest.raises(RequestError, match="cursor"):
                await editor.connection.list_sessions(cursor="nonsense")


class TestModels:
    async def test_the_model_is_changed_without_a_restart(self, model: Server, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, environment(model)):
            opened = await editor.connection.new_session(cwd=str(folder), mcp_servers=[])
            session = opened.session_id
            assert [choice.value for choice in opened.config_options[1].options][:2] == [
                "scout", "openai-chat:fake-model"
            ]  # fmt: skip
            set_model = editor.connection.set_config_option
            await set_model(session_id=session, config_id="model", value="scout")
            await editor.say(session, "hello")
            assert "I am the scout" in editor.text
            state = await set_model(session_id=session, config_id="model", value="openai-chat:fake-model")
            assert state.config_options[1].current_value == "openai-chat:fake-model"
            await editor.prompt(session, "read", folder)
            assert editor.text.endswith("It says one.")

    async def test_the_choice_stays_with_its_session(self, model: Server, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, environment(model)):
            session, other = await editor.open(folder), await editor.open(folder)
            await editor.connection.set_config_option(session_id=session, config_id="model", value="scout")
            chosen = []
            for kept in (session, other):
                resumed = await editor.connection.resume_session(cwd=str(folder), session_id=kept, mcp_servers=[])
                chosen.append(resumed.config_options[1].current_value)
            assert chosen == ["scout", "openai-chat:fake-model"]

    async def test_a_model_that_is_not_offered_is_refused(self, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, {}):
            session = await editor.open(folder)
            with pytest.raises(RequestError, match="no model 'openai:gpt-9'; there are `scout`"):
                await editor.connection.set_config_option(session_id=session, config_id="model", value="openai:gpt-9")

    async def test_a_model_on_this_machine_is_used_from_the_choice_on(self, model: Server, folder: Path) -> None:
        paths = Paths.from_environment()
        ref = ModelRef("openai-compatible", "fake-model", f"{model.url}/v1", "loopback")
        Agreed.of(paths).add(ref)
        editor = Editor()
        async with wired(editor, {}):
            opened = await editor.connection.new_session(cwd=str(folder), mcp_servers=[])
            assert opened.config_options[1].current_value == f"openai-compatible:fake-model@{model.url}/v1"
            await editor.prompt(opened.session_id, "read", folder)
            assert editor.text == "Reading. It says one."

    async def test_a_variable_that_names_no_model_is_told(self, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, {"SAYSO_AGENT_MODEL": "gpt-9"}):
            session = await editor.open(folder)
            await editor.until(lambda: "is not a model" in editor.text)
            assert (await editor.say(session, "hello")).stop_reason == "end_turn"

    async def test_a_model_without_its_key_is_an_error_in_words(self, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, {"SAYSO_AGENT_MODEL": "anthropic:claude-test"}):
            session = await editor.open(folder)
            with pytest.raises(RequestError, match="ANTHROPIC_API_KEY"):
                await editor.say(session, "where is the door")


class TestClientTools:
    async def test_68_a_tool_named_like_ours_is_rejected_and_the_others_work(self, model: Server, folder: Path) -> None:
        """Case 68, and one call of an accepted tool, with its approval: it writes where it says nothing else."""
        called: list[dict[str, Any]] = []

        def run(params: dict[str, Any]) -> dict[str, Any]:
            called.append(params)
            return {"is_error": False, "output": "wire.py:22", "message": "found"}

        editor = Editor(tool=run)
        async with wired(editor, environment(model), tools=[{**LOOK, "name": "Shell"}, LOOK]) as answer:
            assert answer["client_tools"]["accepted"] == ["look_up"]
            (rejected,) = answer["client_tools"]["rejected"]
            assert (rejected["name"], "taken" in rejected["reason"]) == ("Shell", True)
            session = await editor.open(folder)
            await editor.prompt(session, "look", folder)
            assert [(c["sessionId"], c["name"], c["arguments"]) for c in called] == [
                (session, "look_up", {"symbol": "Wire"})
            ]
            assert [asked.meta["tool"] for asked in editor.asked] == ["look_up"]
            assert editor.calls()[-1].raw_output["output"] == "wire.py:22"
            await editor.prompt(session, "wrong", folder)
            assert editor.calls()[-1].raw_output["error"] == "invalid_input"
            assert len(called) == len(editor.asked) == 1

    async def test_a_client_that_offered_none_is_never_asked(self, model: Server, folder: Path) -> None:
        editor = Editor()
        async with wired(editor, environment(model)) as answer:
            assert answer == {}
            session = await editor.open(folder)
            await editor.prompt(session, "look", folder)
            assert editor.calls()[-1].raw_output["error"] == "not_found"

    async def test_a_cancel_ends_a_call_that_the_client_does_not_answer(self, model: Server, folder: Path) -> None:
        reached = asyncio.Event()

        class Silent(Editor):
            async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
                reached.set()
                await asyncio.Event().wait()
                return {}

        editor = Silent()
        async with wired(editor, environment(model), tools=[LOOK]):
            session = await editor.open(folder)
            turn = asyncio.create_task(editor.prompt(session, "look", folder))
            await asyncio.wait_for(reached.wait(), 40)
            await editor.connection.cancel(session_id=session)
            assert (await asyncio.wait_for(turn, 30)).stop_reason == "cancelled"
            assert editor.calls()[-1].raw_output["error"] == "cancelled"
