"""Forms of agents whose fields are made of others."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from actions.catalog.questions import content_of, form_of
from desktop.inbox.choices import Choice
from desktop.inbox.model import InboxModel
from desktop.inbox.pane import InboxPane
from desktop.theme.theme import Theme
from tests.desktop.host import request


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> InboxPane:
    widget = InboxPane(theme, InboxModel())
    qtbot.addWidget(widget)
    widget.resize(1000, 700)
    widget.show()
    return widget


def _texts(pane: InboxPane) -> list[str]:
    return [label.text() for label in pane.detail.findChildren(QLabel) if label.isVisible()]


DEPLOY: dict[str, Any] = {
    "type": "object",
    "required": ["hosts"],
    "properties": {
        "hosts": {
            "type": "array",
            "title": "Hosts",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "port": {"type": "integer", "maximum": 65535}},
            },
        },
        "when": {"oneOf": [{"type": "string", "format": "date"}, {"type": "null"}], "title": "When"},
    },
}


def test_a_question_that_is_made_of_parts_is_drawn_by_its_schema_and_answered_whole(
    qtbot: QtBot, pane: InboxPane
) -> None:
    form = [field.model_dump(mode="json") for field in form_of(DEPLOY)]
    answers: list[dict[str, Any]] = []

    def note(_: str, choice: Choice, input: dict[str, Any]) -> None:
        answers.append(input)

    pane.answered.connect(note)
    pane.model.show_rows([request("q1", "question", detail={"form": form})])
    qtbot.waitUntil(pane.detail._buttons[0].isEnabled, timeout=30_000)
    asked = pane.detail._asked.form
    send = pane.detail._buttons[0]
    lines = [line for line in asked.editor("hosts").findChildren(QLineEdit) if line.isVisible()]
    QTest.keyClicks(lines[1], "70000")
    QTest.mouseClick(send, Qt.MouseButton.LeftButton)
    assert answers == []
    assert "This is needed." in _texts(pane)  # the name of the host
    assert "At most 65535." in _texts(pane)
    QTest.keyClicks(lines[0], "shop")
    lines[1].selectAll()
    QTest.keyClicks(lines[1], "443")
    QTest.mouseClick(send, Qt.MouseButton.LeftButton)
    given = {entry["question"]: entry["values"] for entry in answers[-1]["answers"]}
    assert content_of(DEPLOY, given) == {"hosts": [{"name": "shop", "port": 443}]}
