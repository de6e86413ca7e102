"""The parts that cards are made of."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock


def test_a_long_line_is_whole_above_its_scroll_bar(qtbot: QtBot, theme: Theme) -> None:
    block = CodeBlock(theme)
    qtbot.addWidget(block)
    block.resize(800, 40)
    block.show()
    block.show_text("one short line")
    low = block.height()
    block.show_text("a long line " * 40)
    assert block.height() > low, "else the scroll bar is drawn over the text"
    block.show_text("one short line")
    assert block.height() == low
    block.show_text("thirty characters, not more ..")
    block.resize(120, block.height())
    assert block.height() > low, "it got too narrow"
