"""The registry, and one call from its start to its result."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from actions.agent.toolset.call import ToolCall, current_call
from actions.agent.toolset.events import CallEnded, CallEvent, CallPrepared, CallRunning
from actions.agent.toolset.results import ErrorClass, ToolFailure, ToolResult
from actions.agent.toolset.tool import Origin, Tool
from actions.catalog.spec import Effect
from tests.actions.agent.toolset.rig import Echo, Loose, Rig, Words, args


def names(rig: Rig) -> list[str]:
    return [tool.name for tool in rig.toolset.listed()]


# Hidden tools


def test_01_a_hidden_tool_is_not_listed() -> None:
    """Case 1."""
    rig = Rig(Echo("A"), Echo("B"))
    rig.toolset.hide("A")
    assert names(rig) == ["B"]


def test_02_hiding_an_existing_tool_is_true() -> None:
    """Case 2."""
    assert Rig(Echo("A")).toolset.hide("A") is True


def test_03_hiding_an_unknown_tool_is_false_and_changes_nothing() -> None:
    """Case 3."""
    rig = Rig(Echo("A"))
    assert rig.toolset.hide("B") is False
    assert rig.toolset.unhide("B") is False
    assert names(rig) == ["A"]


def test_04_hidden_twice_and_shown_once_is_listed() -> None:
    """Case 4."""
    rig = Rig(Echo("A"))
    assert rig.toolset.hide("A")
    assert rig.toolset.hide("A")
    assert rig.toolset.unhide("A")
    assert names(rig) == ["A"]


async def test_05_a_hidden_tool_is_found_and_runs() -> None:
    """Case 5."""
    loose = Loose()
    rig = Rig(Echo("A"), loose)
    rig.toolset.hide("Loose")
    assert rig.toolset.find("Loose") is loose
    assert rig.toolset.find_type(Loose) is loose
    assert (await rig.start("Loose", "[1]")).output == "((1,), {})"


# Names


async def test_06_66_an_unknown_tool_is_not_found_at_once_and_the_rest_goes_on() -> None:
    """Cases 6 and 66."""
    rig = Rig(Echo())
    pending = rig.start("Nope")
    assert pending.done()
    assert pending.result().error is ErrorClass.NOT_FOUND
    assert "'Nope'" in pending.result().message
    assert (await rig.start("Echo")).output == "ok"


@pytest.mark.parametrize("origin", ["builtin", "plugin", "mcp", "client"])
async def test_68_86_nothing_replaces_a_built_in_tool(origin: Origin, caplog: pytest.LogCaptureFixture) -> None:
    """The dispatcher's half of cases 68 and 86."""
    ours = Echo("Shell", effect=Effect.DANGER)
    rig = Rig(ours)
    theirs = Echo("Shell")
    assert rig.toolset.add(theirs, origin) is False
    assert "'Shell'" in caplog.text
    assert rig.toolset.find("Shell") is ours
    await rig.start("Shell")
    assert (len(ours.runs), len(theirs.runs), len(rig.gate.asked)) == (1, 0, 1)


@pytest.mark.parametrize(
    ("held", "new", "taken"),
    [("client", "client", True), ("mcp", "mcp", False), ("mcp", "client", False), ("plugin", "mcp", False)],
)
def test_who_may_take_a_name(held: Origin, new: Origin, taken: bool) -> None:
    rig = Rig()
    first, second = Echo("T"), Echo("T")
    assert rig.toolset.add(first, held)
    assert rig.toolset.add(second, new) is taken
    assert rig.toolset.find("T") is (second if taken else first)


def test_85_the_same_name_under_two_prefixes() -> None:
    """The dispatcher's half of case 85."""
    rig = Rig()
    assert rig.toolset.add(Echo("x__search"), "mcp")
    assert rig.toolset.add(Echo("y__search"), "mcp")
    assert names(rig) == ["x__search", "y__search"]


