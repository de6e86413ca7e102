"""Finding words, copying rows, and code in its colours."""

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop.theme.colors import LIGHT
from desktop.theme.theme import Theme
from desktop.transcript.copying import as_markdown
from desktop.transcript.find import FindBar, found
from desktop.transcript.highlight import LONGEST, blocks_of, paint, spans
from desktop.transcript.model import Item, Kind, TranscriptModel
from desktop.transcript.view import TranscriptView, estimate, estimates

ITEMS = [
    Item("u", Kind.USER, "Fix the Price"),
    Item("t", Kind.TOOL, "Read", data={"status": "completed", "input": {"path": "a.py"}, "output": "x\nprice = 1\n"}),
    Item("h", Kind.THOUGHT, "What is 价格?"),
    Item("p", Kind.PLAN, data={"entries": [{"content": "Set a price", "status": "completed"}]}),
    Item("a", Kind.AGENT, "Done: `price` is set.\n\n```python\nprice = 1  # 🎉\n```"),
    Item("q", Kind.PERMISSION, "Run", data={"options": [{"id": "y", "name": "Yes"}]}),
]


@pytest.mark.parametrize(
    ("words", "ids"), [("PRICE", ["u", "t", "p", "a"]), ("价格", ["h"]), ("a.py", ["t"]), ("zzz", []), (" ", [])]
)
def test_rows_are_found_by_what_they_say_and_by_what_tools_read(words: str, ids: list[str]) -> None:
    assert found(TranscriptModel(ITEMS), words) == ids


def _selected(view: TranscriptView) -> str:
    for row in range(len(ITEMS)):
        card = view.card(row)
        for text in () if card is None else card.findChildren(QWidget):
            if isinstance(text, QLabel):
                if text.hasSelectedText():
                    return text.selectedText()
            elif isinstance(text, (QTextEdit, QPlainTextEdit)) and text.textCursor().hasSelection():
                return str(text.textCursor().selectedText())
    return ""


def test_the_bar_goes_from_place_to_place_and_unfolds_what_hides_one(qtbot: QtBot, theme: Theme) -> None:
    model = TranscriptModel(ITEMS)
    view, bar = TranscriptView(model, theme), FindBar(theme, model)
    for widget in (view, bar):
        qtbot.addWidget(widget)
    view.resize(700, 900)
    view.show()
    bar.shown.connect(view.show_words)
    bar.open()
    bar.edit.setText("price")
    bar.search()
    assert bar._count.text() == "4 of 4"  # the newest first
    assert _selected(view) == "price"
    bar.step(1)
    assert bar._count.text() == "1 of 4"
    assert _selected(view) == "Price"
    bar.step(1)
    assert model.is_expanded("t")
    assert _selected(view) == "price"
    bar.edit.setText("nowhere")
    bar.search()
    assert bar._count.text() == "Not found"
    view.close_view()


def test_the_open_permission_gets_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    model = TranscriptModel(ITEMS)
    view = TranscriptView(model, theme)
    qtbot.addWidget(view)
    view.resize(700, 900)
    view.show()
    assert view.open_permission() == "q"
    assert view.focus_permission()
    model.upsert(Item("q", Kind.PERMISSION, "Run", data={"options": [], "answer": "y"}))
    assert view.open_permission() is None
    assert not view.focus_permission()
    view.close_view()


def test_rows_as_markdown() -> None:
    by_id = {item.id: as_markdown(item) for item in ITEMS}
    assert by_id["h"] == "> What is 价格?"
    assert by_id["p"] == "- [x] Set a price"
    assert by_id["t"].startswith("**Read**\n\n```\n{")
    assert by_id["t"].endswith("```\nx\nprice = 1\n```")
    fenced = as_markdown(Item("x", Kind.TOOL, "Cat", data={"output": "```\ninside\n```"}))
    assert fenced.splitlines()[2] == "````"  # longer than what is inside


def test_code_is_coloured_where_its_fence_names_a_language() -> None:
    document = QTextDocument()
    text = "```python\nx = '🎉' # hi\nreturn x\n```\n\n```nosuch\nreturn\n```"
    document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    pieces = blocks_of(document)
    assert [language for _, language in pieces] == ["python", "nosuch"]
    for lines, language in pieces:
        paint(document, lines, language, LIGHT)
    first, second = pieces[0][0][:2]
    colours = {
        first.text()
        .encode("utf-16-le")[2 * f.start : 2 * (f.start + f.length)]
        .decode("utf-16-le"): f.format.foreground().color().name()
        for f in first.layout().formats()
    }
    assert colours["# hi"] == LIGHT.muted  # behind an emoji, which Qt counts as two
    assert next(f.format.foreground().color().name() for f in second.layout().formats()) == LIGHT.accent_text
    assert pieces[1][0][0].layout().formats() == []


def test_very_long_code_is_left_alone() -> None:
    assert spans("x = 1\n" * LONGEST, "python") == ()
    assert spans("x = 1", "python") != ()


def test_a_long_transcript_is_estimated_by_what_is_usual_in_it() -> None:
    long = [Item(str(n), Kind.USER, "word " * (20 + n % 7)) for n in range(6000)]
    guessed = estimates(TranscriptModel(long))
    exact = [estimate(item) for item in long]
    assert guessed[-1000:] == exact[-1000:]
    assert abs(sum(guessed) - sum(exact)) < 0.02 * sum(exact)
    assert estimates(TranscriptModel(long[:1500])) == exact[:1500]
