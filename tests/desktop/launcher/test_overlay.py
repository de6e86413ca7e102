from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from actions.catalog.form import FormField
from actions.catalog.hints import Widget
from desktop.launcher.overlay import Launcher
from desktop.launcher.spec import ActionForm, ActionSummary, CallPreview, Target
from desktop.theme.theme import Theme

HITS = [ActionSummary("a.one", "One"), ActionSummary("a.two", "Two"), ActionSummary("a.off", "Off", available=False)]
TEXT = FormField(path="text", title="Text", type="string", widget=Widget.TEXT, required=True, flag="text")


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(900, 700)
    widget.show()
    return widget


@pytest.fixture
def launcher(theme: Theme, window: QWidget) -> Launcher:
    return Launcher(theme, window)


def _runs(launcher: Launcher) -> list[tuple[str, dict[str, Any]]]:
    runs: list[tuple[str, dict[str, Any]]] = []
    launcher.run_asked.connect(lambda action, input: runs.append((action, input)))
    return runs


def test_found_and_picked_by_keyboard(launcher: Launcher) -> None:
    queries, picked = [], []
    launcher.query_changed.connect(queries.append)
    launcher.picked.connect(picked.append)
    launcher.open()
    QTest.keyClicks(launcher.search, "t")
    launcher.show_hits(HITS)
    QTest.keyClick(launcher.search, Qt.Key.Key_Down)
    QTest.keyClick(launcher.search, Qt.Key.Key_Return)
    assert queries == ["", "t"]
    assert picked == ["a.two"]
    QTest.keyClick(launcher.search, Qt.Key.Key_Down)
    QTest.keyClick(launcher.search, Qt.Key.Key_Return)
    assert picked == ["a.two"]  # what is switched off is shown and not picked


def test_it_runs_with_what_was_entered(launcher: Launcher) -> None:
    runs = _runs(launcher)
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="write"), [TEXT]))
    launcher.run.click()
    assert runs == []
    assert launcher.form.draft.errors == {"text": "This is needed."}
    QTest.keyClicks(launcher.form.editor("text").control, "hello")
    QTest.keyClick(launcher.form.editor("text").control, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert runs == [("a.one", {"text": "hello"})]
    assert not launcher.run.isEnabled()  # until the answer comes


def test_enter_runs_from_a_field_and_presses_a_button(launcher: Launcher) -> None:
    runs = _runs(launcher)
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="write"), [TEXT]), {"text": "x"})
    QTest.keyClick(launcher.form.editor("text").control, Qt.Key.Key_Return)
    assert runs == [("a.one", {"text": "x"})]
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="write"), [TEXT]), {"text": "x"})
    cancel = next(b for b in launcher.panel.findChildren(QPushButton) if b.text() == "Cancel")
    cancel.setFocus()
    QTest.keyClick(cancel, Qt.Key.Key_Return)
    assert len(runs) == 1
    assert not launcher.isVisible()


def test_enter_is_a_new_line_in_a_long_text_and_with_control_it_runs(launcher: Launcher) -> None:
    runs = _runs(launcher)
    area = TEXT.model_copy(update={"widget": Widget.TEXTAREA})
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="write"), [area]), {"text": "x"})
    control = launcher.form.editor("text").control
    QTest.keyClick(control, Qt.Key.Key_Return)
    assert runs == []
    QTest.keyClick(control, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert runs == [("a.one", {"text": "\nx"})]


def test_a_refusal_goes_beside_its_field(launcher: Launcher) -> None:
    launcher.show_form(ActionForm(ActionSummary("a.one", "One"), [TEXT]), {"text": "x"})
    launcher.run.click()
    launcher.show_errors([{"field": "text", "message": "Too short."}, {"field": "", "message": "Nothing fits."}], "No.")
    assert launcher.form.draft.errors == {"text": "Too short."}
    assert launcher.page.problem.text() == "Nothing fits."
    assert launcher.run.isEnabled()


def test_danger_needs_a_second_deliberate_press(qtbot: QtBot, launcher: Launcher) -> None:
    runs = _runs(launcher)
    launcher.show_form(ActionForm(ActionSummary("session.delete", "Delete", effect="danger"), [TEXT]), {"text": "x"})
    QTest.mouseDClick(launcher.run, Qt.MouseButton.LeftButton)
    launcher.run.click()
    launcher.run.click()
    assert runs == []
    qtbot.wait(420)
    launcher.run.click()
    assert runs == [("session.delete", {"text": "x"})]


def test_a_change_after_the_first_press_asks_again(launcher: Launcher) -> None:
    launcher.show_form(ActionForm(ActionSummary("session.delete", "Delete", effect="danger"), [TEXT]), {"text": "x"})
    launcher.run.click()
    assert launcher.run.text() == "Yes, do it"
    QTest.keyClicks(launcher.form.editor("text").control, "y")
    assert launcher.run.text() == "Run"


@pytest.mark.parametrize(
    ("effect", "asks", "says"),
    [
        ("read", False, "Only reads; nothing is changed."),
        ("external", False, "Something outside of Sayso is done on your behalf."),
        (
            "external",
            True,
            "Something outside of Sayso is done on your behalf. "
            "Asks for approval first, in the inbox; nothing happens before that.",
        ),
        ("danger", False, "Changes what may be lost. Asks you to confirm."),
    ],
)
def test_it_says_what_will_happen(launcher: Launcher, effect: str, asks: bool, says: str) -> None:
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect=effect), [TEXT], asks))
    assert launcher.page.will.text() == says


