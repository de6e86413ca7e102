"""Background tasks: real commands that go on beside the conversation."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.agent.tools.background import MOST_RUNNING, BackgroundTask
from actions.agent.tools.shell import ShellParams
from actions.agent.tools.tasks import (
    TaskList,
    TaskListParams,
    TaskOutput,
    TaskOutputParams,
    TaskStop,
    TaskStopParams,
)
from actions.agent.toolset.results import ErrorClass, TextPart, ToolFailure, ToolResult, failure
from actions.catalog.spec import Effect
from actions.errors import SaysoError
from tests.actions.agent.tools.desk import Desk, living, running_desk, until_living


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with running_desk(tmp_path) as made:
        yield made


async def start(desk: Desk, command: str, timeout: int | None = None) -> str:
    result = await desk.run(command, background=True, timeout=timeout)
    assert result.error is None
    match = re.search(r"as (task-\d+)\.", result.message)
    assert match is not None
    return match[1]


async def output(desk: Desk, task_id: str, offset: int | None = None, wait: float = 0) -> ToolResult:
    return await TaskOutput(desk.tasks).run(TaskOutputParams(id=task_id, offset=offset, wait=wait))


async def test_it_starts_at_once_and_can_be_read_while_it_runs(desk: Desk) -> None:
    task = await start(desk, "echo first; until [ -e go ]; do sleep 0.02; done; echo second")
    async with asyncio.timeout(30):
        while not (early := await output(desk, task)).output:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert early.output == "first\n"
    assert "running" in early.message
    assert "next: 6 of 6 bytes" in early.message
    (desk.workspace.root / "go").touch()
    late = await output(desk, task, offset=6, wait=30)
    assert late.output == "second\n"
    assert "done, exit code 0" in late.message
    assert str(desk.spool.folder / f"{task}.txt") in late.message


async def test_waiting_ends_with_the_task_or_with_its_limit_and_ends_nothing(desk: Desk) -> None:
    task = await start(desk, "until [ -e go ]; do sleep 0.02; done; echo end")
    assert "running" in (await output(desk, task, wait=0.1)).message
    (desk.workspace.root / "go").touch()
    began = time.monotonic()
    assert "done" in (await output(desk, task, wait=60)).message
    assert time.monotonic() - began < 30


async def test_a_cancelled_wait_leaves_the_task_running(desk: Desk) -> None:
    task = await start(desk, "sleep 0.4; echo end")
    wait = asyncio.ensure_future(output(desk, task, wait=60))
    await asyncio.sleep(0.05)
    wait.cancel()
    with pytest.raises(asyncio.CancelledError):
        await wait
    assert (await output(desk, task, wait=30)).output == "end\n"


async def test_one_that_fails_says_so(desk: Desk) -> None:
    task = await start(desk, "echo no; exit 7")
    result = await output(desk, task, wait=5)
    assert result.output == "no\n"
    assert "failed, exit code 7" in result.message


async def test_at_its_limit_all_of_it_is_ended(desk: Desk) -> None:
    task = await start(desk, "setsid sleep 300.71 & sleep 300.71", timeout=1)
    result = await output(desk, task, wait=5)
    assert "ended at its time limit" in result.message
    assert living("sleep 300.71") == []


async def test_stop_ends_all_of_it(desk: Desk) -> None:
    task = await start(desk, "echo began; (trap '' TERM; exec sleep 300.72) & sleep 300.72")
    await until_living("sleep 300.72", 2)
    result = await TaskStop(desk.tasks).run(TaskStopParams(id=task))
    assert "stopped" in result.message
    assert living("sleep 300.72") == []
    assert (await output(desk, task)).output == "began\n"
    again = await TaskStop(desk.tasks).run(TaskStopParams(id=task))
    assert "had ended before" in again.message


async def test_it_outlives_the_call_and_ends_with_the_session(desk: Desk) -> None:
    await start(desk, "sleep 300.73")
    await until_living("sleep 300.73")
    await desk.tasks.close()
    await desk.commands.close()
    assert living("sleep 300.73") == []


async def test_the_order_of_closing_does_not_matter(desk: Desk) -> None:
    await start(desk, "sleep 300.74")
    await until_living("sleep 300.74")
    await desk.commands.close()
    await desk.tasks.close()
    assert living("sleep 300.74") == []


async def test_those_who_watch_are_told_of_each_end(desk: Desk) -> None:
    ended: list[BackgroundTask] = []
    unwatch = desk.tasks.watch(ended.append)
    first = await start(desk, "exit 0")
    await desk.tasks.wait(first, 5)
    second = await start(desk, "sleep 300.75")
    await desk.tasks.stop(second)
    assert [(task.id, task.state, task.code) for task in ended] == [(first, "done", 0), (second, "stopped", None)]
    unwatch()
    await desk.tasks.wait(await start(desk, "true"), 5)
    assert len(ended) == 2


async def test_the_list_names_running_ones_or_all(desk: Desk) -> None:
    tool = TaskList(desk.tasks)
    assert "No background task" in (await tool.run(TaskListParams())).message
    first = await start(desk, "true")
    await desk.tasks.wait(first, 5)
    second = await start(desk, "sleep 300.76")
    assert [line.split()[0] for line in str((await tool.run(TaskListParams())).output).splitlines()] == [second]
    both = str((await tool.run(TaskListParams(show="all"))).output)
    assert [line.split()[0] for line in both.splitlines()] == [first, second]
    assert "sleep 300.76" in both


async def test_an_unknown_id_is_told_with_the_known_ones(desk: Desk) -> None:
    task = await start(desk, "true")
    with pytest.raises(ToolFailure, match=task) as caught:
        await output(desk, "task-99")
    assert caught.value.result.error is ErrorClass.INVALID_INPUT
    with pytest.raises(ToolFailure):
        await TaskStop(desk.tasks).prepare(TaskStopParams(id="task-99"))


async def test_without_an_offset_the_last_part_comes(desk: Desk) -> None:
    task = await start(desk, "seq 1 20000")
    await desk.tasks.wait(task, 30)
    size = sum(len(f"{number}\n") for number in range(1, 20_001))
    text = str((await output(desk, task)).output)
    assert len(text) == 45_000
    assert text.endswith("\n20000\n")
    whole, offset = "", 0
    while offset < size:
        result = await output(desk, task, offset=offset)
        whole += str(result.output)
        match = re.search(r"next: (\d+)", result.message)
        assert match is not None
        offset = int(match[1])
    assert whole == "".join(f"{number}\n" for number in range(1, 20_001))


async def test_a_piece_ends_between_characters(desk: Desk) -> None:
    task = await start(desk, "printf 'a€€'")
    await desk.tasks.wait(task, 30)
    piece = desk.tasks.read(task, 0, 3)
    assert (piece.text, piece.next, piece.size) == ("a", 1, 7)
    assert desk.tasks.read(task, 1, 5).text == "€"


async def test_a_subagent_in_the_background(desk: Desk) -> None:
    async def work() -> ToolResult:
        await asyncio.sleep(0.05)
        return ToolResult((TextPart("found it"), TextPart("in b.py")), "Report:")

    async def bad() -> ToolResult:
        return failure(ErrorClass.TOOL_ERROR, "no model")

    async def broken() -> ToolResult:
        raise RuntimeError("lost")

    async def endless() -> ToolResult:
        await asyncio.sleep(300)
        return ToolResult()

    tasks = desk.tasks
    good = tasks.start_agent("look for it", work())
    assert (good.kind, good.state, good.description) == ("agent", "running", "look for it")
    assert (await tasks.wait(good.id, 30)).state == "done"
    assert (await output(desk, good.id)).output == "Report:\n\nfound it\nin b.py"
    for coroutine, said in ((bad(), "no model"), (broken(), "RuntimeError: lost")):
        task = tasks.start_agent("x", coroutine)
        assert (await tasks.wait(task.id, 30)).state == "failed"
        assert said in str((await output(desk, task.id)).output)
    task = tasks.start_agent("x", endless())
    assert (await tasks.stop(task.id)).state == "stopped"


async def test_too_many_are_refused_with_what_to_do(desk: Desk) -> None:
    async def endless() -> ToolResult:
        await asyncio.sleep(300)
        return ToolResult()

    for _ in range(MOST_RUNNING):
        desk.tasks.start_agent("x", endless())
    with pytest.raises(SaysoError, match="Stop one"):
        desk.tasks.start_agent("x", endless())
    with pytest.raises(ToolFailure, match="Stop one"):
        await desk.shell().run(ShellParams(command="true", background=True))


def test_what_they_declare() -> None:
    assert [tool.effect for tool in (TaskList, TaskOutput, TaskStop)] == [Effect.READ, Effect.READ, Effect.WRITE]
    assert [tool.key_argument for tool in (TaskList, TaskOutput, TaskStop)] == ["show", "id", "id"]
    assert (TaskList.polls, TaskOutput.polls, TaskStop.polls) == (True, True, False)
