"""What windows show, as far as the host knows."""

from __future__ import annotations

import asyncio

import pytest

from actions.delivery.events import EventHub
from actions.delivery.windows import Showing, Windows
from actions.errors import SaysoError


def test_a_session_is_shown_while_its_window_is_connected() -> None:
    hub = EventHub()
    windows = Windows(hub)
    windows.show("w1", Showing("s1", focused=True))
    assert not windows.shows("s1"), "its stream is not open"
    stream = hub.subscribe(window="w1")
    assert windows.shows("s1")
    assert windows.shows("s1", focused=True)
    windows.show("w1", Showing("s1"))
    assert (windows.shows("s1"), windows.shows("s1", focused=True)) == (True, False)
    windows.show("w1", Showing(None, focused=True))
    assert not windows.shows("s1")
    windows.show("w1", Showing("s2"))
    stream.close()
    assert not windows.shows("s2"), "a window that crashed shows nothing"


def test_two_windows_show_what_they_show() -> None:
    hub = EventHub()
    windows = Windows(hub)
    for name, session in (("w1", "s1"), ("w2", "s2")):
        hub.subscribe(window=name)
        windows.show(name, Showing(session))
    assert windows.shows("s1")
    assert windows.shows("s2")


async def test_a_window_that_is_closed_meanwhile_leaves_nobody_waiting() -> None:
    hub = EventHub()
    windows = Windows(hub)
    stream = hub.subscribe(window="w1", offers=frozenset({"show_diff"}))
    assert (windows.offers("show_diff"), windows.offers("ui.open")) == (True, False)
    call = asyncio.create_task(windows.call("show_diff", {}))
    await asyncio.sleep(0)
    stream.close()
    with pytest.raises(SaysoError, match="closed before it answered show_diff"):
        await asyncio.wait_for(call, 5)
    assert not windows.offers("show_diff")
    with pytest.raises(SaysoError, match="No window is open"):
        await windows.call("show_diff", {})
