"""What windows show, as far as the host knows."""

from __future__ import annotations

from actions.delivery.events import EventHub
from actions.delivery.windows import Showing, Windows


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