def test_the_list_is_in_order_of_origin_and_the_same_until_something_changes() -> None:
    rig = Rig()
    origins: dict[str, Origin] = {"c": "client", "m": "mcp", "p": "plugin", "b": "builtin"}
    for name, origin in origins.items():
        rig.toolset.add(Echo(name), origin)
    assert names(rig) == ["b", "p", "m", "c"]
    assert rig.toolset.listed() is rig.toolset.listed()
    assert rig.toolset.remove("m")
    assert not rig.toolset.remove("m")
    assert names(rig) == ["b", "p", "c"]


def test_only_tools_without_an_effect_may_start_early() -> None:
    tools = [Echo(effect.value, effect=effect) for effect in Effect]
    rig = Rig(*tools)
    assert [tool.name for tool in tools if rig.toolset.may_start_early(tool.name)] == ["none", "read"]
    assert not rig.toolset.may_start_early("Nope")


# Arguments


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        ('{"a":1}', "((), {'a': 1})"),
        ("[1,2]", "((1, 2), {})"),
        ('"x"', "(('x',), {})"),
        ("null", "((None,), {})"),
        ("", "((), {})"),
    ],
)
async def test_an_untyped_tool_gets_keywords_positions_or_one_argument(arguments: str, seen: str) -> None:
    assert (await Rig(Loose()).start("Loose", arguments)).output == seen


async def test_a_typed_tool_is_lax_and_ignores_unknown_keys() -> None:
    echo = Echo()
    await Rig(echo).start("Echo", '{"value":"5","other":1}')
    assert echo.runs == [Words(value=5)]


@pytest.mark.parametrize(("arguments", "names_field"), [('{"value":"x"}', "value"), ("[1]", "arguments")])
async def test_arguments_that_do_not_fit_name_the_field(arguments: str, names_field: str) -> None:
    echo = Echo()
    result = await Rig(echo).start("Echo", arguments)
    assert result.error is ErrorClass.INVALID_INPUT
    assert names_field in result.message
    assert echo.runs == []


async def test_an_untyped_tool_that_does_not_take_the_arguments() -> None:
    class One(Tool):
        name = "One"
        effect = Effect.NONE

        async def run(self, path: str) -> ToolResult:
            return ToolResult(path)

    result = await Rig(One()).start("One", '{"nope":1}')
    assert result.error is ErrorClass.INVALID_INPUT
    assert "nope" in result.message


# Ways to fail


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ValueError("no such thing"), ErrorClass.TOOL_ERROR, "ValueError: no such thing"),
        (TimeoutError(), ErrorClass.TIMEOUT, "TimeoutError"),
        (ToolFailure("gone", error=ErrorClass.INVALID_INPUT), ErrorClass.INVALID_INPUT, "gone"),
        (SystemExit(3), ErrorClass.TOOL_ERROR, "SystemExit"),
        (RecursionError(), ErrorClass.TOOL_ERROR, "RecursionError"),
        (asyncio.CancelledError(), ErrorClass.CANCELLED, "cancelled"),
    ],
)
async def test_17_whatever_a_tool_raises_is_a_result(error: BaseException, kind: ErrorClass, said: str) -> None:
    """Case 17."""

    async def fail(_: Words) -> None:
        raise error

    rig = Rig(Echo(then=fail))
    result = await rig.start("Echo")
    assert result.error is kind
    assert said in result.message


async def test_a_tool_that_returns_something_else_is_told_what_it_returned() -> None:
    class Wrong(Loose):
        async def run(self, *args: Any, **kwargs: Any) -> Any:
            return {"output": "x"}

    result = await Rig(Wrong()).start("Loose")
    assert result.error is ErrorClass.TOOL_ERROR
    assert "dict" in result.message


async def test_a_watcher_that_fails_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    rig = Rig(Echo())

    def fail(_: CallEvent) -> None:
        raise RuntimeError("broken screen")

    rig.toolset.watch(fail)
    assert (await rig.start("Echo")).output == "ok"
    assert "broken screen" in caplog.text


# Ids


