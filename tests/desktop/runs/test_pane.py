from pytestqt.qtbot import QtBot

from desktop.runs.model import RunListModel
from desktop.runs.pane import RunsPane
from desktop.theme.theme import Theme
from tests.desktop.host import NOW, run


def test_a_run_that_is_opened_before_it_is_read_is_shown_then(qtbot: QtBot, theme: Theme) -> None:
    pane = RunsPane(theme, RunListModel())
    qtbot.addWidget(pane)
    pane.model.show_runs([run("r1")])
    pane.open("r2")
    pane.model.show_runs([run("r1", created=NOW + 5), run("r2")])
    current = pane.list.currentIndex()
    assert current.row() == pane.model.position("r2")
