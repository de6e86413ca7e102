"""The same call again: in one step, in a row, in circles, and in other words."""

from __future__ import annotations

import asyncio

import pytest

from actions.agent.toolset.results import ErrorClass, MediaPart, TextPart, ToolResult
from actions.catalog.spec import Effect
from tests.actions.agent.toolset.rig import NO, Echo, Loose, Rig, StandInGate, Words, args

X = ("Echo", '{"text":"x"}')
TIERS = ["none"] * 2 + ["r1"] * 2 + ["r2"] * 3 + ["r3"] * 4 + ["stop"] * 3


def tier(result: ToolResult) -> str:
    """Which reminder a text result carries."""
    assert isinstance(result.output, str)
    if "<system-reminder>" not in result.output:
        return "none"
    if "dead end" in result.output:
        return "r3"
    return "r2" if "repeated_times: " in result.output else "r1"


async def test_07_two_identical_calls_in_a_step_run_once() -> None:
    """Case 7."""
    echo = Echo()
    rig = Rig(echo)
    rig.toolset.begin_step()
    one, other = rig.start(*X, id="a"), rig.start("Echo", ' { "text" : "x" } ', id="b")
    results = await asyncio.gather(one, other)
    assert [result.output for result in results] == ["x", "x"]
    assert [one.call.id, other.call.id] == ["a", "b"]
    assert len(echo.runs) == 1
    report = rig.toolset.end_step()
    assert report.keys == (("Echo", '{"text":"x"}'),) * 2
    assert [call.id for call in report.calls] == ["a", "b"]


async def test_08_a_call_of_the_step_before_is_flagged_and_unchanged() -> None:
    """Case 8."""
    rig = Rig(Echo())
    await rig.step(X)
    rig.toolset.begin_step()
    assert not rig.toolset.duplicate
    assert (await rig.start(*X)).output == "x"
    assert rig.toolset.duplicate
    assert rig.toolset.end_step().duplicate


async def test_09_the_third_in_a_row_carries_the_first_reminder() -> None:
    """Case 9."""
    rig = Rig(Echo())
    outputs = [(await rig.step(X))[0][0].output for _ in range(3)]
    assert outputs[:2] == ["x", "x"]
    assert isinstance(outputs[2], str)
    assert outputs[2].startswith("x\n\n<system-reminder>\n")
    assert outputs[2].endswith("</system-reminder>")
    assert "repeated_times" not in outputs[2]


async def test_10_other_arguments_are_another_call() -> None:
    """Case 10."""
    rig = Rig(Echo())
    await rig.step(X)
    results, report = await rig.step(("Echo", '{"text":"y"}'))
    assert not report.duplicate
    assert results[0].output == "y"


async def test_11_a_step_begins_after_a_list_of_calls() -> None:
    """Case 11."""
    rig = Rig(Echo())
    await rig.step(X)
    _, report = await rig.step(X)
    assert report.duplicate
    rig.toolset.begin_step([("Echo", '{"text":"other"}')])
    assert not rig.toolset.duplicate
    await rig.start(*X)
    assert not rig.toolset.duplicate
    assert rig.toolset.end_step().keys == (("Echo", '{"text":"x"}'),)
    rig.toolset.begin_step([("Echo", '{"text":"x"}')])
    await rig.start(*X)
    assert rig.toolset.duplicate


async def test_12_streak_of_fourteen() -> None:
    """Case 12: every call ran, up to the 12th and beyond; the turn's end is the loop's."""
    echo = Echo()
    rig = Rig(echo)
    steps = [await rig.step(X) for _ in range(14)]
    assert [report.action for _, report in steps] == TIERS
    assert [tier(results[0]) for results, _ in steps] == TIERS[:11] + ["r3"] * 3
    assert [report.count for _, report in steps] == list(range(1, 15))
    assert len(echo.runs) == 14


async def test_13_14_15_stop_at_twelve_with_the_text_and_then_cleared() -> None:
    """Cases 13, 14 and 15."""
    rig = Rig(Echo())
    steps = [await rig.step(X) for _ in range(12)]
    assert [report.stop for _, report in steps] == [False] * 11 + [True]
    assert tier(steps[-1][0][0]) == "r3"
    assert not (await rig.step(("Echo", "{}")))[1].stop


