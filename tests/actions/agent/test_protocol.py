"""The agent as a process: ACP over its standard input and output, spoken by the SDK's client."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path

import acp
import pytest
import pytest_asyncio
from acp import RequestError

from actions.agent.scout.draft import LOOKS
from actions.agent.scout.markdown import render
from actions.agent.scout.plan import Plan
from tests.actions.agent.agent_process import Agent, agent
from tests.actions.agent.conftest import SHOP, write

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIG_TREE = Path(acp.__file__).parents[1]
"""The installed packages: thousands of files, always there."""

INITIALIZE = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Agent]:
    """One agent for all tests that need no process of their own: loading the SDK costs a second each time."""
    async with agent(env={"SAYSO_HOME": str(tmp_path_factory.mktemp("home"))}) as running:
        yield running


@pytest.fixture
def shared(process: Agent) -> Agent:
    """The shared agent with a client that has seen nothing yet and says yes."""
    process.client.updates.clear()
    process.client.asked.clear()
    process.client.answer, process.client.feedback = "allow_once", None
    return process


@pytest.fixture
def shop(repository: Callable[[Mapping[str, str | bytes]], Path]) -> Path:
    return repository(SHOP)


class TestOpening:
    async def test_it_introduces_itself(self) -> None:
        async with agent() as running:
            hello = await running.connection.initialize(protocol_version=1)
            assert hello.protocol_version == 1
            assert hello.agent_info.name == "sayso-agent"
            assert hello.agent_capabilities.load_session is True
            assert hello.agent_capabilities.session_capabilities.list is not None
            assert hello.agent_capabilities.session_capabilities.resume is not None

    async def test_a_request_before_initialize_is_an_error_and_not_the_end(self) -> None:
        async with agent(raw=True) as running:
            await running.line(b'{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/"}}')
            refused = await running.answer()
            assert (refused["id"], refused["error"]["code"]) == (7, -32600)
            await running.line(b'{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"one"}}')
            assert (await running.answer())["error"]["code"] == -32602
            await running.line(INITIALIZE)
            assert (await running.answer())["result"]["agentInfo"]["name"] == "sayso-agent"

    @pytest.mark.parametrize("early", [True, False])
    async def test_rubbish_on_stdin_is_answered_and_survived(self, early: bool, folder: Path) -> None:
        rubbish = [
            b"hello",
            b'"text"',
            b"[1]",
            b"1",
            b"{",
            b"\xff\xfe",
            b"",
            b"   ",
            b"[" * 100_000,
            b'{"a":1}',
            b'{"id":3}',
        ]
        async with agent(raw=True) as running:
            if not early:
                await running.line(INITIALIZE)
                await running.answer()
            for line in rubbish:
                await running.line(line)
            if early:
                await running.line(INITIALIZE)
            else:
                request = {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "session/new",
                    "params": {"cwd": str(folder), "mcpServers": []},
                }
                await running.line(json.dumps(request).encode())
            codes = []
            while (answer := await running.answer())["id"] is None:
                codes.append(answer["error"]["code"])
            assert answer["id"] == 1
            assert "result" in answer
            assert codes == [-32700, -32600, -32600, -32600, -32700, -32700, -32700]

    async def test_a_second_initialize_gets_the_same_answer(self, shared: Agent) -> None:
        first = await shared.connection.initialize(protocol_version=1)
        assert await shared.connection.initialize(protocol_version=1) == first

    async def test_unknown_methods_and_bad_params_are_errors(self, shared: Agent, folder: Path) -> None:
        await shared.open(folder)
        with pytest.raises(RequestError) as unknown:
            await shared.connection._conn.send_request("session/dance", {})
        assert unknown.value.code == -32601
        with pytest.raises(RequestError) as bad:
            await shared.connection._conn.send_request("session/prompt", {"sessionId": 3})
        assert bad.value.code == -32602


class TestSessions:
    async def test_modes_come_in_both_forms(self, shared: Agent, folder: Path) -> None:
        await shared.connection.initialize(protocol_version=1)
        session = await shared.connection.new_session(cwd=str(folder), mcp_servers=[])
        assert session.modes.current_mode_id == "default"
        assert [(mode.id, mode.name) for mode in session.modes.available_modes] == [
            ("default", "Default"),
            ("plan", "Plan"),
            ("yolo", "Yolo"),
            ("afk", "Unattended"),
        ]
        option, model = session.config_options
        assert (option.id, option.category, option.current_value) == ("mode", "mode", "default")
        assert [choice.value for choice in option.options] == ["default", "plan", "yolo", "afk"]
        assert (model.id, model.category, model.current_value) == ("model", "model", "scout")

    async def test_a_change_of_mode_is_confirmed(self, shared: Agent, folder: Path) -> None:
        session = await shared.open(folder)
        await shared.connection.set_session_mode(session_id=session, mode_id="plan")
        assert [update.current_mode_id for update in shared.client.of("current_mode_update")] == ["plan"]
        state = await shared.connection.set_config_option(session_id=session, config_id="mode", value="default")
        assert state.config_options[0].current_value == "default"
        values = [update.config_options[0].current_value for update in shared.client.of("config_option_update")]
        assert values == ["plan", "default"]

    async def test_an_unknown_mode_or_option_is_refused(self, shared: Agent, folder: Path) -> None:
        session = await shared.open(folder)
        with pytest.raises(RequestError, match="no mode 'wild'; there are `default`, `plan`, `yolo`, `afk`"):
            await shared.connection.set_session_mode(session_id=session, mode_id="wild")
        with pytest.raises(RequestError, match="there are `mode` and `model`"):
            await shared.connection.set_config_option(session_id=session, config_id="speed", value="x")

    async def test_the_mode_of_earlier_versions_is_the_default_one(self, shared: Agent, folder: Path) -> None:
        session = await shared.open(folder, "plan")
        await shared.connection.set_session_mode(session_id=session, mode_id="ask")
        assert shared.client.of("current_mode_update")[-1].current_mode_id == "default"

    @pytest.mark.parametrize(("cwd", "why"), [("relative", "absolute"), ("/no/such/folder", "does not exist")])
    async def test_a_wrong_folder_is_refused(self, shared: Agent, cwd: str, why: str) -> None:
        await shared.connection.initialize(protocol_version=1)
        with pytest.raises(RequestError, match=why) as refused:
            await shared.connection.new_session(cwd=cwd, mcp_servers=[])
        assert refused.value.code == -32602

    async def test_a_session_is_loaded_with_its_turns_and_resumed_without(self, shop: Path) -> None:
        async with agent() as running:
            session = await running.open(shop, "plan")
            await running.prompt(session, "Refund a payment")
            said = running.client.text
        async with agent() as running:
            await running.connection.initialize(protocol_version=1)
            loaded = await running.connection.load_session(cwd=str(shop), session_id=session, mcp_servers=[])
            assert loaded.modes.current_mode_id == "plan"
            assert [update.content.text for update in running.client.of("user_message_chunk")] == ["Refund a payment"]
            assert running.client.text == said
        async with agent() as running:
            await running.connection.initialize(protocol_version=1)
            resumed = await running.connection.resume_session(cwd=str(shop), session_id=session, mcp_servers=[])
            assert resumed.config_options[0].current_value == "plan"
            assert {update.session_update for update in running.client.updates} <= {"available_commands_update"}
            (listed,) = (await running.connection.list_sessions()).sessions
            assert (listed.session_id, listed.cwd, listed.title) == (session, str(shop), "Refund a payment")

    @pytest.mark.parametrize("name", ["ses_0000", "../../etc/passwd", ""])
    async def test_an_unknown_session_is_refused(self, shared: Agent, folder: Path, name: str) -> None:
        await shared.connection.initialize(protocol_version=1)
        for call in ("load_session", "resume_session"):
            with pytest.raises(RequestError, match="There is no session") as refused:
                await getattr(shared.connection, call)(cwd=str(folder), session_id=name, mcp_servers=[])
            assert refused.value.code == -32002
        with pytest.raises(RequestError, match="There is no session"):
            await shared.prompt(name, "hello")

    async def test_a_home_that_cannot_be_written_costs_only_the_later_load(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        async with agent(env={"SAYSO_HOME": str(tmp_path / "file")}) as running:
            session = await running.open(folder)
            assert (await running.prompt(session, "hello")).stop_reason == "end_turn"
            assert b"cannot be loaded later" in running.stderr

    async def test_a_workspace_that_vanished_is_told(self, shared: Agent, folder: Path) -> None:
        session = await shared.open(folder)
        await asyncio.to_thread(folder.rmdir)
        with pytest.raises(RequestError, match="does not exist"):
            await shared.prompt(session, "where is the door")


class TestPlan:
    async def test_mode_plan_streams_the_plan_and_returns_it_as_data(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop, "plan")
        ended = await shared.prompt(session, "Refund a payment")
        assert ended.stop_reason == "end_turn"
        plan = Plan.model_validate(ended.field_meta["sayso"]["result"])
        assert plan.files[0].path == "shop/payment.py"
        assert shared.client.text == render(plan)
        assert len(shared.client.of("agent_message_chunk")) > 5

    async def test_a_plan_run_is_asked_for_in_meta(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop)
        ended = await shared.prompt(session, "go", sayso={"run": "plan", "instructions": "Refund a payment"})
        plan = Plan.model_validate(ended.field_meta["sayso"]["result"])
        assert plan.instructions == "Refund a payment"
        assert shared.client.text == render(plan)

    async def test_the_first_prompt_names_the_session_but_a_run_does_not(self, shared: Agent, shop: Path) -> None:
        run = await shared.open(shop)
        await shared.prompt(run, "go", sayso={"run": "plan", "instructions": "Refund a payment"})
        assert shared.client.of("session_info_update") == []
        free = await shared.open(shop)
        await shared.prompt(free, "Where is a payment refunded?")
        titles = [update.title for update in shared.client.of("session_info_update")]
        assert titles == ["Where is a payment refunded?"]

    async def test_its_work_can_be_watched(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop, "plan")
        await shared.prompt(session, "Refund a payment")
        client = shared.client
        assert [call.title for call in client.of("tool_call")] == [title for _, title, _ in LOOKS]
        assert [call.kind for call in client.of("tool_call")] == ["search", "read", "read", "search", "think"]
        assert {call.tool_call_id for call in client.of("tool_call")} == {
            call.tool_call_id for call in client.of("tool_call_update") if call.status == "completed"
        }
        read = [update for update in client.of("tool_call_update") if update.status == "completed"][1]
        assert (read.locations[0].path, read.locations[0].line) == (str(shop / "shop/payment.py"), 9)
        states = ["".join(entry.status[0] for entry in plan.entries) for plan in client.of("plan")]
        assert states == ["ipppp", "cippp", "ccipp", "cccip", "cccci", "ccccc"]

    async def test_two_turns_have_different_tool_calls(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop, "plan")
        await shared.prompt(session, "Refund a payment")
        await shared.prompt(session, "Refund a payment")
        calls = [call.tool_call_id for call in shared.client.of("tool_call")]
        assert len(set(calls)) == 2 * len(LOOKS)

    async def test_a_review_run_returns_its_findings_as_data(self, shared: Agent, shop: Path) -> None:
        write(shop, {"shop/mail.py": "def send_receipt(payment):\n    breakpoint()\n"})
        session = await shared.open(shop)
        ended = await shared.prompt(session, "go", sayso={"run": "review"})
        assert ended.stop_reason == "end_turn"
        found = ended.field_meta["sayso"]["result"]["findings"]
        assert ("shop/mail.py", 2) in [(finding["file"], finding["line"]) for finding in found]
        assert "shop/mail.py" in shared.client.text

    async def test_a_review_of_nothing_and_an_unknown_run_are_refused(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop)
        for run in ("review", "dance"):
            assert (await shared.prompt(session, "go", sayso={"run": run})).stop_reason == "refusal"

    async def test_meta_of_any_shape_is_survived(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop)
        for meta in ("text", 3, [1], {"run": 5, "instructions": None}, None):
            assert (await shared.prompt(session, "hello", sayso=meta)).stop_reason == "end_turn"


class TestAsk:
    async def test_a_question_is_answered_with_places(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop)
        ended = await shared.prompt(session, "Where is a payment refunded?")
        assert ended.stop_reason == "end_turn"
        assert ended.field_meta is None
        assert "1. **`shop/payment.py`**" in shared.client.text
        assert "no model read them" in shared.client.text

    @pytest.mark.parametrize("text", ["", "hello", "Help!", "你好"])
    async def test_a_greeting_explains_the_scout(self, shared: Agent, folder: Path, text: str) -> None:
        session = await shared.open(folder)
        await shared.prompt(session, text)
        assert shared.client.text.startswith("I am the scout")
        assert "SAYSO_AGENT_MODEL" in shared.client.text
        assert shared.client.of("tool_call") == []


class TestSavingThePlan:
    async def test_it_asks_with_a_diff_and_writes_after_a_yes(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop)
        await shared.prompt(session, "go", sayso={"run": "plan", "instructions": "Refund a payment"})
        plan = shared.client.text
        ended = await shared.prompt(session, "write plan to docs/plan.md")
        assert ended.stop_reason == "end_turn"
        ((call, options),) = shared.client.asked
        assert [option.kind for option in options] == ["allow_once", "allow_always", "allow_always", "reject_once"]
        assert options[1].name.startswith("Allow for this session: ")
        assert call.kind == "edit"
        assert "docs/plan.md" in (call.title or "")
        assert call.content
        diff = call.content[0]
        assert (diff.type, diff.path, diff.old_text) == ("diff", str(shop / "docs/plan.md"), None)
        assert (shop / "docs/plan.md").read_text() == plan == diff.new_text
        assert shared.client.of("tool_call_update")[-1].status == "completed"

    async def test_nothing_is_written_after_a_no(self, shared: Agent, shop: Path) -> None:
        shared.client.answer, shared.client.feedback = "reject_once", "into docs, please"
        session = await shared.open(shop)
        await shared.prompt(session, "go", sayso={"run": "plan", "instructions": "Refund a payment"})
        ended = await shared.prompt(session, "ok", sayso={"save_plan": "plan.md"})
        assert ended.stop_reason == "end_turn"
        assert shared.client.text.endswith(
            "You said no, so nothing was written to `plan.md`. You said: into docs, please"
        )
        assert not (shop / "plan.md").exists()
        assert shared.client.of("tool_call_update")[-1].status == "failed"

    async def test_a_cancelled_question_ends_the_turn_as_cancelled(self, shared: Agent, shop: Path) -> None:
        shared.client.answer = "cancelled"
        session = await shared.open(shop)
        ended = await shared.prompt(
            session, "go", sayso={"run": "plan", "instructions": "Refund a payment", "save_plan": "plan.md"}
        )
        assert ended.stop_reason == "cancelled"
        assert not (shop / "plan.md").exists()

    async def test_a_cancel_does_not_wait_for_a_client_that_never_answers(self, shared: Agent, shop: Path) -> None:
        shared.client.answer = None
        session = await shared.open(shop)
        await shared.prompt(session, "go", sayso={"run": "plan", "instructions": "Refund a payment"})
        prompt = asyncio.create_task(shared.prompt(session, "write the plan to plan.md"))
        await shared.client.until(lambda: shared.client.asked)
        await shared.connection.cancel(session_id=session)
        assert (await asyncio.wait_for(prompt, 30)).stop_reason == "cancelled"
        assert not (shop / "plan.md").exists()

    @pytest.mark.parametrize(
        ("path", "why"),
        [
            ("../plan.md", "outside the workspace"),
            ("/tmp/plan.md", "outside the workspace"),
            ("out/plan.md", "outside the workspace"),
            (".git/hooks/plan.md", "belongs to git itself"),
            ("shop/payment.py", "A plan is Markdown"),
            ("folder.md", "is a folder"),
        ],
    )
    async def test_other_places_are_refused_without_a_question(
        self, shared: Agent, shop: Path, path: str, why: str
    ) -> None:
        (shop / "out").symlink_to(shop.parent)
        (shop / "folder.md").mkdir()
        session = await shared.open(shop)
        await shared.prompt(session, "go", sayso={"run": "plan", "instructions": "Refund a payment"})
        await shared.prompt(session, f"write plan to {path}")
        assert why in shared.client.text
        assert shared.client.asked == []
        assert not (shop.parent / "plan.md").exists()

    async def test_without_a_plan_there_is_nothing_to_write(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop)
        await shared.prompt(session, "write plan to plan.md")
        assert "There is no plan in this session yet" in shared.client.text
        assert shared.client.asked == []

    async def test_mode_plan_reads_only(self, shared: Agent, shop: Path) -> None:
        session = await shared.open(shop, "plan")
        await shared.prompt(session, "Refund a payment")
        await shared.prompt(session, "write plan to plan.md")
        assert shared.client.text.endswith("Switch to mode Default and say it again.")
        assert not (shop / "plan.md").exists()

    @pytest.mark.parametrize("flag", ["--yolo", "--afk"])
    async def test_with_the_flag_it_does_not_ask(self, shop: Path, flag: str) -> None:
        async with agent(flag) as running:
            session = await running.open(shop)
            await running.prompt(session, "go", sayso={"run": "plan", "instructions": "Refund a payment"})
            await running.prompt(session, "write plan to plan.md")
            assert running.client.asked == []
            assert (shop / "plan.md").exists()


class TestCancelAndEnd:
    async def test_a_cancel_in_the_middle_of_a_large_tree_is_prompt(self, shared: Agent) -> None:
        session = await shared.open(BIG_TREE, "plan")
        prompt = asyncio.create_task(shared.prompt(session, "retry requests when the connection times out"))
        await shared.client.until(lambda: len(shared.client.of("tool_call")) == 2)
        await shared.connection.cancel(session_id=session)
        before = time.monotonic()
        assert (await prompt).stop_reason == "cancelled"
        assert time.monotonic() - before < 20
        assert shared.client.of("tool_call_update")[-1].status == "failed"
        assert (await shared.prompt(session, "hello")).stop_reason == "end_turn"

    async def test_a_cancel_when_nothing_runs_is_no_mistake(self, shared: Agent, folder: Path) -> None:
        session = await shared.open(folder)
        await shared.connection.cancel(session_id=session)
        await shared.connection.cancel(session_id="ses_unknown")
        assert (await shared.prompt(session, "hello")).stop_reason == "end_turn"

    async def test_a_second_prompt_in_a_busy_session_is_refused_and_another_session_runs(
        self, shared: Agent, shop: Path
    ) -> None:
        busy = await shared.open(BIG_TREE, "plan")
        other = (await shared.connection.new_session(cwd=str(shop), mcp_servers=[])).session_id
        prompt = asyncio.create_task(shared.prompt(busy, "retry requests"))
        await shared.client.until(lambda: shared.client.of("tool_call"))
        with pytest.raises(RequestError, match="A turn is running"):
            await shared.prompt(busy, "hello")
        assert (await shared.prompt(other, "hello")).stop_reason == "end_turn"
        await shared.connection.cancel(session_id=busy)
        assert (await prompt).stop_reason == "cancelled"

    async def test_end_of_input_ends_it(self, folder: Path) -> None:
        async with agent() as running:
            await running.open(folder)
            running.process.stdin.close()
            assert await running.ends() == 0
            assert running.stderr.decode() == ""

    async def test_end_of_input_ends_it_in_the_middle_of_a_turn(self) -> None:
        async with agent() as running:
            session = await running.open(BIG_TREE, "plan")
            prompt = asyncio.create_task(running.prompt(session, "retry requests"))
            await running.client.until(lambda: len(running.client.of("tool_call")) == 2)
            running.process.stdin.close()
            assert await running.ends() == 0
            assert (await prompt).stop_reason == "cancelled"
            assert running.stderr.decode() == ""

    async def test_end_of_input_ends_it_while_it_asks(self, shop: Path) -> None:
        async with agent(answer=None) as running:
            session = await running.open(shop)
            prompt = asyncio.create_task(
                running.prompt(session, "go", sayso={"run": "plan", "instructions": "refund", "save_plan": "plan.md"})
            )
            await running.client.until(lambda: running.client.asked)
            running.process.stdin.close()
            assert await running.ends() == 0
            prompt.cancel()
            assert running.stderr.decode() == ""

    @pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
    async def test_a_signal_ends_it_at_once(self, how: signal.Signals) -> None:
        async with agent() as running:
            session = await running.open(BIG_TREE, "plan")
            prompt = asyncio.create_task(running.prompt(session, "retry requests"))
            await running.client.until(lambda: running.client.of("tool_call"))
            running.process.send_signal(how)
            assert await running.ends(1) == -how
            prompt.cancel()
            assert running.stderr.decode() == ""
