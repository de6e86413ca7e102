"""Local figures about calls."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from actions.agent.approvals.decision import Decision
from actions.agent.hooks.verdict import HookVerdict
from actions.agent.toolset.results import ErrorClass, ToolResult
from actions.agent.toolset.telemetry import JsonLines, Telemetry, local_telemetry
from actions.catalog.spec import Effect
from tests.actions.agent.toolset.rig import Echo, Rig, StandInGate, StandInHooks, Words


class Kept:
    """A sink that keeps everything."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, name: str, fields: dict[str, Any]) -> None:
        self.events.append((name, fields))

    def of(self, name: str) -> list[dict[str, Any]]:
        return [fields for event, fields in self.events if event == name]


async def test_16_repeat_events() -> None:
    """Case 16."""
    kept = Kept()
    rig = Rig(Echo(), telemetry=Telemetry(kept))
    for _ in range(5):
        await rig.step(("Echo", "{}"))
    assert kept.of("tool_call_repeat") == [
        {"tool_name": "Echo", "repeat_count": count, "action": action}
        for count, action in ((2, "none"), (3, "r1"), (4, "r1"), (5, "r2"))
    ]


async def test_17_the_class_of_an_exception() -> None:
    """Case 17."""

    async def fail(_: Words) -> None:
        raise ValueError

    kept = Kept()
    await Rig(Echo(then=fail), telemetry=Telemetry(kept)).start("Echo")
    (event,) = kept.of("tool_call")
    assert (event["outcome"], event["error_type"], event["error_class"]) == ("error", "tool_error", "ValueError")


async def test_a_returned_error_is_an_error_and_a_cancelled_call_has_none() -> None:
    async def then(words: Words) -> ToolResult:
        if words.value:
            await asyncio.Event().wait()
        return ToolResult("exit 1", error=ErrorClass.TOOL_ERROR)

    kept = Kept()
    rig = Rig(Echo(then=then), Echo("Good"), telemetry=Telemetry(kept))
    await rig.start("Echo")
    await rig.start("Good")
    rig.start("Echo", '{"value":1}')
    await asyncio.sleep(0)
    await rig.toolset.cancel()
    error, success, cancelled = kept.of("tool_call")
    assert (error["outcome"], error["error_type"], error["error_class"]) == ("error", "tool_error", None)
    assert (success["outcome"], cancelled["outcome"]) == ("success", "cancelled")
    assert "error_type" not in success
    assert "error_type" not in cancelled
    assert all(event["duration_ms"] >= 0 for event in (error, success, cancelled))


async def test_one_event_a_call_with_its_kind_of_repetition() -> None:
    kept = Kept()
    rig = Rig(Echo(), telemetry=Telemetry(kept))
    await rig.step(("Echo", "{}"), ("Echo", "{}"))
    await rig.step(("Echo", "{}"))
    assert [event["dup_type"] for event in kept.of("tool_call")] == ["normal", "same_step", "cross_step"]
    key = hashlib.sha256(b"Echo\n{}").hexdigest()[:8]
    assert kept.of("tool_call_dedup") == [
        {"dup_type": "same_step", "key": key, "step": 1, "call_id": "c2"},
        {"dup_type": "cross_step", "key": key, "step": 2, "call_id": "c3"},
    ]


async def test_a_forced_stop() -> None:
    kept = Kept()
    rig = Rig(Echo(), telemetry=Telemetry(kept))
    for _ in range(12):
        await rig.step(("Echo", "{}"))
    assert kept.of("tool_call_stop") == [{"tool_name": "Echo", "repeat_count": 12, "step": 12}]


@pytest.mark.parametrize("mode", ["yolo", "manual"])
async def test_30_31_permissions_carry_mode_and_step(mode: Any) -> None:
    """The dispatcher's half of cases 30 and 31."""
    kept, yes = Kept(), Decision(approved=True, decided_by=mode)
    gate = StandInGate(answer=yes, quick=yes if mode == "yolo" else None)
    await Rig(Echo(effect=Effect.WRITE), gate=gate, telemetry=Telemetry(kept)).step(("Echo", "{}"))
    assert kept.of("tool_permission") == [{"tool_name": "Echo", "approved": True, "mode": mode, "step": 1}]


async def test_hooks_are_counted() -> None:
    kept = Kept()
    hooks = StandInHooks(HookVerdict("block", "secret reason"))
    await Rig(Echo(), hooks=hooks, telemetry=Telemetry(kept)).start("Echo")
    assert kept.of("tool_hook") == [{"tool_name": "Echo", "verdict": "block"}]


async def test_no_event_says_what_a_call_was_about() -> None:
    kept = Kept()
    rig = Rig(Echo(), telemetry=Telemetry(kept))
    for _ in range(12):
        await rig.step(("Echo", '{"text":"very secret"}'), ("Echo", '{"text":"very secret"}'))
    assert "secret" not in json.dumps(kept.events)


async def test_a_sink_that_fails_changes_nothing_and_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    def full(name: str, fields: dict[str, Any]) -> None:
        raise OSError("disk full")

    rig = Rig(Echo(), telemetry=Telemetry(full))
    steps = [await rig.step(("Echo", "{}")) for _ in range(12)]
    assert not any(results[0].is_error for results, _ in steps)
    assert steps[-1][1].stop
    assert caplog.text.count("disk full") == 1


def test_the_file_is_private_and_bounded(tmp_path: Path) -> None:
    sink = JsonLines(tmp_path / "state" / "calls.jsonl", limit=2_000)
    for number in range(200):
        sink("tool_call", {"number": number})
        sink.flush()
    files = sorted((tmp_path / "state").iterdir())
    assert [file.name for file in files] == ["calls.jsonl", "calls.jsonl.1"]
    assert all(file.stat().st_size <= 2_100 and file.stat().st_mode & 0o077 == 0 for file in files)
    last = json.loads(files[0].read_text().splitlines()[-1])
    assert (last["event"], last["number"]) == ("tool_call", 199)


async def test_a_step_is_on_disk_at_its_end(tmp_path: Path) -> None:
    rig = Rig(Echo(), telemetry=local_telemetry(tmp_path, enabled=True))
    await rig.step(("Echo", "{}"))
    (line,) = (tmp_path / "tool-calls.jsonl").read_text().splitlines()
    assert json.loads(line)["outcome"] == "success"


def test_one_setting_switches_it_off(tmp_path: Path) -> None:
    assert local_telemetry(tmp_path, enabled=False) is None
    assert local_telemetry(tmp_path, enabled=True) is not None
    assert list(tmp_path.iterdir()) == []
