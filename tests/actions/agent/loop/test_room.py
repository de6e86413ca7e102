"""The running request stays in the context: while room is made in it, and over the way back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelRequest, ToolReturnPart

from actions.agent.loop.shorten import shorter
from actions.agent.model.errors import ModelErrorKind
from actions.agent.model.events import Event
from actions.agent.tools.needs import ModelSenses, Spool
from actions.agent.toolset.results import TextPart
from tests.actions.agent.loop.conftest import Open
from tests.actions.agent.loop.scripted import Scripted, breaks, calls, says

FLOOD = ("c1", "Shell", '{"command": "yes a | head -c 60000"}')


def kinds(messages: Sequence[Any]) -> list[str]:
    return [part.part_kind for message in messages for part in message.parts]


def texts(messages: Sequence[Any]) -> list[str]:
    return [str(getattr(part, "content", "")) for message in messages for part in message.parts]


def read(path: str) -> str:
    return Path(path).read_text()


async def loaded(stage: Open, session_id: str) -> list[str]:
    """The texts that a load of the session goes on with."""
    model = Scripted(says("Yes."))
    here = await stage(model=model, session_id=session_id)
    await here.prompt("still there?")
    return texts(model.asked[0][0][:-1])


async def test_one_large_result_is_shortened_and_the_request_stays(stage: Open) -> None:
    model = Scripted(calls(FLOOD, used=15_000), says("I have seen it."), window=16_000)
    here = await stage(model=model)
    assert (await here.prompt("count the letters")).text == "I have seen it."
    assert len(model.asked) == 2  # no summary: there is nothing but the request
    after = model.asked[1][0]
    assert kinds(after) == ["user-prompt", "tool-call", "tool-return"]
    assert "count the letters" in texts(after)[0]
    result = texts(after)[2]
    assert len(result) < 7_000
    assert "checkpoint 1" in result
    named = re.search(r"left out to make room\. The whole is in (\S+)\.\]", result)
    assert named is not None
    assert read(named[1]) == "a\n" * 30_000
    await here.session.close()
    assert (await loaded(stage, here.session.id))[:3] == texts(after)


async def test_a_provider_that_finds_the_first_step_too_long_gets_less_of_the_result(stage: Open) -> None:
    """The window is not known: it looks large enough, the provider says that it is not."""
    model = Scripted(calls(FLOOD), breaks(says(""), ModelErrorKind.CONTEXT_TOO_LONG), says("Done."))
    here = await stage(model=model)
    assert (await here.prompt("count the letters")).text == "Done."
    assert "count the letters" in texts(model.asked[2][0])[0]
    assert len(texts(model.asked[2][0])[2]) < 7_000


async def test_a_full_context_without_gain_is_not_summed_up_at_every_step(stage: Open) -> None:
    """The instructions and tools alone fill the window: each step is over the mark."""
    steps = [calls((f"c{n}", "Glob", f'{{"pattern": "*.{n}"}}'), used=1_900) for n in range(4)]
    model = Scripted(*steps, says("Done."), window=2_000)
    here = await stage(model=model)
    assert (await here.prompt("x" * 3_000)).text == "Done."
    assert len(model.asked) == 5
    assert here.screen.of("notice") == []


async def test_the_request_stands_behind_the_summary_of_what_came_before_and_after_it(stage: Open) -> None:
    model = Scripted(
        says("Before. " * 200),
        calls(("c1", "ReadFile", '{"path": "a.txt"}')),
        calls(("c2", "ReadFile", '{"path": "b.txt"}'), used=3_900),
        says("The hand-over."),
        says("Going on."),
        window=4_000,
    )
    here = await stage(model=model)
    (here.root / "a.txt").write_text("alpha\n" * 400)
    (here.root / "b.txt").write_text("beta")
    await here.prompt("an older task")
    assert (await here.prompt("the newest task")).text == "Going on."
    after = model.asked[4][0]
    assert kinds(after) == ["user-prompt", "user-prompt", "tool-call", "tool-return"]
    said = texts(after)
    assert "The hand-over." in said[0]
    assert "the newest task" in said[1]
    assert not any("alpha" in text or "an older task" in text for text in said)
    await here.session.close()
    assert (await loaded(stage, here.session.id))[: len(said)] == said


async def test_the_way_back_to_an_earlier_turn_takes_the_running_request_along(stage: Open) -> None:
    model = Scripted(
        says("Old answer."),
        calls(("c1", "WriteFile", '{"path": "big.txt", "content": "noise"}')),
        calls(("c2", "SendDMail", '{"message": "big.txt is only noise", "checkpoint": 0}')),
        calls(("c3", "SendDMail", '{"message": "once more", "checkpoint": 0}')),
        says("Then I leave it."),
    )
    here = await stage(model=model)
    await here.prompt("the old task")
    assert (await here.prompt("the new task")).text == "Then I leave it."
    for request, note in ((3, "big.txt is only noise"), (4, "once more")):
        said = texts(model.asked[request][0])
        assert len(said) == 3
        assert "the old task" in said[0]
        assert "the new task" in said[1]
        assert said[2] == note
    assert (here.root / "big.txt").read_text() == "noise"
    await here.session.close()
    again = await loaded(stage, here.session.id)
    assert again == [*texts(model.asked[4][0]), "Then I leave it."]


@dataclass(frozen=True)
class SteersAtOnce:
    """A model of :class:`Scripted` during whose answers a person says something: by the number of the request."""

    scripted: Scripted
    steer: Callable[[str], object]
    words: dict[int, str]

    window = 100_000
    senses = ModelSenses()

    async def stream(self, *given: Any, instructions: str = "") -> AsyncGenerator[Event]:
        if said := self.words.get(len(self.scripted.asked)):
            self.steer(said)
        async with aclosing(self.scripted.stream(*given, instructions=instructions)) as events:
            async for event in events:
                yield event


async def test_what_a_person_says_in_mid_turn_comes_along_on_the_way_back_and_outlasts_a_summary(stage: Open) -> None:
    scripted = Scripted(
        calls(("c1", "TaskList", "{}"), text="looking " * 500),
        calls(("c2", "TaskList", "{}"), text="looking " * 500),
        calls(("c3", "SendDMail", '{"message": "nothing to see", "checkpoint": 0}')),
        calls(("c4", "SendDMail", '{"message": "once more", "checkpoint": 0}')),
        says("Done."),
        says("The hand-over."),
    )
    steer: list[Callable[[str], object]] = []
    here = await stage(
        model=SteersAtOnce(scripted, lambda said: steer[0](said), {0: "only in Dutch", 1: "and never touch b.txt"})
    )
    steer.append(lambda said: here.session.steer([TextPart(said)]))
    await here.prompt("the task")
    for request, note in ((3, "nothing to see"), (4, "once more")):
        said = texts(scripted.asked[request][0])
        assert "the task" in said[0]
        assert said[1:] == ["only in Dutch", "and never touch b.txt", note]
    assert await here.session.compact() is False  # all that is left was asked
    await here.session.close()
    assert await loaded(stage, here.session.id) == [*texts(scripted.asked[4][0]), "Done."]


async def test_what_a_person_said_too_late_for_a_turn_stands_before_the_next_prompt(stage: Open) -> None:
    model = Scripted(calls(("c1", "Shell", '{"command": "touch a"}')), says("Done."))
    here = await stage(model=model)
    here.choice = None
    turn = asyncio.create_task(here.prompt("first"))
    await here.screen.until(lambda: here.requests)
    assert here.session.steer([TextPart("in Dutch")])
    await here.session.cancel()
    await turn
    await here.prompt("second")
    said = texts(model.asked[1][0])
    assert said[-2] == "in Dutch"
    assert "second" in said[-1]


async def test_a_result_shortened_twice_names_the_file_of_the_whole(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool")
    whole = ModelRequest(parts=[ToolReturnPart("Grep", "0123456789" * 1_000, "c1"), ToolReturnPart("Grep", "b", "c2")])
    once = await shorter(whole, 5_000, spool)
    assert once is not None
    assert await shorter(once, 5_000, spool) is None
    twice = await shorter(once, 1_000, spool)
    assert twice is not None
    (file,) = spool.folder.iterdir()
    assert file.read_text() == "0123456789" * 1_000
    assert texts([twice])[0].count(str(file)) == 1
    assert texts([twice])[1] == "b"
