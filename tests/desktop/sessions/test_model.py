from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from actions.catalog.views import Targets
from desktop.sessions.delegate import age
from desktop.sessions.model import SessionListModel
from tests.desktop.host import session


def test_keeps_the_rules_of_qt_models(qapp: object) -> None:
    model = SessionListModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_sessions([session("a"), session("b", workspace_id="w2", workspace="/x/y")])
    model.upsert(session("c"))
    model.upsert(session("a", state="working"))
    model.filter("nothing fits")
    assert model.rowCount() == 0


def test_a_change_of_state_moves_nothing(qapp: object) -> None:
    model = SessionListModel()
    model.show_sessions([session("a"), session("b")])
    resets, changes = [], []
    model.modelReset.connect(lambda: resets.append(1))
    model.dataChanged.connect(lambda first, last: changes.append(first.row()))
    model.upsert(session("a", state="working"))
    assert (resets, changes) == ([], [model.row_of("a")])


def test_a_heading_cannot_be_selected(qapp: object) -> None:
    model = SessionListModel()
    model.show_sessions([session("a")])
    assert not model.flags(model.index(0)) & Qt.ItemFlag.ItemIsSelectable
    assert model.flags(model.index(1)) & Qt.ItemFlag.ItemIsSelectable


def test_a_screen_reader_hears_what_is_drawn(qapp: object) -> None:
    model = SessionListModel()
    model.show_sessions([session("a", title="Fix it", state="working", unread=True), session("b", waiting_for=1)])
    spoken = [model.data(model.index(row), Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert spoken == [
        "Workspace sayso, 2 sessions",
        "Fix it, Built-in agent, working, unread",
        "Session b, Built-in agent, waiting for you",
    ]


def test_a_start_that_takes_long_is_told_from_one_that_does_not(qapp: object) -> None:
    model = SessionListModel()
    assert model.state_text(session("s1", state="starting")) == "starting"
    assert model.state_text(session("s1", state="starting", reason="Still starting: …, 12 s")) == "still starting"


def test_age_in_the_shortest_form(qapp: object) -> None:
    minute = 60_000
    ages = [age(0, minutes * minute) for minutes in (0, 1, 59, 60, 1439, 1440, 10_000)]
    assert ages == ["now", "1m", "59m", "1h", "23h", "1d", "6d"]
    assert age(5, 0) == "now"  # clocks may disagree


def test_what_is_meant_without_being_named_is_said() -> None:
    model = SessionListModel()
    model.show_sessions([session("a"), session("b")])
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last, *_: changed.append(last.row()))
    model.show_targets(Targets(primary="a", tracked=["b"]))
    assert changed == [model.rowCount() - 1]
    said = [model.data(model.index(at), Qt.ItemDataRole.AccessibleTextRole) for at in range(model.rowCount())]
    assert [text.rsplit(", ", 1)[-1] for text in said[1:]] == ["primary", "followed"]