async def test_18_a_model_that_repeats_for_ever_is_stopped_after_twelve_steps() -> None:
    """Case 18, the dispatcher's half."""
    rig = Rig(Echo())
    steps = 1
    while not (await rig.step(X))[1].stop:
        steps += 1
    assert steps == 12


async def test_a_pending_message_of_the_user_overrides_the_stop() -> None:
    rig = Rig(Echo())
    for _ in range(11):
        await rig.step(X)
    rig.toolset.begin_step()
    await rig.start(*X)
    report = rig.toolset.end_step(user_waits=True)
    assert not report.stop
    assert report.action == "stop"


@pytest.mark.parametrize(("first", "then"), [(2, "r1"), (4, "r2"), (7, "r3"), (11, "r3")])
async def test_copies_in_the_first_step_count_but_bring_no_text(first: int, then: str) -> None:
    rig = Rig(Echo())
    results, report = await rig.step(*[X] * first)
    assert {tier(result) for result in results} == {"none"}
    assert report.action == "none"
    results, report = await rig.step(X)
    assert tier(results[0]) == then
    assert report.count == first + 1
    assert report.stop == (first == 11)


async def third(rig: Rig, call: tuple[str, str]) -> ToolResult:
    """The result of the third of three steps with ``call``."""
    for _ in range(2):
        await rig.step(call)
    (result,), _ = await rig.step(call)
    return result


async def test_copies_carry_the_same_text() -> None:
    rig = Rig(Echo())
    await rig.step(X)
    await rig.step(X)
    results, _ = await rig.step(X, X, X)
    assert {result.output for result in results} == {results[0].output}
    assert tier(results[0]) == "r1"


async def test_the_second_tier_names_tool_count_and_canonical_arguments() -> None:
    rig = Rig(Echo())
    call = ("Echo", '{ "value": 1, "text": "x" }')
    for _ in range(4):
        await rig.step(call)
    results, _ = await rig.step(call)
    assert isinstance(results[0].output, str)
    lines = results[0].output.splitlines()
    assert "tool: Echo" in lines
    assert "repeated_times: 5" in lines
    assert 'arguments: {"text":"x","value":1}' in lines


async def test_large_arguments_are_named_in_part() -> None:
    rig = Rig(Echo())
    call = ("Echo", args(text="long " * 20_000))
    for _ in range(4):
        await rig.step(call)
    results, _ = await rig.step(call)
    assert isinstance(results[0].output, str)
    reminder = results[0].output[results[0].output.index("<system-reminder>") :]
    assert 'arguments: {"text":"long long' in reminder
    assert len(reminder) < 3_000


async def test_another_call_starts_again_at_one() -> None:
    rig = Rig(Echo(), Echo("Other"))
    for _ in range(3):
        await rig.step(X)
    await rig.step(("Other", "{}"))
    results, report = await rig.step(X)
    assert (tier(results[0]), report.count) == ("none", 1)


@pytest.mark.parametrize("reset", ["begin_turn", "revert"])
async def test_a_new_turn_and_a_revert_forget(reset: str) -> None:
    rig = Rig(Echo())
    for _ in range(6):
        await rig.step(X)
    getattr(rig.toolset, reset)()
    results, report = await rig.step(X)
    assert (tier(results[0]), report.count, report.duplicate) == ("none", 1, False)


async def test_parts_get_the_text_in_their_last_text_or_as_a_new_part() -> None:
    text, media = TextPart("t"), MediaPart("AAAA", "image/png")

    async def parts(words: Words) -> ToolResult:
        return ToolResult((media, text) if words.text == "x" else (text, media))

    rig = Rig(Echo(then=parts))
    ends_in_text, ends_in_media = await third(rig, X), await third(rig, ("Echo", '{"text":"y"}'))
    assert isinstance(last := ends_in_text.output[-1], TextPart)
    assert last.text.startswith("t\n\n<system-reminder>")
    assert ends_in_media.output[:2] == (text, media)
    assert isinstance(last := ends_in_media.output[-1], TextPart)
    assert last.text.startswith("<system-reminder>")


async def test_an_error_stays_an_error_with_its_output_first() -> None:
    async def bad(_: Words) -> ToolResult:
        return ToolResult("stderr", message="exit 1", error=ErrorClass.TOOL_ERROR)

    rig = Rig(Echo(then=bad))
    result = await third(rig, X)
    assert result.error is ErrorClass.TOOL_ERROR
    assert result.message == "exit 1"
    assert isinstance(result.output, str)
    assert result.output.startswith("stderr\n\n<system-reminder>")


