"""What is said aloud of the session in front."""

import pytest

from desktop.main_window import MainWindow
from desktop.theme.theme import Theme
from desktop.transcript.announcing import announcement
from tests.desktop.host import event


@pytest.fixture
def window(qtbot, theme: Theme) -> MainWindow:
    window = MainWindow(theme)
    qtbot.addWidget(window)
    return window


def test_a_permission_a_question_and_the_end_of_a_turn_are_announced(window: MainWindow) -> None:
    said: list[str] = []
    window.session_page.announced.connect(said.append)
    for told in (
        event(1, "user", text="Go on"),
        event(2, "permission", "p1", title="Run pytest"),
        event(3, "question", "q1", message="Which branch?"),
        event(4, "agent", "m1", text="Done."),
        event(5, "turn_end", stop_reason="end_turn"),
        event(6, "turn_end", stop_reason="cancelled"),
    ):
        window.session_page.announce(told)
    assert said == [
        "Asks for permission: Run pytest",
        "The agent asks: Which branch?",
        "The turn is over",
        "The turn was stopped",
    ]


def test_text_that_streams_is_not_announced(window: MainWindow) -> None:
    assert announcement(event(1, "agent", "m1", text="word"), window.session_page.words()) is None
