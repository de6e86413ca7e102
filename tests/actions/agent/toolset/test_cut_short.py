"""Calls that are cut short: a cancelled turn, an answer that broke off and is asked for again."""

from __future__ import annotations

import asyncio

import pytest

from actions.agent.toolset.results import ErrorClass, ToolResult
from actions.catalog.spec import Effect
from tests.actions.agent.toolset.rig import Echo, Rig, StandInGate, Words
from tests.stopwatch import Stopwatch

X = ("Echo", '{"text":"x"}')


async def forever(_: Words) -> None:
    await asyncio.Event().wait()


async def test_79_a_cancel_gives_every_open_call_a_result_and_keeps_the_others() -> None:
    """The dispatcher's half of case 79."""
    rig = Rig(Echo("Done"), Echo("Runs", then=forever))
    rig.toolset.begin_step()
    done, runs, copy = rig.start("Done"), rig.start("Runs"), rig.start("Runs")
    await done
    await rig.toolset.cancel()
    assert done.result().output == "ok"
    assert [runs.result().error, copy.result().error] == [ErrorClass.CANCELLED] * 2
    assert len(rig.toolset.end_step().calls) == 3


async def test_a_cancel_does_not_wait_for_a_tool_that_takes_its_time() -> None:
    cleaned = asyncio.Event()

    async def slow(_: Words) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.4)
            cleaned.set()

    rig = Rig(Echo(then=slow))
    pending = rig.start("Echo")
    await asyncio.sleep(0)
    began = Stopwatch()
    await rig.toolset.cancel()
    assert began.seconds < 0.2
    assert pending.result().error is ErrorClass.CANCELLED
    assert not cleaned.is_set()
    await rig.toolset.close()
    assert cleaned.is_set()


async def test_a_cancelled_call_with_an_effect_says_that_it_may_have_had_it() -> None:
    rig = Rig(Echo("Write", effect=Effect.WRITE, then=forever), Echo("Read", effect=Effect.READ, then=forever))
    write, read = rig.start("Write"), rig.start("Read")
    for _ in range(5):
        await asyncio.sleep(0)
    await rig.toolset.cancel()
    assert "may have had an effect" in write.result().message
    assert "may have had an effect" not in read.result().message


async def test_a_cancel_while_a_person_is_asked() -> None:
    echo = Echo(effect=Effect.WRITE)
    rig = Rig(echo, gate=StandInGate(answer=None))
    pending = rig.start("Echo")
    await asyncio.sleep(0)
    await rig.toolset.cancel()
    assert (pending.result().error, echo.runs) == (ErrorClass.CANCELLED, [])


async def test_cancelling_who_waits_ends_the_call() -> None:
    rig = Rig(Echo(then=forever))
    pending = rig.start("Echo")
    waiter = asyncio.ensure_future(asyncio.wait_for(pending, 10))
    await asyncio.sleep(0)
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert pending.cancelled()
    await rig.toolset.close()


# A step that is tried again


async def test_78_a_write_that_finished_is_not_done_again() -> None:
    """The dispatcher's half of case 78."""
    echo = Echo(effect=Effect.WRITE)
    rig = Rig(echo)
    rig.toolset.begin_step()
    first = await rig.start(*X)
    rig.toolset.end_attempt()
    again, copy = rig.start("Echo", '{ "text": "x" }'), rig.start(*X)
    assert [again.result(), copy.result()] == [first, first]
    assert (len(echo.runs), len(rig.gate.asked)) == (1, 1)
    assert len(rig.toolset.end_step().calls) == 2


async def test_a_record_answers_in_its_own_step_only() -> None:
    echo = Echo(effect=Effect.WRITE)
    rig = Rig(echo)
    rig.toolset.begin_step()
    await rig.start(*X)
    rig.toolset.end_attempt()
    await rig.start(*X)
    rig.toolset.end_step()
    await rig.step(X)
    assert len(echo.runs) == 2


async def test_records_live_through_several_attempts() -> None:
    echo = Echo(effect=Effect.WRITE)
    rig = Rig(echo)
    rig.toolset.begin_step()
    await rig.start(*X)
    for _ in range(3):
        rig.toolset.end_attempt()
    assert (await rig.start(*X)).output == "x"
    assert len(echo.runs) == 1


@pytest.mark.parametrize(
    ("effect", "again"), [(Effect.WRITE, ErrorClass.OUTCOME_UNKNOWN), (Effect.DANGER, ErrorClass.OUTCOME_UNKNOWN)]
)
async def test_a_call_with_an_effect_that_was_cut_midway_is_not_run_again(effect: Effect, again: ErrorClass) -> None:
    echo = Echo(effect=effect, then=forever)
    rig = Rig(echo)
    rig.toolset.begin_step()
    cut = rig.start(*X)
    for _ in range(5):
        await asyncio.sleep(0)
    rig.toolset.end_attempt()
    assert cut.result().error is ErrorClass.CANCELLED
    assert (await rig.start(*X)).error is again
    assert len(echo.runs) == 1


async def test_a_cut_call_whose_tool_came_to_its_end_answers_with_what_it_did() -> None:
    async def stubborn(_: Words) -> ToolResult:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return ToolResult("written after all")
        raise AssertionError

    rig = Rig(Echo(effect=Effect.WRITE, then=stubborn))
    rig.toolset.begin_step()
    rig.start(*X)
    for _ in range(5):
        await asyncio.sleep(0)
    rig.toolset.end_attempt()
    await asyncio.sleep(0.01)
    assert (await rig.start(*X)).output == "written after all"


async def test_a_reading_call_that_was_cut_runs_again() -> None:
    go = asyncio.Event()

    async def wait(_: Words) -> None:
        await go.wait()

    echo = Echo(effect=Effect.READ, then=wait)
    rig = Rig(echo)
    rig.toolset.begin_step()
    rig.start(*X)
    await asyncio.sleep(0)
    rig.toolset.end_attempt()
    go.set()
    assert (await rig.start(*X)).output == "x"
    assert len(echo.runs) == 2


async def test_a_write_that_still_waited_for_approval_runs() -> None:
    echo = Echo(effect=Effect.WRITE)
    rig = Rig(echo, gate=StandInGate(answer=None))
    rig.toolset.begin_step()
    rig.start(*X)
    await asyncio.sleep(0)
    rig.toolset.end_attempt()
    rig.gate.released.set()
    assert (await rig.start(*X)).output == "x"
    assert len(echo.runs) == 1


async def test_an_attempt_that_broke_off_does_not_count() -> None:
    rig = Rig(Echo())
    for _ in range(2):
        await rig.step(X)
    rig.toolset.begin_step()
    for _ in range(3):
        await rig.start(*X)
        rig.toolset.end_attempt()
    await rig.start(*X)
    report = rig.toolset.end_step()
    assert (report.count, report.action, len(report.calls)) == (3, "r1", 1)


async def test_the_ids_of_an_attempt_that_broke_off_are_free_again() -> None:
    rig = Rig(Echo())
    rig.toolset.begin_step()
    await rig.start("Echo", "{}", id="x")
    rig.toolset.end_attempt()
    assert rig.start("Echo", "{}", id="x").call.id == "x"