async def test_rejected_calls_count() -> None:
    rig = Rig(Echo(effect=Effect.WRITE), gate=StandInGate(answer=NO))
    results = [(await rig.step(X))[0][0] for _ in range(3)]
    assert [result.error for result in results] == [ErrorClass.REJECTED] * 3
    assert tier(results[2]) == "r1"


async def test_identical_calls_of_a_step_ask_once() -> None:
    echo, gate = Echo(effect=Effect.WRITE), StandInGate()
    results, _ = await Rig(echo, gate=gate).step(X, X, X)
    assert [result.output for result in results] == ["x"] * 3
    assert (len(gate.asked), len(echo.runs)) == (1, 1)


@pytest.mark.parametrize("kind", ["fails", "is rejected", "succeeds"])
async def test_a_copy_of_a_call_that_ended_is_not_run(kind: str) -> None:
    async def then(_: Words) -> None:
        if kind == "fails":
            raise ValueError("no")

    echo = Echo(effect=Effect.WRITE, then=then)
    gate = StandInGate(answer=NO) if kind == "is rejected" else StandInGate()
    rig = Rig(echo, gate=gate)
    rig.toolset.begin_step()
    first = await rig.start(*X)
    again = rig.start(*X)
    assert again.done()
    assert again.result() == first
    assert len(gate.asked) == 1


# Cancelling one of several


async def test_cancelling_one_copy_leaves_the_others() -> None:
    go = asyncio.Event()

    async def wait(_: Words) -> None:
        await go.wait()

    echo = Echo(then=wait)
    rig = Rig(echo)
    rig.toolset.begin_step()
    first, second, third = (rig.start(*X) for _ in range(3))
    await asyncio.sleep(0)
    first.cancel()
    third.cancel()
    go.set()
    assert (await second).output == "x"
    assert len(echo.runs) == 1


async def test_after_a_cancelled_first_a_later_identical_call_runs() -> None:
    go = asyncio.Event()
    ended: list[str] = []

    async def wait(_: Words) -> None:
        try:
            await go.wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    echo = Echo(then=wait)
    rig = Rig(echo)
    rig.toolset.begin_step()
    first = rig.start(*X)
    await asyncio.sleep(0)
    first.cancel()
    second = rig.start(*X)
    await asyncio.sleep(0)
    assert ended == ["cancelled"]
    go.set()
    assert (await second).output == "x"
    assert len(echo.runs) == 2


# Circles


@pytest.mark.parametrize("in_one_step", [False, True])
async def test_73_a_and_b_in_turns(in_one_step: bool) -> None:
    """Case 73: r1 by the third cycle, stop by the twelfth, across steps and with both in every step."""
    rig = Rig(Echo())
    a, b = ("Echo", '{"text":"a"}'), ("Echo", '{"text":"b"}')
    reached: dict[str, int] = {}
    for cycle in range(1, 13):
        steps = [await rig.step(a, b)] if in_one_step else [await rig.step(a), await rig.step(b)]
        for results, report in steps:
            for result in results:
                reached.setdefault(tier(result), cycle)
            if report.stop:
                reached.setdefault("stop", cycle)
    assert reached == {"none": 1, "r1": 3, "r2": 5, "r3": 8, "stop": 12}


@pytest.mark.parametrize("length", [3, 4])
async def test_longer_circles(length: int) -> None:
    rig = Rig(Echo())
    calls = [("Echo", args(value=number)) for number in range(length)]
    actions = [(await rig.step(call))[1].action for _ in range(12) for call in calls]
    assert actions[length * 3 - 1] == "r1"
    assert actions[length * 12 - 1] == "stop"


async def test_five_different_calls_in_turns_are_no_circle() -> None:
    rig = Rig(Loose())
    for number in range(60):
        _, report = await rig.step(("Loose", args(value=number % 5)))
        assert report.action == "none"


# Unknown tools, bad JSON


async def test_74_the_same_unknown_tool_twelve_times() -> None:
    """Case 74."""
    rig = Rig(Echo())
    steps = [await rig.step(("Nope", '{"a": 1}')) for _ in range(12)]
    assert [report.action for _, report in steps] == TIERS[:12]
    assert {results[0].error for results, _ in steps} == {ErrorClass.NOT_FOUND}
    assert steps[-1][1].stop