def test_what_will_happen_follows_the_draft(launcher: Launcher) -> None:
    wanted: list[dict[str, Any]] = []
    launcher.preview_wanted.connect(lambda action, draft: wanted.append(draft))
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="external"), [TEXT]))
    assert wanted == [{}]
    QTest.keyClicks(launcher.form.editor("text").control, "hi")
    QTest.qWait(250)
    assert wanted == [{}, {"text": "hi"}]  # asked for once, when the typing rests
    targets = (
        Target("session", "Fix the login"),
        Target("provider", "Claude"),
        Target("provider", "gone", known=False),
    )
    launcher.show_preview("a.one", CallPreview("danger", asks=True, asked_in="inbox", targets=targets))
    assert launcher.page.reaches.text() == "Session: Fix the login · With Claude, gone (not known)"
    launcher.show_preview("a.one", CallPreview("external", targets=targets))
    assert launcher.page.will.text() == "An agent starts to work on your behalf."
    launcher.show_preview("a.one", CallPreview("danger", asks=True, asked_in="inbox", targets=targets))
    assert launcher.page.will.text().startswith("Changes what may be lost. Asks for approval first, in the inbox")
    launcher.show_preview("another", CallPreview("read"))
    assert launcher.page.will.text().startswith("Changes what may be lost.")


def test_what_the_host_asks_about_is_not_asked_about_twice(launcher: Launcher) -> None:
    runs = _runs(launcher)
    launcher.show_form(
        ActionForm(ActionSummary("session.delete", "Delete", effect="danger"), [TEXT], True), {"text": "x"}
    )
    launcher.run.click()
    assert runs == [("session.delete", {"text": "x"})]


def test_what_is_switched_off_meanwhile_cannot_be_run(launcher: Launcher) -> None:
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="write"), [TEXT]), {"text": "x"})
    launcher.show_preview("a.one", CallPreview("write", available=False, reason="Switched off on this device."))
    assert not launcher.run.isEnabled()
    assert launcher.page.will.text() == "Switched off on this device."
    launcher.show_preview("a.one", CallPreview("write"))
    assert launcher.run.isEnabled()


def test_what_was_found_reads_as_a_table(launcher: Launcher) -> None:
    launcher.show_form(ActionForm(ActionSummary("workspace.list", "List", effect="read")))
    launcher.show_found({"workspaces": [{"name": "shop", "path": "/src/shop"}, {"name": "docs", "path": "/src/docs"}]})
    text = launcher.page._result.toPlainText()
    assert "Workspaces (2)" in text
    assert "{" not in text
    assert launcher.page._result.document().begin() != launcher.page._result.document().end()


def test_escape_goes_back_to_the_search_that_found_it(launcher: Launcher) -> None:
    launcher.open()
    launcher.show_form(ActionForm(ActionSummary("a.one", "One"), [TEXT]))
    QTest.keyClick(launcher.form.editor("text").control, Qt.Key.Key_Escape)
    assert launcher.isVisible()
    assert launcher._pages.currentIndex() == 0
    launcher.close_launcher()
    launcher.show_form(ActionForm(ActionSummary("a.one", "One"), [TEXT]))  # opened by a button
    QTest.keyClick(launcher.form.editor("text").control, Qt.Key.Key_Escape)
    assert not launcher.isVisible()


def test_tab_stays_in_the_panel(qtbot: QtBot, window: QWidget, theme: Theme) -> None:
    below = QPushButton("Below", window)
    below.show()
    launcher = Launcher(theme, window)
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="write"), [TEXT]))
    seen: set[QWidget] = set()
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        for _ in range(12):
            focused = window.focusWidget()
            assert focused is not None
            QTest.keyClick(focused, key)
            seen.add(window.focusWidget())
    assert below not in seen
    assert {launcher.form.editor("text").control, launcher.run} <= seen


def test_escape_closes_and_gives_the_focus_back(qtbot: QtBot, launcher: Launcher) -> None:
    closed = []
    launcher.closed.connect(lambda: closed.append(1))
    launcher.open()
    QTest.keyClick(launcher.search, Qt.Key.Key_Escape)
    assert closed == [1]
    assert not launcher.isVisible()


def test_an_error_of_the_search_is_said(launcher: Launcher) -> None:
    launcher.open()
    launcher.show_problem("The host does not answer.")
    assert launcher._nothing.isVisible()
    assert launcher._nothing.text() == "The host does not answer."


def test_tab_goes_from_top_to_bottom_also_through_what_was_added(window: QWidget, theme: Theme) -> None:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "way": {"oneOf": [{"title": "A", "properties": {"x": {"type": "string"}}}, {"title": "B", "type": "null"}]},
            "last": {"type": "string"},
        },
    }
    field = TEXT.model_copy(update={"path": "it", "type": "json", "widget": Widget.JSON, "json_schema": schema})
    launcher = Launcher(theme, window)
    launcher.show_form(ActionForm(ActionSummary("a.one", "One", effect="write"), [TEXT, field]))
    editor: Any = launcher.form.editor("it")
    entries = editor.root.editor.entries()
    entries["way"]._add.click()
    entries["tags"]._add.click()
    entries["tags"].editor._add.click()
    launcher.form.editor("text").control.setFocus()
    QTest.qWait(50)
    seen: list[QWidget] = []
    focused = window.focusWidget()
    while focused is not None and focused not in seen and len(seen) < 40:
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        focused = window.focusWidget()
    inside = [one for one in seen if launcher.form.isAncestorOf(one)]
    places = [(one.mapTo(launcher.form, one.rect().topLeft()).y() // 12, one.accessibleName()) for one in inside]
    assert [y for y, _ in places] == sorted(y for y, _ in places), places
    assert len(inside) >= 8
    assert seen.index(inside[-1]) + 1 < len(seen)  # then to the buttons below
    assert launcher.run in seen
