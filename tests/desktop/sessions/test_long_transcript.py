"""A long transcript: its end is shown at once, and what is older is read when it comes near."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from actions.catalog.views import TranscriptEvent
from desktop.app.application import Application
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, event, session

TURNS = 1500
EVENTS = TURNS * 4
LONG = "Words that make a row of the transcript as high as an answer is. " * 8


def _events() -> list[TranscriptEvent]:
    found: list[TranscriptEvent] = []
    for turn in range(TURNS):
        seq = turn * 4
        found.append(event(seq + 1, "turn_start", turn=turn))
        found.append(event(seq + 2, "user", f"u{turn}", text=f"Question {turn}", turn=turn))
        found.append(event(seq + 3, "agent", f"m{turn}", text=f"Answer {turn} {LONG}", turn=turn))
        found.append(event(seq + 4, "turn_end", stop_reason="end_turn", turn=turn))
    return found


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost) -> AsyncIterator[Application]:
    host.sessions = {"s1": session("s1", title="Long")}
    host.transcripts = {"s1": _events()}
    application = Application(theme, host)
    application.open()
    yield application
    await application.close()


def _texts(app: Application) -> list[str]:
    model = app.window.transcript
    return [model[row].text.removesuffix(f" {LONG}") for row in range(len(model))]


async def test_the_end_is_shown_after_one_page(app: Application, host: InMemoryHost, eventually: Eventually) -> None:
    view = app.window.session_page.transcript
    await eventually(lambda: len(app.window.transcript) and view.live_cards)
    assert _texts(app)[-1] == f"Answer {TURNS - 1}"
    assert view.card(len(app.window.transcript) - 1) is not None
    calls = host.called("session.transcript.get")
    assert [call.get("newest") for call in calls] == [True], "nothing older is read before it is wanted"


async def test_going_up_reads_all_of_it_once_and_nothing_in_sight_moves(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    view = app.window.session_page.transcript
    await eventually(lambda: len(app.window.transcript) and view.live_cards)
    bar = view.verticalScrollBar()
    for _ in range(10):
        known = len(app.window.transcript)
        if known == TURNS * 2:
            break
        bar.setValue(view.viewport().height())
        shown = min(row for row in range(known) if view.card(row) is not None)
        item, y = app.window.transcript[shown].id, view.card(shown).y()
        await eventually(lambda known=known: len(app.window.transcript) > known)
        row = app.window.transcript.row_of(item)
        assert row is not None
        assert (card := view.card(row)) is not None
        assert abs(card.y() - y) <= 1
    expected = [text for turn in range(TURNS) for text in (f"Question {turn}", f"Answer {turn}")]
    assert _texts(app) == expected
    # An event that comes now goes to the end.
    host.append("s1", event(EVENTS + 1, "user", "new", text="And then?", turn=TURNS))
    await eventually(lambda: _texts(app)[-1] == "And then?")


async def test_what_comes_while_a_session_opens_is_not_lost(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await eventually(lambda: len(app.window.transcript))
    host.sessions["s2"] = session("s2")
    host.transcripts["s2"] = [event(1, "user", "u", text="One")]
    app.sessions.open("s2")
    host.append("s2", event(2, "agent", "m", text="Two"))
    await eventually(lambda: _texts(app) == ["One", "Two"])
