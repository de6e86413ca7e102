"""Shell on real processes: what comes back, how long it may take, and that nothing is left."""

from __future__ import annotations

import asyncio
import resource
import stat
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
from pydantic import ValidationError

from actions.agent.tools.shell import Shell, ShellParams
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure
from actions.catalog.spec import Effect
from tests.actions.agent.tools.desk import Desk, living, running_desk, until_living
from tests.stopwatch import Stopwatch


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with running_desk(tmp_path) as made:
        yield made


async def test_output_and_exit_code(desk: Desk) -> None:
    result = await desk.run("echo hello")
    assert (result.output, result.message, result.error) == ("hello\n", "Exit code 0.", None)


async def test_a_command_that_fails_is_an_error_with_its_output(desk: Desk) -> None:
    result = await desk.run("echo half; exit 3")
    assert result.error is ErrorClass.TOOL_ERROR
    assert result.output == "half\n"
    assert "exit code 3" in result.message


async def test_a_command_that_a_signal_ended_says_which(desk: Desk) -> None:
    result = await desk.run("kill -SEGV $$")
    assert result.is_error
    assert "SIGSEGV" in result.message


async def test_a_command_that_is_not_there_is_the_shells_error(desk: Desk) -> None:
    result = await desk.run("no_such_command_anywhere")
    assert result.is_error
    assert "exit code 127" in result.message
    assert "no_such_command_anywhere" in str(result.output)


async def test_both_streams_come_in_their_order(desk: Desk) -> None:
    result = await desk.run("for i in 1 2 3; do echo out$i; echo err$i >&2; done")
    assert result.output == "out1\nerr1\nout2\nerr2\nout3\nerr3\n"


async def test_it_runs_in_the_workspace(desk: Desk) -> None:
    (desk.workspace.root / "here.txt").touch()
    assert (await desk.run("pwd; ls")).output == f"{desk.workspace.root}\nhere.txt\n"


async def test_standard_input_is_closed_and_there_is_no_terminal(desk: Desk) -> None:
    began = time.monotonic()
    result = await desk.run("cat; read line; echo read=$?; { : < /dev/tty; } 2>/dev/null || echo no terminal")
    assert result.output == "read=1\nno terminal\n"
    assert time.monotonic() - began < 30


async def test_terminal_control_is_taken_out(desk: Desk) -> None:
    result = await desk.run(r"printf '\033[1;31mred\033[0m \033]0;title\007plain\r\n10%%\r20%%\r100%%\n'")
    assert result.output == "red plain\n100%\n"


async def test_what_is_no_utf_8_does_not_matter(desk: Desk) -> None:
    result = await desk.run(r"printf 'caf\xe9 \xff\xfe\x00 caf\xc3\xa9\n'")
    assert result.output == "caf\ufffd \ufffd\ufffd caf\u00e9\n"


async def test_82_at_the_limit_nothing_is_left(desk: Desk) -> None:
    """Case 82: `sleep 300 & sleep 300` with a limit of 1 s is back in under 2 s, and no process is left."""
    began = time.monotonic()
    result = await desk.run("sleep 300.82 & sleep 300.82", timeout=1)
    assert time.monotonic() - began < 30  # it would take 300
    assert result.error is ErrorClass.TIMEOUT
    assert "longer than 1 s" in result.message
    assert living("sleep 300.82") == []


_CHILDREN = {
    "deaf": ("trap '' TERM; while :; do sleep 0.311 || :; done", "sleep 0.311"),
    "deaf child": ("(trap '' TERM; exec sleep 300.312) & wait", "sleep 300.312"),
    "own session": ("setsid sleep 300.313 & sleep 300.313", "sleep 300.313"),
    "own session, parent gone": ("(setsid sleep 300.314 &); sleep 300.314", "sleep 300.314"),
    "own session, no environment": ("setsid env -i sleep 300.315 & sleep 300.315", "sleep 300.315"),
    "own session, deaf, no environment": (
        "setsid env -i sh -c \"trap '' TERM; sleep 300.316\" & sleep 300.316",
        "sleep 300.316",
    ),
    "own group": ("set -m; sleep 300.317 & sleep 300.317", "sleep 300.317"),
}


