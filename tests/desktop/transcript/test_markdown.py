from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage, QTextTable
from pytestqt.qtbot import QtBot

from desktop.theme.theme import Theme
from desktop.transcript.markdown import MarkdownBody, open_target, settled_length


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("", ""),
        ("one line", ""),
        ("para\n\nnext", "para\n\n"),
        ("```py\nx\n\ny", ""),
        ("```py\nx\n\ny\n```\n\nafter", "```py\nx\n\ny\n```\n\n"),
        ("````\n```\n\n", ""),
        ("a\n\n~~~\n\n```\n\n", "a\n\n"),
    ],
)
def test_what_further_text_cannot_change(text: str, settled: str) -> None:
    assert text[: settled_length(text)] == settled


@pytest.fixture
def body(qtbot: QtBot, theme: Theme) -> MarkdownBody:
    widget = MarkdownBody(theme)
    qtbot.addWidget(widget)
    return widget


def _pixels(body: MarkdownBody, color: str) -> int:
    body.resize(300, max(body.height(), 60))
    image = body.grab().toImage()
    wanted = QColor(color).rgb()
    return sum(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


def test_an_image_is_not_loaded(body: MarkdownBody, tmp_path: Path) -> None:
    picture = QImage(40, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("#ff00ff"))
    assert picture.save(str(tmp_path / "p.png"))
    for target in (tmp_path / "p.png", (tmp_path / "p.png").as_uri()):
        body.show_markdown(f"text ![x]({target}) more", 280)
        assert _pixels(body, "#ff00ff") == 0


def test_raw_html_is_shown_as_text(body: MarkdownBody) -> None:
    body.show_markdown("a <b>bold</b> <script>x</script>", 280)
    assert "<b>bold</b>" in body.toPlainText()


def test_a_link_is_reported_and_not_followed(body: MarkdownBody) -> None:
    asked: list[QUrl] = []
    body.link_asked.connect(asked.append)
    body.show_markdown("[x](https://example.org)", 280)
    body.anchorClicked.emit(QUrl("https://example.org"))
    assert [url.toString() for url in asked] == ["https://example.org"]
    assert not body.openLinks()


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "vscode://x", "relative/path", ""])
def test_only_web_and_mail_open(url: str) -> None:
    assert open_target(QUrl(url)) is None
    assert open_target(QUrl("https://example.org")) is not None


def test_code_is_framed_and_leaves_no_empty_lines(body: MarkdownBody) -> None:
    with_code = body.show_markdown("one\n\n```\nx\n```\n\ntwo", 280)
    plain = body.show_markdown("one\n\nx\n\ntwo", 280)
    assert with_code - plain < 30  # padding only: no empty paragraph before or after the frame


def test_a_table_after_code_has_no_empty_line_in_its_first_cell(body: MarkdownBody) -> None:
    body.show_markdown("```\nx\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", 280)
    table = next(frame for frame in body.document().rootFrame().childFrames() if isinstance(frame, QTextTable))
    first = table.cellAt(0, 0)
    assert first.firstCursorPosition().block().text() == "a"
    assert first.firstCursorPosition().block() == first.lastCursorPosition().block()
