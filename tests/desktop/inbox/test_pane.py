import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop.inbox.choices import Choice
from desktop.inbox.model import InboxModel
from desktop.inbox.pane import InboxPane
from desktop.theme.theme import Theme
from tests.desktop.host import NOW, request


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> InboxPane:
    widget = InboxPane(theme, InboxModel())
    qtbot.addWidget(widget)
    widget.resize(1000, 700)
    widget.show()
    return widget


def _answers(pane: InboxPane) -> list[tuple[str, str, dict]]:
    answers: list[tuple[str, str, dict]] = []

    def note(request_id: str, choice: Choice, input: dict) -> None:
        answers.append((request_id, choice.action, input))

    pane.answered.connect(note)
    return answers


def _texts(pane: InboxPane) -> list[str]:
    return [label.text() for label in pane.detail.findChildren(QLabel) if label.isVisible()]


def test_a_request_is_shown_in_full(qtbot: QtBot, pane: InboxPane) -> None:
    fields = [{"path": "p", "title": "Providers", "value": "Codex"}, {"path": "x", "title": "Base", "value": ""}]
    pane.model.show_rows([request("a1", title="Start a plan run", fields=fields, releases=["Review run"])])
    qtbot.wait(20)  # a layout shows what was added to it when events are next handled
    texts = _texts(pane)
    for text in ("Start a plan run", "Asked by claude", "Providers", "Codex", "Base", "not set"):
        assert text in texts
    assert any("Review run" in text for text in texts)


def test_an_inbox_that_was_read_and_is_empty_says_so(pane: InboxPane) -> None:
    pane.model.show_rows([])
    texts = [label.text() for label in pane.findChildren(QLabel) if label.isVisible()]
    assert "Nothing waits for you" in texts
    assert "Loading…" not in texts


def test_a_permission_is_named_by_what_it_asks(qtbot: QtBot, pane: InboxPane) -> None:
    asked = {"kind": "permission", "title": "Permission", "summary": "Write docs/plan.md", "session_id": "ses_1"}
    pane.model.show_rows([request("r1", **asked, session_title="Shop", asked_by="ses_1")])
    qtbot.wait(20)
    assert pane.detail._title.text() == "Write docs/plan.md"
    assert "Asked by the session Shop" in _texts(pane)
    assert pane.model.data(pane.model.index(0)) == "Write docs/plan.md"


def test_the_answers_stay_in_sight_under_a_long_request(qtbot: QtBot, pane: InboxPane) -> None:
    text = "\n".join(f"line {number}" for number in range(400))
    pane.model.show_rows([request("a1", fields=[{"path": "content", "title": "New text", "value": text}])])
    qtbot.wait(50)
    approve = pane.detail._buttons[0]
    assert approve.visibleRegion().boundingRect().height() == approve.height()


def test_what_holds_an_agent_up_stands_before_what_has_failed(pane: InboxPane) -> None:
    pane.model.show_rows([request("r1", "failed_run", created=NOW), request("a1", created=NOW - 9), request("a2")])
    shown = [pane.model.at(at) for at in range(pane.model.rowCount())]
    assert [row.id for row in shown if row is not None] == ["a2", "a1", "r1"]