@pytest.mark.parametrize("name", _CHILDREN)
async def test_82_whatever_the_children_did(desk: Desk, name: str) -> None:
    """Case 82, with children that ignore TERM or that left the group or the terminal session."""
    command, words = _CHILDREN[name]
    began = time.monotonic()
    result = await desk.run(f"echo began; {command}", timeout=1)
    assert time.monotonic() - began < 30
    assert result.error is ErrorClass.TIMEOUT
    assert result.output == "began\n"
    assert living(words) == []


async def test_a_program_may_clean_up_at_the_limit(desk: Desk) -> None:
    command = "trap 'echo cleaned; exit 0' TERM; sleep 300.4 & wait"
    result = await desk.run(command, timeout=1)
    assert result.output == "cleaned\n"
    assert result.error is ErrorClass.TIMEOUT


async def test_a_cancelled_call_is_back_at_once_and_nothing_is_left(desk: Desk) -> None:
    call = asyncio.ensure_future(desk.run("(trap '' TERM; exec sleep 300.51) & sleep 300.51"))
    await until_living("sleep 300.51", 2)
    took = Stopwatch()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert took.seconds < 0.1
    await desk.commands.close()
    assert living("sleep 300.51") == []


async def test_what_a_command_leaves_behind_does_not_hold_it_up_and_ends_with_the_session(desk: Desk) -> None:
    began = time.monotonic()
    loud = await desk.run("sleep 300.61 & echo done")
    quiet = await desk.run("sleep 300.61 > /dev/null 2>&1 & echo done")
    assert time.monotonic() - began < 30  # they would take 300
    for result in (loud, quiet):
        assert result.output == "done\n"
        assert "left processes running" in result.message
    assert len(living("sleep 300.61")) == 2
    await desk.commands.close()
    assert living("sleep 300.61") == []


async def test_a_server_left_behind_may_go_on_writing(desk: Desk) -> None:
    await desk.run("(sleep 0.3; echo more; touch lived) & echo done")
    async with asyncio.timeout(30):
        while not (desk.workspace.root / "lived").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_flood_fills_neither_memory_nor_disk(desk: Desk) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = await desk.run("yes 0123456789abcdef | head -c 300000000; echo the end")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 20_000  # KiB
    assert result.error is None
    output = str(result.output)
    assert 40_000 < len(output) <= 50_000
    assert output.startswith("0123456789abcdef\n")
    assert output.endswith("the end\n")
    file = desk.spool.folder / "call-1.txt"
    assert 64 * 1024**2 < file.stat().st_size < 65 * 1024**2
    with file.open("rb") as opened:
        opened.seek(64 * 1024**2 - 17)
        rest = opened.read()
    assert b"bytes are left out here" in rest
    assert rest.endswith(b"the end\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_of_a_long_output_both_ends_come_and_the_file_has_the_whole(desk: Desk) -> None:
    result = await desk.run("seq 1 100000")
    output = str(result.output)
    assert len(output) <= 50_000
    lines = output.splitlines()
    assert (lines[0], lines[-1]) == ("1", "100000")
    cut = lines.index("[the middle is left out]")
    assert f"read {desk.spool.folder / 'call-1.txt'} from line {cut + 1}." in result.message
    whole = (desk.spool.folder / "call-1.txt").read_text()
    assert whole == "".join(f"{number}\n" for number in range(1, 100_001))
    assert whole.splitlines()[cut - 1] == lines[cut - 1]


async def test_a_long_line_is_cut_and_the_file_has_the_whole(desk: Desk) -> None:
    result = await desk.run("echo short; head -c 5000 /dev/zero | tr '\\0' x; echo; echo after")
    lines = str(result.output).splitlines()
    assert [lines[0], lines[2]] == ["short", "after"]
    assert len(lines[1]) == 2000
    assert "more characters of this line" in lines[1]
    assert "from line 2." in result.message
    assert (desk.spool.folder / "call-1.txt").read_text() == f"short\n{'x' * 5000}\nafter\n"


async def test_a_short_output_makes_no_file(desk: Desk) -> None:
    await desk.run("echo short")
    assert list(desk.spool.folder.iterdir()) == []


async def test_keys_of_model_vendors_stay_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "sk-secret")
    monkeypatch.setenv("OTHER_API_KEY", "kept")
    monkeypatch.setenv("EDITOR_OF_MINE", "ed")
    monkeypatch.setenv("SAYSO_TOKEN", "session")
    env = str((await desk.run("env")).output)
    assert "sk-secret" not in env
    assert "OTHER_API_KEY" not in env
    assert "EDITOR_OF_MINE=ed" in env
    assert "SAYSO_TOKEN=session" in env  # `sayso tools` needs it
    result = await desk.shell(keep_environment=("OTHER_API_KEY",)).run(ShellParams(command="env"))
    assert "OTHER_API_KEY=kept" in str(result.output)
    assert "sk-secret" not in str(result.output)


