"""What stands between a call and its tool: hooks, the gate, the approval that is no longer true."""

from __future__ import annotations

import pytest

from actions.agent.approvals.decision import Decision, Source
from actions.agent.hooks.verdict import HookVerdict
from actions.agent.toolset.results import ErrorClass, ToolResult
from actions.catalog.spec import Effect
from tests.actions.agent.toolset.rig import NO, TURN, YES, Echo, Rig, StandInGate, StandInHooks, Words


@pytest.mark.parametrize(
    ("effect", "asked"),
    [
        (Effect.NONE, False),
        (Effect.READ, False),
        (Effect.WRITE, True),
        (Effect.EXTERNAL, True),
        (Effect.DANGER, True),
    ],
)
async def test_87_the_declared_effect_asks_the_tool_does_not(effect: Effect, asked: bool) -> None:
    """Case 87."""
    rig = Rig(Echo(effect=effect))
    assert not (await rig.start("Echo", '{"text":"x"}')).is_error
    assert [(wanted.effect, wanted.ask.summary, wanted.source) for wanted in rig.gate.asked] == (
        [(effect, "Echo x", TURN)] if asked else []
    )


async def test_the_arguments_may_raise_the_effect() -> None:
    class Either(Echo):
        def effect_of(self, arguments: Words) -> Effect:
            return Effect.WRITE if arguments.value else Effect.READ

    rig = Rig(Either(effect=Effect.READ))
    await rig.start("Echo", '{"value":0}')
    assert rig.gate.asked == []
    await rig.start("Echo", '{"value":1}')
    assert [wanted.effect for wanted in rig.gate.asked] == [Effect.WRITE]


async def test_only_a_built_in_tool_puts_itself_before_the_user() -> None:
    rig = Rig(Echo("Plan", effect=Effect.WRITE, user_action=True))
    rig.toolset.add(Echo("Theirs", effect=Effect.WRITE, user_action=True), "plugin")
    await rig.start("Plan")
    await rig.start("Theirs")
    assert [wanted.tool for wanted in rig.gate.asked] == ["Theirs"]


async def test_nothing_runs_before_the_answer() -> None:
    echo = Echo(effect=Effect.WRITE)
    result = await Rig(echo, gate=StandInGate(answer=NO)).start("Echo")
    assert result.error is ErrorClass.REJECTED
    assert echo.runs == []


async def test_the_fast_path_asks_nobody() -> None:
    gate = StandInGate(quick=Decision(approved=True, decided_by="rule", rule="r1"))
    assert (await Rig(Echo(effect=Effect.WRITE), gate=gate).start("Echo")).output == "ok"
    assert gate.asked == []


async def test_a_refusal_goes_to_the_model_and_does_not_end_the_turn() -> None:
    echo = Echo(effect=Effect.WRITE)
    rig = Rig(echo, gate=StandInGate(refuse="Plan mode is on."))
    (result,), report = await rig.step(("Echo", "{}"))
    assert (result.error, result.message) == (ErrorClass.BLOCKED, "Plan mode is on.")
    assert (report.rejected, echo.runs, rig.gate.asked) == (False, [], [])


async def test_a_rejection_without_feedback_ends_the_turn_whatever_else_succeeded() -> None:
    rig = Rig(Echo(effect=Effect.WRITE), Echo("Read"), gate=StandInGate(answer=NO))
    _, report = await rig.step(("Echo", "{}"), ("Read", "{}"))
    assert report.rejected
    assert not (await rig.step(("Read", "{}")))[1].rejected


async def test_feedback_goes_to_the_model_and_the_turn_goes_on() -> None:
    no = Decision(approved=False, decided_by="manual", feedback="use tabs")
    rig = Rig(Echo(effect=Effect.WRITE), gate=StandInGate(answer=no))
    (result,), report = await rig.step(("Echo", "{}"))
    assert "use tabs" in result.message
    assert (result.feedback, report.rejected) == ("use tabs", False)


async def test_a_subagent_is_told_to_take_another_way() -> None:
    source = Source("turn", "t1", agent_id="a1", agent_type="coder")
    result = await Rig(Echo(effect=Effect.WRITE), gate=StandInGate(answer=NO), source=source).start("Echo")
    assert "another way" in result.message


async def test_a_request_that_was_taken_back_is_a_cancelled_call() -> None:
    echo = Echo(effect=Effect.WRITE)
    result = await Rig(echo, gate=StandInGate(taken_back=True)).start("Echo")
    assert (result.error, echo.runs) == (ErrorClass.CANCELLED, [])


@pytest.mark.parametrize("still", [True, False])
async def test_88_what_changed_after_the_preview_does_not_run(still: bool) -> None:
    """The dispatcher's half of case 88."""

    async def still_true() -> bool:
        return still

    echo = Echo(effect=Effect.WRITE, still_true=still_true)
    rig = Rig(echo)
    result = await rig.start("Echo")
    assert (len(echo.runs), result.is_error, len(rig.gate.went_stale)) == ((1, False, 0) if still else (0, True, 1))


# Hooks


async def test_hooks_hear_of_a_call_before_and_after() -> None:
    hooks = StandInHooks()
    await Rig(Echo(), hooks=hooks).start("Echo", '{"text":"x"}', id="a")
    assert hooks.heard == [("before", "a", Words(text="x")), ("after", "a", "x")]


async def test_a_returned_error_is_an_after_and_an_exception_a_failure() -> None:
    async def then(words: Words) -> ToolResult | None:
        if words.text == "raise":
            raise ValueError(words.text)
        return ToolResult("bad", error=ErrorClass.TOOL_ERROR)

    hooks = StandInHooks()
    rig = Rig(Echo(then=then), hooks=hooks)
    await rig.start("Echo", '{"text":"return"}', id="a")
    await rig.start("Echo", '{"text":"raise"}', id="b")
    assert [heard for heard in hooks.heard if heard[0] != "before"] == [
        ("after", "a", "bad"),
        ("failed", "b", "ValueError"),
    ]


async def test_a_hook_blocks_before_anybody_is_asked() -> None:
    echo, hooks = Echo(effect=Effect.WRITE), StandInHooks(HookVerdict("block", "not on fridays"))
    rig = Rig(echo, hooks=hooks)
    result = await rig.start("Echo")
    assert result.error is ErrorClass.BLOCKED
    assert "not on fridays" in result.message
    assert (echo.runs, rig.gate.asked, len(hooks.heard)) == ([], [], 1)


@pytest.mark.parametrize("answer", [YES, NO])
async def test_a_hook_may_want_an_approval_for_a_call_that_needs_none(answer: Decision) -> None:
    echo = Echo(effect=Effect.READ)
    rig = Rig(echo, gate=StandInGate(answer=answer), hooks=StandInHooks(HookVerdict("ask", "look at this")))
    await rig.start("Echo")
    assert (len(rig.gate.asked), len(echo.runs)) == (1, int(answer.approved))


async def test_blocked_calls_count() -> None:
    rig = Rig(Echo(), hooks=StandInHooks(HookVerdict("block", "no")))
    reports = [(await rig.step(("Echo", "{}")))[1] for _ in range(12)]
    assert reports[-1].stop