async def test_77_two_calls_with_one_id_are_two_calls() -> None:
    """Case 77."""
    rig = Rig(Echo())
    rig.toolset.begin_step()
    one, other = rig.start("Echo", '{"text":"1"}', id="x"), rig.start("Echo", '{"text":"2"}', id="x")
    results = await asyncio.gather(one, other)
    assert [result.output for result in results] == ["1", "2"]
    assert one.call.id == "x"
    assert other.call.id not in ("", "x")
    assert [call.id for call in rig.toolset.end_step().calls] == ["x", other.call.id]


async def test_a_call_without_an_id_gets_one() -> None:
    rig = Rig(Echo())
    pending = rig.toolset.handle(ToolCall("", "Echo", "{}"))
    assert pending.call.id
    await pending


# Side by side


async def test_calls_of_a_step_run_side_by_side_and_end_in_completion_order() -> None:
    gates = {"1": asyncio.Event(), "2": asyncio.Event()}

    async def wait(words: Words) -> None:
        await gates[words.text].wait()

    rig = Rig(Echo(then=wait))
    ended: list[str] = []
    rig.toolset.watch(lambda event: ended.append(event.call.id) if isinstance(event, CallEnded) else None)
    rig.toolset.begin_step()
    first, second = rig.start("Echo", '{"text":"1"}', id="a"), rig.start("Echo", '{"text":"2"}', id="b")
    await asyncio.sleep(0)
    gates["2"].set()
    await second
    assert not first.done()
    gates["1"].set()
    await first
    assert ended == ["b", "a"]
    assert [call.id for call in rig.toolset.end_step().calls] == ["a", "b"]


async def test_watchers_hear_what_happens_in_order_until_they_leave() -> None:
    rig = Rig(Echo(effect=Effect.WRITE))
    heard: list[CallEvent] = []
    leave = rig.toolset.watch(heard.append)
    await rig.start("Echo")
    assert [type(event) for event in heard] == [CallPrepared, CallRunning, CallEnded]
    leave()
    await rig.start("Echo", '{"text":"again"}')
    assert len(heard) == 3


async def test_copies_end_under_their_own_ids() -> None:
    rig = Rig(Echo())
    ended: list[str] = []
    rig.toolset.watch(lambda event: ended.append(event.call.id) if isinstance(event, CallEnded) else None)
    rig.toolset.begin_step()
    await asyncio.gather(rig.start("Echo", id="a"), rig.start("Echo", id="b"))
    assert await rig.start("Echo", id="c")
    assert ended == ["a", "b", "c"]


async def test_the_current_call_is_seen_in_the_tool_and_nowhere_else() -> None:
    outside: list[ToolCall | None] = []
    echo = Echo(effect=Effect.WRITE)
    rig = Rig(echo)
    rig.toolset.watch(lambda event: outside.append(current_call.get()))
    one, other = rig.start("Echo", '{"text":"1"}', id="a"), rig.start("Echo", '{"text":"2"}', id="b")
    outside.append(current_call.get())
    await asyncio.gather(one, other)
    assert [call and call.id for call in echo.seen_calls] == ["a", "b"]
    assert set(outside) == {None}


async def test_handle_returns_before_anything_runs() -> None:
    echo = Echo()
    pending = Rig(echo).start("Echo")
    assert (pending.done(), echo.runs) == (False, [])
    await pending


async def test_five_hundred_at_once() -> None:
    async def wait(_: Words) -> None:
        await asyncio.sleep(0.01)

    rig = Rig(Echo(then=wait))
    results, _ = await rig.step(*[("Echo", args(value=number)) for number in range(500)])
    assert len(results) == 500


async def test_an_error_of_our_own_is_a_result_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rig = Rig(Echo())
    caplog.set_level(logging.CRITICAL)
    monkeypatch.setattr("actions.agent.toolset.dispatch.parse", None)
    result = await rig.start("Echo")
    assert result.error is ErrorClass.TOOL_ERROR