async def test_output_can_be_watched_while_it_comes(desk: Desk) -> None:
    await desk.run("echo first; sleep 0.5; printf 'caf\\xc3'; sleep 0.2; printf '\\xa9 last'")
    assert {call for _, call, _ in desk.live.pieces} == {"call-1"}
    assert desk.live.text == "first\ncafé last"
    assert desk.live.pieces[0][0] < 0.4 < desk.live.pieces[-1][0]


async def test_after_its_end_a_call_has_no_more_output(desk: Desk) -> None:
    await desk.run("(until [ -e go ]; do sleep 0.02; done; echo late; touch said) & echo done")
    (desk.workspace.root / "go").touch()
    async with asyncio.timeout(30):
        while not (desk.workspace.root / "said").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    call = asyncio.ensure_future(desk.run("echo early; sleep 300.62"))
    await until_living("sleep 300.62")
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    seen = desk.live.text
    await asyncio.sleep(0.5)
    assert desk.live.text == seen
    assert "late" not in seen


async def test_of_a_flood_those_who_watch_get_the_latest(desk: Desk) -> None:
    await desk.run("yes | head -c 20000000; echo the end")
    assert len(desk.live.text) < 2_000_000
    assert desk.live.text.endswith("the end\n")
    assert "[...]" in desk.live.text


async def test_65_the_request_shows_the_command(desk: Desk) -> None:
    """Case 65, Shell."""
    ask = await desk.shell().prepare(ShellParams(command="make test && make install"))
    assert ask.preview == (TextDisplay("make test && make install", "command"),)
    assert (ask.scope.kind, ask.scope.subject) == ("command", "make test && make install")
    assert ask.scope.roots[0] == ask.scope.folder
    assert "make test && make install" in ask.summary
    assert (Shell.effect, Shell.key_argument, Shell.kind) == (Effect.DANGER, "command", "execute")


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        ({}, 60),
        ({"timeout": "90"}, 90),
        ({"timeout": 300}, 300),
        ({"background": True}, 86_400),
        ({"background": True, "timeout": 301}, 301),
    ],
)
def test_limits(arguments: dict[str, object], limit: int) -> None:
    assert ShellParams.model_validate({"command": "x", **arguments}).limit == limit


@pytest.mark.parametrize(
    "arguments",
    [
        {"command": ""},
        {"command": " \n"},
        {"command": "x", "timeout": 0},
        {"command": "x", "timeout": 301},
        {"command": "x", "timeout": 86_401, "background": True},
        {},
    ],
)
def test_arguments_that_do_not_fit(arguments: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ShellParams.model_validate(arguments)


@pytest.mark.parametrize("command", ["echo \x00", "echo \ud800", "echo " + "x" * 300_000])
async def test_a_command_that_cannot_be_started_is_an_error_that_says_why(desk: Desk, command: str) -> None:
    for background in (False, True):
        with pytest.raises(ToolFailure) as caught:
            await desk.shell().run(ShellParams.model_construct(command=command, background=background))
        assert caught.value.result.message
    assert desk.tasks.list() == ()


async def test_a_workspace_that_is_gone_is_told(desk: Desk) -> None:
    desk.workspace.root.rmdir()
    with pytest.raises(ToolFailure, match="not there any more"):
        await desk.shell().run(ShellParams(command="true"))


async def test_many_at_once(desk: Desk) -> None:
    shell = desk.shell()
    began = time.monotonic()
    results = await asyncio.gather(*(shell.run(ShellParams(command=f"sleep 0.3; echo {n}")) for n in range(10)))
    assert [result.output for result in results] == [f"{n}\n" for n in range(10)]
    assert time.monotonic() - began < 2


async def test_descriptors_and_processes_are_given_back(desk: Desk) -> None:
    await desk.run("true")
    before = psutil.Process().num_fds()
    for _ in range(20):
        await desk.run("echo x; seq 1 30000")
    await asyncio.sleep(0.05)
    assert psutil.Process().num_fds() <= before
