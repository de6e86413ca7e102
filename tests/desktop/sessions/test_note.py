"""The strip under a session's header: silence of a working agent, and the end of one."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop.sessions.note import SessionNote
from tests.desktop.host import NOW, session


class Clock:
    at = NOW

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def note(qtbot: QtBot, clock: Clock) -> SessionNote:
    note = SessionNote(clock)
    qtbot.addWidget(note)
    return note


def shown(note: SessionNote) -> tuple[str, list[str]]:
    assert not note.isHidden()
    buttons = [b.text() for b in note.findChildren(QPushButton) if not b.isHidden()]
    return note.findChildren(QLabel)[0].text(), buttons


def test_an_agent_is_quiet_after_half_a_minute(note: SessionNote, clock: Clock) -> None:
    note.show_session(session("s1", state="working"))
    clock.at = NOW + 29_900
    note.look()
    assert note.isHidden()
    clock.at = NOW + 42_000
    note.look()
    assert shown(note) == ("No activity for 42 s", ["Stop the turn", "Stop the agent"])
    clock.at = NOW + 185_000
    note.look()
    assert shown(note)[0] == "No activity for 3 min"
    note.heard(clock.at)
    assert note.isHidden()


@pytest.mark.parametrize("state", ["idle", "waiting", "starting"])
def test_only_a_working_agent_can_be_quiet(note: SessionNote, clock: Clock, state: str) -> None:
    """One that waits for a person is not quiet: the person is."""
    note.show_session(session("s1", state=state))
    clock.at = NOW + 500_000
    note.look()
    assert note.isHidden()


def test_an_agent_that_is_slow_to_start_can_be_stopped(note: SessionNote, qtbot: QtBot) -> None:
    text = "Still starting: waits for the answer of Big to initialize, 12 s"
    slow = session("s1", state="starting", reason=text)
    note.show_session(slow)
    assert shown(note) == (text, ["Stop the agent"])
    button = next(b for b in note.findChildren(QPushButton) if b.text() == "Stop the agent")
    with qtbot.waitSignal(note.stop_asked) as asked:
        button.click()
    assert asked.args == ["s1"]
    note.show_session(session("s1", state="idle"))
    assert note.isHidden()


def test_another_session_has_its_own_silence(note: SessionNote, clock: Clock) -> None:
    clock.at = NOW + 60_000
    note.show_session(session("s1", state="working", last_activity=clock.at))
    assert note.isHidden()
    note.show_session(session("s2", state="working"))
    assert shown(note)[0] == "No activity for 60 s"


def test_an_agent_that_ended_says_why_and_offers_to_resume(note: SessionNote) -> None:
    note.show_session(session("s1", state="interrupted", reason="It did not stop.", resumable=True))
    assert shown(note) == ("It did not stop.", ["Resume"])
    note.show_session(session("s2", state="failed", reason="No such program."))
    assert shown(note) == ("No such program.", [])


def test_the_buttons_name_the_session(note: SessionNote, clock: Clock) -> None:
    asked: list[tuple[str, str]] = []
    for name in ("cancel", "stop", "resume"):
        getattr(note, f"{name}_asked").connect(lambda session_id, name=name: asked.append((name, session_id)))
    clock.at = NOW + 60_000
    note.show_session(session("s1", state="working"))
    for button in note.findChildren(QPushButton):
        button.click()
    assert asked == [("cancel", "s1"), ("stop", "s1"), ("resume", "s1")]
