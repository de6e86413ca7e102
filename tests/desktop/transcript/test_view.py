from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from desktop.theme.colors import SchemeName
from desktop.theme.theme import Theme
from desktop.transcript.cards.permission import PermissionCard
from desktop.transcript.cards.text import NoticeCard
from desktop.transcript.cards.tool import ToolCard, shorten
from desktop.transcript.events import TranscriptReader
from desktop.transcript.model import Item, Kind, TranscriptModel
from desktop.transcript.view import TranscriptView
from tests.desktop.host import event

LONG = "Some words of an answer that is long enough to wrap. " * 6


def _items(count: int) -> list[Item]:
    kinds = (Kind.USER, Kind.AGENT, Kind.TOOL, Kind.THOUGHT, Kind.NOTICE)
    return [Item(f"i{n}", kinds[n % 5], f"{n}: {LONG * (n % 4)}", data={"status": "completed"}) for n in range(count)]


@pytest.fixture
def model() -> TranscriptModel:
    return TranscriptModel(_items(1000))


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, model: TranscriptModel) -> TranscriptView:
    widget = TranscriptView(model, theme)
    qtbot.addWidget(widget)
    widget.resize(800, 600)
    widget.show()
    return widget


def _rows(view: TranscriptView) -> dict[int, int]:
    return {row: card.y() for row in range(1000) if (card := view.card(row)) is not None}


def test_only_rows_in_sight_have_a_card(view: TranscriptView) -> None:
    assert view.live_cards < 30
    assert view.card(999) is not None
    assert view.card(0) is None


def test_rows_lie_under_each_other_without_overlap(view: TranscriptView) -> None:
    for position in (0, 3000, 20_000, view.verticalScrollBar().maximum()):
        view.verticalScrollBar().setValue(position)
        cards = [view.card(row) for row in sorted(_rows(view))]
        for above, below in pairwise(cards):
            assert above.geometry().bottom() < below.geometry().top()


def test_text_in_sight_does_not_jump_while_heights_settle(view: TranscriptView) -> None:
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    for _ in range(100):
        before = _rows(view)
        bar.setValue(bar.value() - 60)
        after = _rows(view)
        stayed = [row for row in before.keys() & after.keys() if 0 < after[row] < 500]
        assert stayed
        assert all(after[row] - before[row] == 60 for row in stayed)