async def test_75_the_same_unreadable_arguments_five_times() -> None:
    """Case 75."""
    echo = Echo()
    rig = Rig(echo)
    results = [(await rig.step(("Echo", '{"text": ')))[0][0] for _ in range(5)]
    assert {result.error for result in results} == {ErrorClass.BAD_JSON}
    assert [tier(result) for result in results] == TIERS[:5]
    assert isinstance(results[4].output, str)
    assert 'arguments: {"text": ' in results[4].output.splitlines()
    assert echo.runs == []


async def test_an_unknown_tool_in_between_ends_a_streak() -> None:
    rig = Rig(Echo())
    await rig.step(X)
    await rig.step(X)
    await rig.step(("Nope", "{}"))
    assert (await rig.step(X))[1].count == 1


# Without progress


@pytest.mark.parametrize(
    "spellings",
    [
        ["ls  -l", "ls -l", " ls -l ", "ls\t-l", "ls -l\n"],
        ["src/a.py", "./src/a.py", "src//a.py", "src/./a.py", "src/b/../a.py"],
        ["/ws/src/a.py", "src/a.py", "/ws/./src/a.py", "./src/a.py", "/ws//src/a.py"],
    ],
)
async def test_other_spellings_with_the_same_result_are_a_loop(spellings: list[str]) -> None:
    async def same(_: Words) -> ToolResult:
        return ToolResult("same")

    rig = Rig(Echo(then=same), root="/ws")
    actions = [(await rig.step(("Echo", Words(text=text).model_dump_json())))[1].action for text in spellings * 3]
    assert actions[:12] == TIERS[:12]


@pytest.mark.parametrize("ignored", ['"attempt": {n}', '"description": "try {n}"'])
async def test_what_a_tool_does_not_heed_hides_no_loop(ignored: str) -> None:
    class Remarked(Words):
        description: str = ""

    class Noted(Echo):
        params = Remarked
        remarks = frozenset({"description"})

    async def same(_: Words) -> ToolResult:
        return ToolResult("same")

    rig = Rig(Noted(then=same))
    actions = [
        (await rig.step(("Echo", '{"text": "a", ' + ignored.replace("{n}", str(n)) + "}")))[1].action for n in range(12)
    ]
    assert actions == TIERS[:12]


async def test_other_spellings_with_another_result_are_progress() -> None:
    rig = Rig(Echo())
    for spaces in range(1, 15):
        results, report = await rig.step(("Echo", Words(text=f"a{' ' * spaces}b").model_dump_json()))
        assert (report.action, tier(results[0])) == ("none", "none")


async def test_spellings_within_the_first_step_bring_no_text() -> None:
    async def same(_: Words) -> ToolResult:
        return ToolResult("same")

    rig = Rig(Echo(then=same))
    calls = [("Echo", Words(text=f"a{' ' * spaces}b").model_dump_json()) for spaces in range(1, 5)]
    results, report = await rig.step(*calls)
    assert ({tier(result) for result in results}, report.action) == ({"none"}, "none")
    results, report = await rig.step(("Echo", Words(text="a\tb").model_dump_json()))
    assert tier(results[0]) == "r2"


async def test_a_long_text_with_another_space_is_the_same_loop() -> None:
    async def same(_: Words) -> ToolResult:
        return ToolResult("written")

    rig = Rig(Echo(then=same))
    text = "many words " * 1_000
    actions = [(await rig.step(("Echo", Words(text=text + " " * n).model_dump_json())))[1].action for n in range(5)]
    assert actions == TIERS[:5]


# Polling


async def test_of_a_tool_that_polls_only_an_unchanged_result_counts() -> None:
    answers = iter([*(f"at {number} %" for number in range(20)), *["done"] * 20])

    async def poll(_: Words) -> ToolResult:
        return ToolResult(next(answers))

    rig = Rig(Echo("Wait", then=poll, polls=True))
    moving = [(await rig.step(("Wait", "{}")))[1] for _ in range(20)]
    assert {report.action for report in moving} == {"none"}
    still = [(await rig.step(("Wait", "{}"))) for _ in range(12)]
    assert [report.action for _, report in still] == TIERS[:12]
    assert still[-1][1].stop
