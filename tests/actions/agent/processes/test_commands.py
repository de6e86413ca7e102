"""Commands: started and ended, whatever is cancelled in between."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from actions.agent.processes.commands import Commands
from actions.agent.processes.environment import command_environment
from actions.agent.processes.output import Output
from tests.actions.agent.tools.desk import living, until_living

ENV = {"PATH": "/usr/bin:/bin"}


@pytest.mark.parametrize("ticks", range(8))
async def test_cancelled_while_it_starts_it_does_not_stay(tmp_path: Path, ticks: int) -> None:
    commands = Commands()
    line = f"sleep 301.{ticks} & sleep 301.{ticks}"
    starting = asyncio.ensure_future(
        commands.start(["/bin/sh", "-c", line], cwd=tmp_path, env=ENV, out=Output(tmp_path / "out"))
    )
    for _ in range(ticks):
        await asyncio.sleep(0)
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    await commands.close()
    assert living(f"sleep 301.{ticks}") == []


async def test_a_command_that_is_not_there_raises(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    commands = Commands()
    with pytest.raises(FileNotFoundError):
        await commands.start(["/no/such/command"], cwd=tmp_path, env=ENV, out=Output(tmp_path / "out"))
    assert caplog.records == []
    await commands.close()


async def test_closing_while_one_is_ended_waits_for_it(tmp_path: Path) -> None:
    commands = Commands()
    line = "trap '' TERM; while :; do sleep 0.302 || :; done"
    running = await commands.start(["/bin/sh", "-c", line], cwd=tmp_path, env=ENV, out=Output(tmp_path / "out"))
    commands.end_soon(running)
    await commands.close()
    await commands.close()
    assert living("sleep 0.302") == []


async def test_ending_goes_on_when_the_one_who_asked_is_cancelled(tmp_path: Path) -> None:
    commands = Commands()
    line = "trap '' TERM; while :; do sleep 0.303 || :; done"
    running = await commands.start(["/bin/sh", "-c", line], cwd=tmp_path, env=ENV, out=Output(tmp_path / "out"))
    ending = asyncio.ensure_future(commands.end(running))
    await asyncio.sleep(0.05)
    ending.cancel()
    await asyncio.gather(ending, return_exceptions=True)
    assert await asyncio.wait_for(running.wait(), 30) == -9
    await commands.close()


async def test_both_streams_apart(tmp_path: Path) -> None:
    commands = Commands()
    out, err = Output(tmp_path / "out"), Output(tmp_path / "err")
    running = await commands.start(
        ["/bin/sh", "-c", "cat; echo bad >&2; exit 5"], cwd=tmp_path, env=ENV, out=out, err=err, stdin=b"said"
    )
    assert await running.wait() == 5
    assert (out.parts()[0], err.parts()[0]) == (b"said", b"bad\n")
    assert running.over
    await commands.close()


async def test_what_detached_itself_from_a_command_that_ended_ends_at_the_close(tmp_path: Path) -> None:
    commands = Commands()
    line = "setsid sleep 300.304 > /dev/null 2>&1 & exit 0"
    running = await commands.start(["/bin/sh", "-c", line], cwd=tmp_path, env=ENV, out=Output(tmp_path / "out"))
    assert await running.wait() == 0
    await until_living("sleep 300.304")
    async with asyncio.timeout(30):  # its output is read to the end a moment later than it ends
        while not running.over:  # noqa: ASYNC110 - what it waits for has no event
            await asyncio.sleep(0.02)
    await commands.close()
    assert living("sleep 300.304") == []


async def test_the_keeper_goes_with_the_close(tmp_path: Path) -> None:
    before = living("sayso-keeper")
    commands = Commands()
    await commands.close()
    commands = Commands()
    for _ in range(2):
        running = await commands.start(["/bin/true"], cwd=tmp_path, env=ENV, out=Output(tmp_path / "out"))
        await running.wait()
    assert len(living("sayso-keeper")) == len(before) + 1
    await commands.close()
    assert len(living("sayso-keeper")) == len(before)


def test_the_environment_of_a_command() -> None:
    source = {
        "PATH": "/bin",
        "HOME": "/home/ada",
        "TERM": "xterm-256color",
        "OPENAI_API_KEY": "1",
        "mistral_api_key": "2",
        "OPENAI_BASE_URL": "http://127.0.0.1:8080",
        "GITHUB_TOKEN": "3",
        "SAYSO_SESSION_ID": "s1",
        "SAYSO_TOKEN": "t1",
        "SAYSO_ENDPOINT": "e1",
    }
    given = command_environment(source=source, keep={"mistral_api_key"}, extra={"CITY": "Bern"})
    quiet = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "PYTHONUNBUFFERED": "1"}
    kept = {name: value for name, value in source.items() if name not in ("OPENAI_API_KEY", "TERM")}
    assert given == {**kept, **quiet, "CITY": "Bern"}