def test_follows_the_tail_only_at_the_bottom(view: TranscriptView, model: TranscriptModel) -> None:
    bar = view.verticalScrollBar()
    model.upsert(Item("new1", Kind.AGENT, LONG))
    view.flush()
    assert bar.value() == bar.maximum()
    bar.setValue(bar.value() - 400)
    place = bar.value()
    model.upsert(Item("new2", Kind.AGENT, LONG))
    view.flush()
    assert bar.value() == place
    assert view.newest.isVisible()
    QTest.mouseClick(view.newest, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    assert not view.newest.isVisible()


def test_drawing_is_batched(qtbot: QtBot, view: TranscriptView, model: TranscriptModel) -> None:
    model.append_text("s", Kind.AGENT, "word")
    for _ in range(200):
        model.append_text("s", Kind.AGENT, " word")
    assert view.card(1000) is None  # nothing is drawn before the frame is due
    qtbot.waitUntil(lambda: view.card(1000) is not None, timeout=30_000)


def test_a_card_with_a_selection_is_kept(view: TranscriptView) -> None:
    row = next(row for row in sorted(_rows(view), reverse=True) if row % 5 == 1)
    card = view.card(row)
    body = card.findChild(QTextBrowser)
    cursor = body.textCursor()
    cursor.select(QTextCursor.SelectionType.Document)
    body.setTextCursor(cursor)
    view.setFocus()
    view.verticalScrollBar().setValue(0)
    assert view.card(row) is card
    assert body.textCursor().hasSelection()
    cursor.clearSelection()
    body.setTextCursor(cursor)
    view.verticalScrollBar().setValue(200)
    assert view.card(row) is None


def test_expanding_makes_room_for_all_of_it(view: TranscriptView, model: TranscriptModel) -> None:
    output = "\n".join(f"line {n}" for n in range(20))
    model.upsert(Item("t", Kind.TOOL, "Run", data={"status": "completed", "output": output}))
    view.flush()
    card = view.card(1000)
    folded = card.height()
    model.set_expanded("t", True)
    view.flush()
    assert card.height() > folded + 20 * card.fontMetrics().height() * 0.8
    assert isinstance(card, ToolCard)
    assert "line 19" in card.findChildren(type(card._output.code))[1].toPlainText()


def test_long_output_shows_head_and_tail() -> None:
    text, hidden = shorten("\n".join(str(n) for n in range(100)), head=3, tail=2)
    assert (text, hidden) == ("0\n1\n2\n⋯\n98\n99", 95)
    assert shorten("a\nb\nc", head=1, tail=1) == ("a\nb\nc", 0)  # one line left out would save nothing


def test_a_theme_change_draws_links_anew(view: TranscriptView, model: TranscriptModel, theme: Theme) -> None:
    model.upsert(Item("l", Kind.AGENT, "[x](https://example.org)"))
    view.flush()
    body = view.card(1000).findChild(QTextBrowser)
    theme.choose(SchemeName.DARK)
    assert theme.scheme.link in body.document().toHtml()


def test_another_session_starts_at_its_end(view: TranscriptView, model: TranscriptModel) -> None:
    view.verticalScrollBar().setValue(0)
    model.reset(_items(50))
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    assert view.card(49) is not None


def test_closing_ends_the_subscription(view: TranscriptView, model: TranscriptModel) -> None:
    assert model.listeners == 1
    view.close_view()
    view.close_view()
    assert model.listeners == 0


def _permission(answer: str | None = None) -> Item:
    options = [{"id": "no", "name": "Reject", "kind": "reject_once"}, {"id": "yes", "name": "Allow once"}]
    return Item("permission:p", Kind.PERMISSION, "Run it", data={"options": options, "answer": answer})


def test_a_permission_is_answered_by_id_once_and_not_at_once(
    qtbot: QtBot, view: TranscriptView, model: TranscriptModel
) -> None:
    model.upsert(_permission())
    view.flush()
    card = view.card(1000)
    assert isinstance(card, PermissionCard)
    answers: list[tuple[str, str]] = []
    view.answered.connect(lambda item, option: answers.append((item, option)))
    allow = card._buttons[1]
    QTest.mouseClick(allow, Qt.MouseButton.LeftButton)
    assert answers == []  # it has only just come up under the cursor
    qtbot.wait(420)
    QTest.mouseDClick(allow, Qt.MouseButton.LeftButton)
    QTest.mouseClick(allow, Qt.MouseButton.LeftButton)
    assert answers == [("permission:p", "yes")]


def test_an_answered_permission_offers_nothing(view: TranscriptView, model: TranscriptModel) -> None:
    model.upsert(_permission("yes"))
    view.flush()
    card = view.card(1000)
    assert isinstance(card, PermissionCard)
    assert not any(button.isVisible() for button in card._buttons)
    assert "Allow once" in card._state.text()


def test_a_tool_title_is_plain_text(view: TranscriptView, model: TranscriptModel) -> None:
    model.upsert(Item("t", Kind.TOOL, "<b>rm</b> <img src=x>", data={"status": "pending"}))
    view.flush()
    card = view.card(1000)
    assert isinstance(card, ToolCard)
    assert card.line.title() == "<b>rm</b> <img src=x>"


def test_keys_move_the_view(view: TranscriptView) -> None:
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0
    assert view.card(0).y() > 0
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert view.verticalScrollBar().value() > 300
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.follow
    assert view.viewport().mapTo(view, QPoint(0, 0)).x() >= 0


def test_the_end_of_a_run_leads_to_the_run(qtbot: QtBot, theme: Theme) -> None:
    model = TranscriptModel()
    widget = TranscriptView(model, theme)
    qtbot.addWidget(widget)
    widget.resize(700, 300)
    widget.show()
    reader = TranscriptReader(model, {})
    reader.apply(event(1, "notice", text="Plan run by p succeeded: two steps", code="run_ended", run_id="run_7"))
    reader.apply(event(2, "notice", text="The mode changed", code="mode"))
    qtbot.waitUntil(lambda: widget.card(1) is not None, timeout=30_000)
    card, other = widget.card(0), widget.card(1)
    assert isinstance(card, NoticeCard)
    assert isinstance(other, NoticeCard)
    assert other.run.isHidden()
    with qtbot.waitSignal(widget.run_asked, timeout=30_000) as asked:
        card.run.click()
    assert asked.args == ["run_7"]