def test_a_number_answers_from_the_list(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.model.show_rows([request("a1"), request("a2", created=NOW - 5)])
    pane.take_focus()
    QTest.keyClick(pane.list, Qt.Key.Key_Down)
    qtbot.waitUntil(pane.detail._buttons[0].isEnabled, timeout=30_000)
    QTest.keyClick(pane.list, Qt.Key.Key_1)
    assert [answer[0] for answer in answers] == ["a2"]


def test_time_to_read_begins_when_the_request_is_on_the_screen(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.hide()
    pane.model.show_rows([request("a1")])
    qtbot.wait(600)
    pane.show()
    QTest.keyClick(pane.list, Qt.Key.Key_1)
    assert answers == []


def test_what_has_just_come_up_cannot_be_answered(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.model.show_rows([request("a1")])
    approve = pane.detail._buttons[0]
    assert not approve.isEnabled()
    QTest.keyClick(pane.detail, Qt.Key.Key_1)
    assert answers == []
    qtbot.waitUntil(approve.isEnabled, timeout=30_000)
    QTest.mouseDClick(approve, Qt.MouseButton.LeftButton)
    QTest.mouseClick(approve, Qt.MouseButton.LeftButton)
    assert answers == [("a1", "approval.request.decide", {"approval_id": "a1", "decision": "approve", "scope": "once"})]


def test_a_new_request_does_not_slip_under_the_cursor(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.model.show_rows([request("a1")])
    qtbot.waitUntil(pane.detail._buttons[0].isEnabled, timeout=30_000)
    pane.model.show_rows([request("a1"), request("a2", created=NOW + 5)])
    QTest.mouseClick(pane.detail._buttons[0], Qt.MouseButton.LeftButton)
    assert [answer[0] for answer in answers] == ["a1"]  # the one that was open stays open
    pane.model.show_rows([request("a2", created=NOW + 5)])
    assert not pane.detail._buttons[0].isEnabled()
    QTest.mouseClick(pane.detail._buttons[0], Qt.MouseButton.LeftButton)
    assert len(answers) == 1


def test_rejecting_carries_the_feedback(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.model.show_rows([request("a1")])
    qtbot.waitUntil(pane.detail._buttons[1].isEnabled, timeout=30_000)
    QTest.keyClicks(pane.detail.feedback, "1 is not enough")  # a digit in a text field answers nothing
    assert answers == []
    QTest.mouseClick(pane.detail._buttons[1], Qt.MouseButton.LeftButton)
    assert answers[0][2] == {"approval_id": "a1", "decision": "reject", "feedback": "1 is not enough"}


def test_a_question_needs_an_answer(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.model.show_rows([request("q1", "question")])
    qtbot.waitUntil(pane.detail._buttons[0].isEnabled, timeout=30_000)
    QTest.mouseClick(pane.detail._buttons[0], Qt.MouseButton.LeftButton)
    assert answers == []
    assert "Write it into the field first." in _texts(pane)
    QTest.keyClicks(pane.detail.feedback, "version 4")
    QTest.mouseClick(pane.detail._buttons[0], Qt.MouseButton.LeftButton)
    assert answers[0][2]["answer"] == "version 4"


def test_a_failed_answer_may_be_given_again(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.model.show_rows([request("a1")])
    qtbot.waitUntil(pane.detail._buttons[0].isEnabled, timeout=30_000)
    QTest.mouseClick(pane.detail._buttons[0], Qt.MouseButton.LeftButton)
    pane.detail.failed("a1", "The host does not answer.")
    assert "The host does not answer." in _texts(pane)
    QTest.mouseClick(pane.detail._buttons[0], Qt.MouseButton.LeftButton)
    assert len(answers) == 2


def test_an_empty_inbox_says_so(pane: InboxPane) -> None:
    pane.model.show_rows([request("a1")])
    pane.model.show_rows([])
    assert any(label.text() == "Nothing waits for you" and label.isVisible() for label in pane.findChildren(QLabel))


def test_a_request_that_is_asked_for_before_it_is_read_is_shown_then(pane: InboxPane) -> None:
    pane.open("a2")
    pane.model.show_rows([request("a1", created=NOW + 5), request("a2", title="The one")])
    assert pane.detail._title.text() == "The one"


def test_list_and_request_share_a_narrow_window(qtbot: QtBot, pane: InboxPane) -> None:
    pane.resize(560, 480)
    pane.model.show_rows([request("a1")])
    qtbot.wait(50)
    assert pane.list.mapTo(pane, pane.list.rect().topRight()).x() < pane.detail.mapTo(pane, QPoint(0, 0)).x()


COLOUR = [{"value": "red", "label": "Red", "description": "Warm"}, {"value": "blue", "label": "Blue"}]
REQUEST = {"session_id": "s1", "request_id": "q1"}


def _field(path: str, kind: str, widget: str, **more: object) -> dict:
    return {"path": path, "title": path.title(), "type": kind, "widget": widget, "required": False, "flag": path} | more


def _ready(qtbot: QtBot, pane: InboxPane, *rows: object) -> None:
    pane.model.show_rows(rows)  # type: ignore[arg-type]  # rows are made by request()
    qtbot.waitUntil(pane.detail._buttons[0].isEnabled, timeout=30_000)


def test_a_question_is_answered_by_the_key_of_an_option(qtbot: QtBot, pane: InboxPane) -> None:
    form = [_field("q1", "string", "select", options=COLOUR), _field("q1_own", "string", "text")]
    answers = _answers(pane)
    _ready(qtbot, pane, request("q1", "question", summary="Which colour?", detail={"form": form}))
    assert [button.text() for button in pane.detail._buttons] == ["Red", "Blue", "Send answer", "Dismiss"]
    assert "Warm" in _texts(pane)
    QTest.keyClick(pane.list, Qt.Key.Key_2)
    assert answers[-1][2] == REQUEST | {"answers": [{"question": "q1", "values": ["blue"]}]}


def test_a_question_takes_words_of_ones_own(qtbot: QtBot, pane: InboxPane) -> None:
    form = [_field("q1", "string", "select", options=COLOUR), _field("q1_own", "string", "text")]
    answers = _answers(pane)
    _ready(qtbot, pane, request("q1", "question", detail={"form": form}))
    QTest.keyClicks(pane.detail.feedback, "teal")
    QTest.keyClick(pane.detail, Qt.Key.Key_3)
    assert answers == [] or answers[-1][2]["answer"] == "teal"
    QTest.mouseClick(pane.detail._buttons[2], Qt.MouseButton.LeftButton)
    assert answers[-1][2] == REQUEST | {"answer": "teal"}


def test_several_choices_are_ticked_by_their_keys_and_sent(qtbot: QtBot, pane: InboxPane) -> None:
    form = [_field("q1", "list", "multiselect", options=COLOUR), _field("q1_own", "string", "text")]
    answers = _answers(pane)
    _ready(qtbot, pane, request("q1", "question", detail={"form": form}))
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_1):
        QTest.keyClick(pane.list, key)
    assert answers == []
    QTest.keyClick(pane.list, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert answers[-1][2] == REQUEST | {"answers": [{"question": "q1", "values": ["blue"]}]}


def test_a_form_is_filled_in_and_its_faults_stand_beside_the_fields(qtbot: QtBot, pane: InboxPane) -> None:
    form = [
        _field("name", "string", "text", required=True),
        _field("port", "integer", "number", default=8080),
        _field("fast", "boolean", "toggle", default=False),
    ]
    answers = _answers(pane)
    _ready(qtbot, pane, request("q1", "question", detail={"form": form}))
    send, decline, _ = pane.detail._buttons
    QTest.mouseClick(send, Qt.MouseButton.LeftButton)
    assert answers == []
    assert pane.detail._asked.form.draft.errors.keys() == {"name"}
    pane.detail._asked.form.draft.set("name", "x")
    QTest.mouseClick(send, Qt.MouseButton.LeftButton)
    given = {entry["question"]: entry["values"] for entry in answers[-1][2]["answers"]}
    assert given == {"name": ["x"], "port": ["8080"], "fast": ["false"]}
    pane.detail.failed("q1", "This does not fit.", [{"field": "name", "message": "has at least 2 characters"}])
    qtbot.wait(20)
    assert "has at least 2 characters" in _texts(pane)
    assert "This does not fit." not in _texts(pane)
    QTest.mouseClick(decline, Qt.MouseButton.LeftButton)
    assert answers[-1][2] == REQUEST | {"decision": "reject"}


def test_a_plan_is_shown_and_decided(qtbot: QtBot, pane: InboxPane) -> None:
    options = [
        {"id": "auto", "name": "Yes, and accept edits", "kind": "allow_always"},
        {"id": "manual", "name": "Yes", "kind": "allow_once"},
        {"id": "keep", "name": "No", "kind": "reject_once"},
    ]
    answers = _answers(pane)
    plan = request("q1", "exit_plan", summary="Ready to code?", options=options, detail={"plan": "# Plan\n\n1. Read"})
    _ready(qtbot, pane, plan)
    assert [button.text() for button in pane.detail._buttons] == [
        "Carry it out",
        "Yes, and accept edits",
        "Ask for changes",
        "Reject",
    ]
    assert "Read" in pane.detail._asked._plan.toPlainText()
    assert "#" not in pane.detail._asked._plan.toPlainText()
    QTest.keyClick(pane.list, Qt.Key.Key_3)
    assert answers == []  # it says what first
    QTest.keyClicks(pane.detail.feedback, "tests first")
    QTest.mouseClick(pane.detail._buttons[2], Qt.MouseButton.LeftButton)
    assert answers[-1][2] == REQUEST | {"decision": "request_changes", "reason": "tests first"}


def test_what_an_always_releases_is_said_before_it_is_chosen(qtbot: QtBot, pane: InboxPane) -> None:
    options = [
        {"id": "go", "name": "Yes", "kind": "allow_once"},
        {"id": "all", "name": "Always", "kind": "allow_always"},
    ]
    detail = {"rules": {"always": "every command that begins with: git status"}, "lasting": {"all": "always"}}
    row = request("q1", "permission", summary="git status", options=options, detail=detail, releases=["git status -s"])
    _ready(qtbot, pane, row)
    text = pane.detail._releases.text()
    for part in ("“Always” is kept by Sayso: every command that begins with: git status", "git status -s", "Rules"):
        assert part in text
    bare = request("q1", "permission", options=options[:1], detail={"rules": detail["rules"], "lasting": {}})
    pane.model.show_rows([bare])
    assert [button.text() for button in pane.detail._buttons] == ["Yes", "Always allow"]


def _shown(pane: InboxPane) -> list[str]:
    return [row.id for at in range(pane.model.rowCount()) if (row := pane.model.at(at)) is not None]


def test_a_session_is_one_row_with_its_strongest_reason(qtbot: QtBot, pane: InboxPane) -> None:
    rows = [
        request("q1", "question", session_id="ses_1", created=NOW),
        request("p1", "permission", session_id="ses_1", created=NOW - 9),
        request("q2", "question", session_id="ses_2", created=NOW - 1),
        request("f1", "failed_run", session_id="ses_3", created=NOW),
        request("q3", "question", session_id="ses_2", created=NOW - 3),
    ]
    pane.model.show_rows(rows)
    assert _shown(pane) == ["p1", "q1", "q2", "f1"], "the session that is looked at shows all"
    second = pane.model.at(2)
    assert second is not None
    assert pane.model.more(second) == 1
    assert "1 more" in str(pane.model.data(pane.model.index(2), Qt.ItemDataRole.AccessibleTextRole))
    pane.take_focus()
    QTest.keyClick(pane.list, Qt.Key.Key_Down)
    QTest.keyClick(pane.list, Qt.Key.Key_Down)
    assert pane.detail._row is not None
    assert pane.detail._row.id == "q2"
    assert _shown(pane) == ["p1", "q2", "q3", "f1"]
    QTest.keyClick(pane.list, Qt.Key.Key_Down)
    assert pane.detail._row.id == "q3"
    pane.open("q1")
    assert (_shown(pane), pane.detail._row.id) == (["p1", "q1", "q2", "f1"], "q1")
    pane.model.show_rows(rows[1:])
    assert pane.detail._row.id == "p1", "what was answered is gone; its session stays open"


def test_opening_a_session_does_not_make_its_request_answerable_at_once(qtbot: QtBot, pane: InboxPane) -> None:
    answers = _answers(pane)
    pane.model.show_rows([request("a1"), request("p1", "permission", session_id="ses_1", created=NOW - 5),
                          request("p2", "permission", session_id="ses_1", created=NOW - 6)])  # fmt: skip
    pane.take_focus()
    pane.open("p2")
    QTest.keyClick(pane.list, Qt.Key.Key_1)
    assert answers == []
