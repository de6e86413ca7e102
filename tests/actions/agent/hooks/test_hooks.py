"""Hooks with real processes (cases 44 to 49, 83)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from pydantic import BaseModel, ValidationError

from actions.agent.hooks.config import Hook, HookEvent
from actions.agent.hooks.runner import Hooks
from actions.agent.hooks.verdict import ALLOW, HookVerdict
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import ErrorClass, MediaPart, TextPart, ToolResult
from tests.stopwatch import Stopwatch

CALL = ToolCall("call-1", "WriteFile", '{"path":"a.txt"}')
ARGUMENTS = {"path": "a.txt"}
Make = Callable[..., Hooks]


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
async def make(tmp_path: Path, warnings: list[str]) -> AsyncIterator[Make]:
    made: list[Hooks] = []

    def make(*hooks: Hook) -> Hooks:
        made.append(Hooks(hooks, session_id="session-1", cwd=str(tmp_path), warn=warnings.append))
        return made[-1]

    yield make
    for hooks in made:
        await hooks.close()


def pre(command: str, matcher: str = "", **more: Any) -> Hook:
    return Hook(event="PreToolUse", command=command, matcher=matcher, **more)


async def until(true: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to that"
        await asyncio.sleep(0.01)


def left_in(folder: Path) -> list[str]:
    """Processes that work in ``folder``; zombies have no folder any more, so they are looked for among our children."""
    found: list[str] = []
    for process in psutil.process_iter(["cwd", "cmdline", "pid", "status", "ppid"]):
        info = process.info
        zombie = info["ppid"] == os.getpid() and info["status"] == psutil.STATUS_ZOMBIE
        if info["cwd"] == str(folder) or zombie:
            found.append(f"{info['pid']} {info['status']} {info['cmdline']}")
    return found


def open_files() -> int:
    return psutil.Process().num_fds()


@pytest.mark.parametrize("tool", ["WriteFile", "StrReplaceFile", "xWriteFiley"])
async def test_44_a_matcher_with_alternatives(make: Make, tool: str) -> None:
    """Case 44: searched in the name, not matched whole."""
    hooks = make(pre("exit 2", "WriteFile|StrReplaceFile"))
    assert hooks.wants("PreToolUse", tool)
    assert (await hooks.before(ToolCall("1", tool, "{}"), {})).kind == "block"


async def test_45_a_matcher_that_fits_nothing(make: Make, warnings: list[str]) -> None:
    """Case 45."""
    hooks = make(pre("exit 2", "^Shell$"))
    assert not hooks.wants("PreToolUse", "WriteFile")
    assert await hooks.before(CALL, ARGUMENTS) == ALLOW
    assert warnings == []


async def test_46_exit_2_blocks(make: Make) -> None:
    """Case 46."""
    verdict = await make(pre("echo 'not in here' >&2; exit 2")).before(CALL, ARGUMENTS)
    assert verdict == HookVerdict("block", "not in here")


async def test_47_a_bad_regex(make: Make, warnings: list[str]) -> None:
    """Case 47."""
    hooks = make(pre("exit 2", "(["))
    assert len(warnings) == 1
    assert "([" in warnings[0]
    assert not hooks.wants("PreToolUse", "WriteFile")
    assert await hooks.before(CALL, ARGUMENTS) == ALLOW


async def test_a_bad_regex_of_a_hook_that_must_pass_lets_nothing_through(make: Make, warnings: list[str]) -> None:
    hooks = make(pre("true", "([", fail_closed=True))
    assert len(warnings) == 1
    assert hooks.wants("PreToolUse", "ReadFile")
    verdict = await hooks.before(CALL, ARGUMENTS)
    assert verdict.kind == "block"
    assert "([" in verdict.reason


@pytest.mark.parametrize(
    "said",
    [
        {"decision": "deny", "reason": "no"},
        {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}},
    ],
)
async def test_48_a_json_deny_blocks(make: Make, said: dict[str, Any]) -> None:
    """Case 48."""
    verdict = await make(pre(f"echo '{json.dumps(said)}'")).before(CALL, ARGUMENTS)
    assert verdict == HookVerdict("block", "no")


async def test_49_the_payload(make: Make, tmp_path: Path) -> None:
    """Case 49."""
    await make(pre("cat > payload.json")).before(CALL, ARGUMENTS)
    assert json.loads((tmp_path / "payload.json").read_text()) == {
        "event": "PreToolUse",
        "session_id": "session-1",
        "cwd": str(tmp_path),
        "tool_name": "WriteFile",
        "tool_input": {"path": "a.txt"},
        "call_id": "call-1",
    }


async def test_83_a_limit_ends_the_whole_group(make: Make, warnings: list[str], tmp_path: Path) -> None:
    """Case 83, with children that ignore TERM and hold the output open."""
    hooks = make(pre("trap '' TERM; sleep 40 & (sleep 40; touch late) & sleep 40", timeout=1))
    begun = time.monotonic()
    assert await hooks.before(CALL, ARGUMENTS) == ALLOW
    assert 1 <= time.monotonic() - begun < 20
    await until(lambda: left_in(tmp_path) == [])
    assert len(warnings) == 1
    assert "longer than its limit" in warnings[0]
    assert "was not held back" in warnings[0]


async def test_a_json_ask(make: Make) -> None:
    verdict = await make(pre("""echo '{"decision": "ask", "reason": "sure?"}'""")).before(CALL, ARGUMENTS)
    assert verdict == HookVerdict("ask", "sure?")


@pytest.mark.parametrize("command", ["true", "echo", 'echo "{}"', """echo '{"decision": "allow"}'"""])
async def test_allowed_without_a_word(make: Make, warnings: list[str], command: str) -> None:
    assert await make(pre(command)).before(CALL, ARGUMENTS) == ALLOW
    assert warnings == []


FAULTS = [
    ("exit 1", "exit code 1"),
    ("echo broken >&2; exit 3", "exit code 3: broken"),
    ("/no/such/command", "exit code 127"),
    ("echo '{bad'", "not JSON"),
    ("echo done", "not JSON"),
    ("echo '[1]'", "no object"),
    ("""echo '{"decision": "perhaps"}'""", "'perhaps'"),
    ("""echo '{"decision": ["deny"]}'""", "deny"),
    ("python3 -c 'print(chr(91) * 60000)'", "not JSON"),
    ("kill -9 $$", "signal 9"),
]


@pytest.mark.parametrize(("command", "why"), FAULTS)
async def test_a_failing_hook_lets_the_call_through_with_a_warning(
    make: Make, warnings: list[str], command: str, why: str
) -> None:
    assert await make(pre(command)).before(CALL, ARGUMENTS) == ALLOW
    assert len(warnings) == 1
    assert why in warnings[0]


@pytest.mark.parametrize(("command", "why"), FAULTS)
async def test_fail_closed_blocks(make: Make, warnings: list[str], command: str, why: str) -> None:
    verdict = await make(pre(command, fail_closed=True)).before(CALL, ARGUMENTS)
    assert verdict.kind == "block"
    assert why in verdict.reason
    assert len(warnings) == 1


async def test_fail_closed_on_a_limit(make: Make) -> None:
    assert (await make(pre("sleep 40", timeout=1, fail_closed=True)).before(CALL, ARGUMENTS)).kind == "block"


async def test_a_folder_that_is_gone_fails_closed_too(warnings: list[str], tmp_path: Path) -> None:
    hooks = Hooks([pre("true", fail_closed=True)], session_id="s", cwd=str(tmp_path / "gone"), warn=warnings.append)
    assert (await hooks.before(CALL, ARGUMENTS)).kind == "block"
    await hooks.close()


async def test_the_first_block_in_the_settings_names_the_reason(make: Make) -> None:
    hooks = make(
        pre("""echo '{"decision": "ask"}'"""),
        pre("sleep 0.2; echo first >&2; exit 2"),
        pre("echo second >&2; exit 2"),
    )
    assert await hooks.before(CALL, ARGUMENTS) == HookVerdict("block", "first")


async def test_hooks_run_side_by_side(make: Make, warnings: list[str]) -> None:
    until_all_have_begun = "until [ $(ls all | wc -l) = 5 ]; do sleep 0.02; done"
    hooks = make(*(pre(f"mkdir -p all; touch all/{n}; {until_all_have_begun}") for n in range(5)))
    assert await hooks.before(CALL, ARGUMENTS) == ALLOW
    assert warnings == []


async def test_identical_commands_run_once(make: Make, tmp_path: Path) -> None:
    hooks = make(pre("echo ran >> log"), pre("echo ran >> log", "Write"), pre("echo ran  >> log"))
    await hooks.before(CALL, ARGUMENTS)
    assert (tmp_path / "log").read_text() == "ran\nran\n"


async def test_identical_commands_keep_the_stricter_choice(make: Make) -> None:
    hooks = make(pre("exit 1"), pre("exit 1", fail_closed=True))
    assert (await hooks.before(CALL, ARGUMENTS)).kind == "block"


async def test_a_cancel_ends_the_group(make: Make, tmp_path: Path) -> None:
    hooks = make(pre("sleep 60 & touch begun; sleep 60"), pre("sleep 61"))
    task = asyncio.create_task(hooks.before(CALL, ARGUMENTS))
    await until((tmp_path / "begun").exists)
    begun = Stopwatch()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert begun.seconds < 1
    await until(lambda: left_in(tmp_path) == [])


@pytest.mark.parametrize("after", [0, 1, 2, 3, 5, 10])
async def test_a_cancel_at_any_moment_leaves_nothing(make: Make, tmp_path: Path, after: int) -> None:
    task = asyncio.create_task(make(pre("sleep 0.001")).before(CALL, ARGUMENTS))
    for _ in range(after):
        await asyncio.sleep(0.001)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await until(lambda: left_in(tmp_path) == [])


@pytest.mark.parametrize("size", [10, 40_000, 3_000_000])
async def test_a_payload_of_any_size_arrives(make: Make, tmp_path: Path, size: int) -> None:
    await make(pre("wc -c > size; cat > /dev/null")).before(CALL, {"text": "x" * size})
    assert size < int((tmp_path / "size").read_text()) < size + 1_000


@pytest.mark.parametrize("size", [10, 3_000_000])
async def test_a_hook_that_reads_nothing(make: Make, warnings: list[str], size: int) -> None:
    assert await make(pre("exit 0")).before(CALL, {"text": "x" * size}) == ALLOW
    assert warnings == []


async def test_output_without_end_is_not_kept(make: Make) -> None:
    """More than a pipe holds, on both streams."""
    command = "head -c 5000000 /dev/zero | tr '\\0' x; head -c 5000000 /dev/zero | tr '\\0' y >&2; exit 2"
    verdict = await make(pre(command)).before(CALL, ARGUMENTS)
    assert verdict == HookVerdict("block", "y" * 2_000)


async def test_what_a_hook_leaves_in_the_background_holds_nothing_up(make: Make, tmp_path: Path) -> None:
    assert (await make(pre("sleep 40 & echo $! > pid; exit 2")).before(CALL, ARGUMENTS)).kind == "block"
    assert left_in(tmp_path) != []
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    await until(lambda: left_in(tmp_path) == [])


async def test_many_at_once(make: Make, warnings: list[str]) -> None:
    hooks = make(pre("exit 2"))
    descriptors = open_files()
    verdicts = await asyncio.gather(*(hooks.before(CALL, ARGUMENTS) for _ in range(300)))
    assert {verdict.kind for verdict in verdicts} == {"block"}
    assert open_files() == descriptors
    assert warnings == []


class Params(BaseModel):
    path: str
    count: int = 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (Params(path="a"), {"path": "a", "count": 3}),
        ([1, 2], {"arguments": [1, 2]}),
        ({"text": "\ud800"}, {"text": "\ud800"}),
        ({"odd": Path("/x")}, {"odd": "/x"}),
    ],
)
async def test_the_input_is_always_an_object(make: Make, tmp_path: Path, arguments: Any, said: dict[str, Any]) -> None:
    await make(pre("cat > payload.json")).before(CALL, arguments)
    assert json.loads((tmp_path / "payload.json").read_text())["tool_input"] == said


async def _post(make: Make, tmp_path: Path, event: HookEvent, act: Callable[[Hooks], None]) -> dict[str, Any]:
    hooks = make(Hook(event=event, command="cat > half; mv half payload.json"))
    begun = Stopwatch()
    act(hooks)
    assert begun.seconds < 0.5
    await until((tmp_path / "payload.json").exists)
    return json.loads((tmp_path / "payload.json").read_text())


@pytest.mark.parametrize(
    ("result", "output"),
    [
        (ToolResult("x" * 5_000), "x" * 2_000),
        (ToolResult("bad", error=ErrorClass.TOOL_ERROR), "bad"),
        (ToolResult((TextPart("a"), MediaPart("QQ==", "image/png"), TextPart("b"))), "a\nb"),
    ],
)
async def test_post_tool_use(make: Make, tmp_path: Path, result: ToolResult, output: str) -> None:
    """Also for a result that is an error; the first 2,000 characters."""
    payload = await _post(make, tmp_path, "PostToolUse", lambda hooks: hooks.after(CALL, ARGUMENTS, result))
    assert (payload["event"], payload["output"], payload["call_id"]) == ("PostToolUse", output, "call-1")


async def test_post_tool_use_failure(make: Make, tmp_path: Path) -> None:
    payload = await _post(
        make, tmp_path, "PostToolUseFailure", lambda hooks: hooks.failed(CALL, ARGUMENTS, ValueError("gone wrong"))
    )
    assert (payload["event"], payload["error"]) == ("PostToolUseFailure", "ValueError: gone wrong")


async def test_a_post_hook_changes_nothing(make: Make, warnings: list[str]) -> None:
    hooks = make(Hook(event="PostToolUse", command="exit 3", fail_closed=True))
    hooks.after(CALL, ARGUMENTS, ToolResult("fine"))
    await until(lambda: len(warnings) == 1)
    assert "was not held back" in warnings[0]


@pytest.mark.parametrize("command", ["echo too bad >&2; exit 2", """echo '{"decision":"deny","reason":"too bad"}'"""])
async def test_a_post_hook_that_blocks_is_told_that_it_came_too_late(
    make: Make, warnings: list[str], command: str
) -> None:
    make(Hook(event="PostToolUse", command=command)).after(CALL, ARGUMENTS, ToolResult("fine"))
    await until(lambda: len(warnings) == 1)
    assert "came too late to say block: too bad" in warnings[0]


async def test_an_error_is_told_to_the_hook_after_it(make: Make, tmp_path: Path) -> None:
    wrong = ToolResult("", "a.txt does not exist.", error=ErrorClass.TOOL_ERROR)
    payload = await _post(make, tmp_path, "PostToolUse", lambda hooks: hooks.after(CALL, ARGUMENTS, wrong))
    assert payload["error"] == "tool_error: a.txt does not exist."


async def test_slow_hooks_after_calls_do_not_hold_up_the_one_before_a_call(make: Make, tmp_path: Path) -> None:
    hooks = make(Hook(event="PostToolUse", command="touch begun; sleep 60"), pre("exit 2"))
    for _ in range(70):
        hooks.after(CALL, ARGUMENTS, ToolResult("fine"))
    await until((tmp_path / "begun").exists)
    async with asyncio.timeout(30):
        assert (await hooks.before(CALL, ARGUMENTS)).kind == "block"


async def test_close_ends_post_hooks(make: Make, tmp_path: Path) -> None:
    hooks = make(Hook(event="PostToolUse", command="touch begun; sleep 60"))
    hooks.after(CALL, ARGUMENTS, ToolResult("fine"))
    await until((tmp_path / "begun").exists)
    await hooks.close()
    await until(lambda: left_in(tmp_path) == [])
    hooks.after(CALL, ARGUMENTS, ToolResult("fine"))


async def test_without_a_pidfd(make: Make, monkeypatch: pytest.MonkeyPatch, warnings: list[str]) -> None:
    """As on other systems than Linux: the end is looked for."""

    def none(pid: int) -> int:
        raise OSError("no pidfd here")

    monkeypatch.setattr(os, "pidfd_open", none)
    assert await make(pre("echo no >&2; exit 2")).before(CALL, ARGUMENTS) == HookVerdict("block", "no")
    assert await make(pre("sleep 40", timeout=1)).before(CALL, ARGUMENTS) == ALLOW
    assert len(warnings) == 1


async def test_no_file_left(make: Make, monkeypatch: pytest.MonkeyPatch, warnings: list[str]) -> None:
    def none() -> tuple[int, int]:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(os, "pipe", none)
    assert await make(pre("true")).before(CALL, ARGUMENTS) == ALLOW
    assert "Too many open files" in warnings[0]


async def test_an_exit_code_that_is_lost_is_no_success(make: Make, warnings: list[str]) -> None:
    """Where SIGCHLD is ignored, the system reaps."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert (await make(pre("true", fail_closed=True)).before(CALL, ARGUMENTS)).kind == "block"
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert len(warnings) == 1


@pytest.mark.parametrize("wrong", [{"timeout": 0.5}, {"timeout": 601}, {"command": ""}, {"event": "Stop"}, {"more": 1}])
def test_settings_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Hook.model_validate({"event": "PreToolUse", "command": "true"} | wrong)


def test_a_hook_has_30_seconds() -> None:
    assert Hook(event="PreToolUse", command="true").timeout == 30
