"""How often, and after how long, a request that failed is sent again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from actions.agent.loop.patience import Patience
from actions.agent.model.errors import ModelError, ModelErrorKind
from tests.actions.agent.loop.scripted import Answer, Scripted, breaks, calls, says
from tests.actions.agent.loop.stage import Screen, Stage

Open = Callable[..., Awaitable[Stage]]
BUSY = [ModelErrorKind.RATE_LIMIT, ModelErrorKind.OVERLOADED]


def busy(kind: ModelErrorKind = ModelErrorKind.RATE_LIMIT, after: float | None = None) -> ModelError:
    return ModelError(kind, "It is full. Send it again.", fault="It is full", retry_after=after)


class Slept:
    def __init__(self) -> None:
        self.times: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.times.append(seconds)


@pytest.mark.parametrize("kind", BUSY)
async def test_a_provider_that_is_full_gets_1_2_4_8_and_8_seconds_each_a_fifth_more_or_less(
    kind: ModelErrorKind,
) -> None:
    screen, slept = Screen(), Slept()
    patience = Patience(screen, slept)
    for _ in range(5):
        await patience.after(busy(kind))
    with pytest.raises(ModelError, match="Send it again"):
        await patience.after(busy(kind))
    for seconds, wanted in zip(slept.times, [1, 2, 4, 8, 8], strict=True):
        assert 0.8 * wanted <= seconds <= 1.2 * wanted
    told = [text for (text,) in screen.of("notice")]
    assert told[0] == f"It is full. Trying again in {slept.times[0]:.1f} s (1 of 5)."
    assert len(told) == 5


async def test_two_sessions_do_not_come_back_at_the_same_moment() -> None:
    slept = Slept()
    for _ in range(20):
        await Patience(Screen(), slept).after(busy())
    assert len(set(slept.times)) > 10


async def test_after_calls_have_begun_it_is_3_tries_within_5_seconds() -> None:
    slept = Slept()
    patience = Patience(Screen(), slept)
    for _ in range(3):
        await patience.after(busy(), begun=True)
    with pytest.raises(ModelError):
        await patience.after(busy(), begun=True)
    assert max(slept.times) <= 6
    assert slept.times[0] <= 0.36


async def test_the_time_that_a_provider_names_is_waited_and_a_very_long_one_is_told() -> None:
    slept = Slept()
    patience = Patience(Screen(), slept)
    await patience.after(busy(after=40))
    assert slept.times == [40]
    with pytest.raises(ModelError, match="wait 2:00:00") as told:
        await patience.after(busy(after=7200))
    assert told.value.kind is ModelErrorKind.RATE_LIMIT


async def test_a_short_time_that_a_provider_names_is_waited_each_time_and_not_longer() -> None:
    slept = Slept()
    patience = Patience(Screen(), slept)
    for _ in range(5):
        await patience.after(busy(after=1))
    assert slept.times == [1, 1, 1, 1, 1]
    with pytest.raises(ModelError):
        await patience.after(busy(after=1))


async def test_what_no_other_try_helps_is_raised_at_once() -> None:
    slept = Slept()
    with pytest.raises(ModelError):
        await Patience(Screen(), slept).after(busy(ModelErrorKind.AUTH))
    assert slept.times == []


async def test_cancel_ends_the_wait_at_once(stage: Open) -> None:
    here = await stage(
        {"default": {"error": {"status": 429, "retry_after": 60}, "times": 9}, "no_tools": {"text": "never"}}
    )
    turn = asyncio.create_task(here.prompt("go"))
    await here.screen.until(lambda: here.screen.of("notice"))
    [(told,)] = here.screen.of("notice")
    assert "Trying again in 60.0 s" in told
    assert "Send the prompt again" not in told
    started = time.monotonic()
    await here.session.cancel()
    assert (await turn).reason == "cancelled"
    assert time.monotonic() - started < 10


async def test_a_summary_is_asked_for_again_too(stage: Open) -> None:
    full = ModelError(ModelErrorKind.RATE_LIMIT, "Full.", retry_after=0.01)
    model = Scripted(
        calls(("c1", "TaskList", "{}"), text="long " * 400),
        says("first " * 400),
        says("more " * 400),
        Answer(error=full),
        says("What happened."),
    )
    here = await stage(model=model)
    await here.prompt("one")
    await here.prompt("two")
    assert await here.session.compact()
    assert any("Trying again" in text for (text,) in here.screen.of("notice"))


@pytest.mark.parametrize("last", [says(""), breaks(says(""), ModelErrorKind.REFUSED)])
async def test_a_turn_without_a_word_is_told(stage: Open, last: Answer) -> None:
    here = await stage(model=Scripted(last))
    await here.prompt("go")
    assert len(here.screen.of("notice")) == 1


async def test_a_silent_end_after_calls_is_no_fault(stage: Open) -> None:
    here = await stage(model=Scripted(calls(("c1", "TaskList", "{}")), says("")))
    await here.prompt("go")
    assert here.screen.of("notice") == []


async def test_an_answer_that_was_cut_at_its_limit_says_so_to_the_model(stage: Open) -> None:
    half = Answer(calls=(("c1", "WriteFile", '{"path": "a", "content": "ab'),), finish="length")
    model = Scripted(half, says("In two parts then."))
    here = await stage(model=model)
    await here.prompt("go")
    assert "cut at its limit of length" in str(model.asked[1][0][-1])
