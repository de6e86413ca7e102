"""The menu of a session: what is offered for each state, and what it asks for."""

from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from actions.catalog.views import ModeView, OptionView, Targets
from desktop.sessions.menu import SessionMenu
from tests.desktop.host import session

MODEL = OptionView(
    id="model", name="Model", category="model", value="small", choices=[ModeView(id="small", name="Small")]
)
EFFORT = OptionView(
    id="effort", name="Effort", value="low", choices=[ModeView(id="low", name="Low"), ModeView(id="high", name="High")]
)
WEB = OptionView(id="web", name="Web search", kind="boolean", value=False)


class Asked(list[tuple[str, dict[str, Any]]]):
    def __call__(self, action_id: str, input: dict[str, Any]) -> None:
        self.append((action_id, input))


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


def entries(menu: QMenu) -> dict[str, QAction]:
    found: dict[str, QAction] = {}
    for action in menu.actions():
        found[action.text()] = action
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            found |= entries(submenu)
    return found


@pytest.mark.parametrize(
    ("state", "resume", "stop", "delete"),
    [
        ("idle", False, True, "Delete for good…"),
        ("working", False, True, "Stop and delete for good…"),
        ("waiting", False, True, "Stop and delete for good…"),
        ("stopped", True, False, "Delete for good…"),
        ("interrupted", True, False, "Delete for good…"),
        ("failed", True, False, "Delete for good…"),
    ],
)
def test_what_a_state_allows(parent: QWidget, state: str, resume: bool, stop: bool, delete: str) -> None:
    found = entries(SessionMenu(session("s1", state=state), Asked(), lambda _: None, parent))
    assert (found["Resume"].isEnabled(), found["Stop the agent"].isEnabled()) == (resume, stop)
    assert delete in found


def test_each_entry_asks_for_its_action(parent: QWidget) -> None:
    asked, renamed = Asked(), list[str]()
    view = session("s1", state="working", forkable=True, pinned=True, wire_log=True)
    found = entries(SessionMenu(view, asked, renamed.append, parent))
    for text in ("Fork", "Unpin", "Write a wire log", "Stop the agent", "Archive", "Stop and delete for good…"):
        found[text].trigger()
    found["Rename…"].trigger()
    own = {"session_id": "s1"}
    assert asked == [
        ("session.fork", own),
        ("session.pin", {**own, "pinned": False}),
        ("session.wirelog.set", {**own, "on": False}),
        ("session.stop", own),
        ("session.archive", own),
        ("session.delete", {**own, "stop_working": True}),
    ]
    assert renamed == ["s1"]


def test_the_agents_own_options_are_offered_without_mode_and_model(parent: QWidget) -> None:
    asked = Asked()
    mode = OptionView(id="m", name="Mode", category="mode", value="ask")
    found = entries(SessionMenu(session("s1", options=[mode, MODEL, EFFORT, WEB]), asked, lambda _: None, parent))
    assert "Mode" not in found
    assert "Model" not in found
    assert (found["Low"].isChecked(), found["High"].isChecked(), found["Web search"].isChecked()) == (
        True,
        False,
        False,
    )
    found["High"].trigger()
    found["Web search"].trigger()
    assert asked == [
        ("session.config.set", {"session_id": "s1", "option_id": "effort", "value": "high"}),
        ("session.config.set", {"session_id": "s1", "option_id": "web", "value": True}),
    ]


def test_no_options_no_entry(parent: QWidget) -> None:
    assert "Options" not in entries(SessionMenu(session("s1", options=[MODEL]), Asked(), lambda _: None, parent))


def test_targets_are_switched_on_and_off(parent: QWidget) -> None:
    asked = Asked()
    found = entries(SessionMenu(session("s1"), asked, lambda _: None, parent, Targets(primary="s2", tracked=["s3"])))
    assert (found["Primary session"].isChecked(), found["Follow"].isChecked()) == (False, False)
    found["Primary session"].trigger()
    found["Follow"].trigger()
    own = Targets(primary="s1", tracked=["s3", "s1"])
    found = entries(SessionMenu(session("s1"), asked, lambda _: None, parent, own))
    assert (found["Primary session"].isChecked(), found["Follow"].isChecked()) == (True, True)
    found["Primary session"].trigger()
    found["Follow"].trigger()
    assert asked == [
        ("session.target.primary.set", {"session_id": "s1"}),
        ("session.target.tracked.set", {"session_ids": ["s3", "s1"]}),
        ("session.target.primary.set", {"session_id": None}),
        ("session.target.tracked.set", {"session_ids": ["s3"]}),
    ]
