"""What takes long is shown, and can be ended."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from desktop.app.backend import Outcome, Status
from desktop.progress.strip import ProgressStrip
from desktop.progress.watched import Calls, WatchedBackend
from tests.desktop.host import InMemoryHost


class SlowHost(InMemoryHost):
    """Answers what is not a question for a title only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.attached: list[str] = []
        self.ended: list[str] = []

    async def execute(
        self,
        action_id: str,
        input: Mapping[str, Any] | None = None,
        *,
        patience_s: float | None = None,
        attached: bool = False,
    ) -> Outcome:
        if action_id == "action.spec.get":
            return self.completed({"id": (input or {})["id"], "title": "Export the session"})
        if attached:
            self.attached.append(action_id)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.ended.append(action_id)
            raise
        return self.completed({"done": True})


@pytest.fixture
def shown(qapp: object) -> tuple[SlowHost, WatchedBackend, ProgressStrip]:
    host, calls = SlowHost(), Calls()
    return host, WatchedBackend(host, calls), ProgressStrip(calls)


Shown = tuple[SlowHost, WatchedBackend, ProgressStrip]


async def _until(strip: ProgressStrip, text: str) -> None:
    for _ in range(3000):
        if strip.text() == text and not strip.isHidden():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"the strip shows {strip.text()!r}")


async def test_what_is_done_at_once_is_not_shown(shown: Shown) -> None:
    host, backend, strip = shown
    host.go.set()
    assert (await backend.execute("session.export", {})).ok
    assert strip.isHidden()


async def test_what_takes_long_is_named_until_it_is_done(shown: Shown) -> None:
    host, backend, strip = shown
    call = asyncio.ensure_future(backend.execute("session.export", {}))
    await asyncio.sleep(0.2)
    assert strip.isHidden(), "nobody waits for 0.2 s"
    await _until(strip, "Export the session…")
    host.go.set()
    assert (await call).data == {"done": True}
    assert strip.isHidden()


async def test_cancel_ends_the_call_and_the_action(shown: Shown) -> None:
    host, backend, strip = shown
    call = asyncio.ensure_future(backend.execute("session.export", {}))
    await _until(strip, "Export the session…")
    strip.cancel.click()
    outcome = await call
    assert (outcome.status, outcome.code, outcome.message) == (Status.FAILED, "cancelled", "")
    assert host.attached == host.ended == ["session.export"]
    assert strip.isHidden()


async def test_what_would_be_left_half_done_has_no_cancel(shown: Shown) -> None:
    host, backend, strip = shown
    call = asyncio.ensure_future(backend.execute("worktree.merge", {}))
    await _until(strip, "Export the session…")
    assert strip.cancel.isHidden()
    assert host.attached == []
    host.go.set()
    assert (await call).ok


async def test_two_at_once_are_counted(shown: Shown) -> None:
    host, backend, strip = shown
    one = asyncio.ensure_future(backend.execute("session.export", {}))
    two = asyncio.ensure_future(backend.execute("providers.check", {}))
    await _until(strip, "Export the session… and 1 more")
    strip.cancel.click()
    assert (await two).code == "cancelled"
    await _until(strip, "Export the session…")
    host.go.set()
    assert (await one).ok


async def test_a_pane_that_closes_takes_its_call_with_it(shown: Shown) -> None:
    host, backend, strip = shown
    call = asyncio.ensure_future(backend.execute("session.export", {}))
    await _until(strip, "Export the session…")
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    await asyncio.sleep(0)
    assert host.ended == ["session.export"]
    assert strip.isHidden()


async def test_a_list_that_a_pane_reads_is_the_panes_to_show(shown: Shown) -> None:
    host, backend, strip = shown
    call = asyncio.ensure_future(backend.execute("session.list", {}))
    await asyncio.sleep(0.5)
    assert strip.isHidden()
    host.go.set()
    await call
