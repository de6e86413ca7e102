"""What the actions page says of a policy, and what a choice of the user changes."""

from typing import Any

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktop.settings.actions import ActionsPage
from desktop.settings.actions_model import Held, change_for, read_policies, read_seen
from desktop.theme.theme import Theme


def on(status: str = "available", *, asks: bool = False, default: bool = False, floor: bool = False) -> dict[str, Any]:
    return {
        "status": status, "available": status == "available", "reason": "r", "remedy": "", "asks": asks,
        "asks_reason": "a", "asks_default": default, "floor": floor, "approval": "default", "exposure": "direct",
        "exposure_setting": "default", "exposure_default": "direct",
    }  # fmt: skip


SURFACES = {
    "ui": on(),
    "voice": on(asks=True, default=True, floor=True),
    "session_agent": on(asks=True, default=True),
    "mcp": on("disabled_by_settings"),
    "cli": on("unsupported_surface"),
}
POLICY = read_policies({"actions": [{"id": "note.send", "title": "Send", "effect": "write", "surfaces": SURFACES}]})[0]
BASE = {"action_id": "note.send"}


@pytest.mark.parametrize(
    ("surface", "wanted", "change"),
    [
        ("ui", Held.ASKS, {"approval": "always"}),
        ("ui", Held.OFF, {"enabled": "off"}),
        ("ui", Held.ALLOWED, None),
        ("voice", Held.ALLOWED, None),  # a floor
        ("voice", Held.OFF, {"enabled": "off"}),
        ("session_agent", Held.ALLOWED, {"approval": "never"}),
        ("mcp", Held.ALLOWED, {"enabled": "on"}),
        ("mcp", Held.ASKS, {"enabled": "on", "approval": "always"}),
        ("cli", Held.ALLOWED, None),  # it does not exist there
    ],
)
def test_a_choice_becomes_the_smallest_change(surface: str, wanted: Held, change: dict[str, str] | None) -> None:
    expected = None if change is None else BASE | {"surface": surface} | change
    assert change_for(POLICY, surface, wanted) == expected


def test_going_back_to_the_usual_leaves_no_setting() -> None:
    stricter = {**SURFACES, "ui": on(asks=True) | {"approval": "always"}}
    policy = read_policies({"actions": [{"id": "a.b", "title": "A", "effect": "read", "surfaces": stricter}]})[0]
    assert change_for(policy, "ui", Held.ALLOWED) == {"action_id": "a.b", "surface": "ui", "approval": "default"}


def test_the_page_shows_floors_and_what_an_agent_sees(qtbot: QtBot, theme: Theme) -> None:
    page = ActionsPage(theme)
    qtbot.addWidget(page)
    QAbstractItemModelTester(page.model)
    page.show_policies([POLICY])
    page.show()
    texts = [str(page.rows.index(0, at).data()) for at in range(6)]
    assert texts == ["Send", "Allowed", "Asks first", "Asks first", "Off", "–"]
    page.table.setCurrentIndex(page.rows.index(0, 2))
    allowed = page.held.model().index(page.held.findData(Held.ALLOWED), 0)
    assert not allowed.flags() & allowed.flags().ItemIsEnabled
    assert "No setting lifts that" in page._reason.text()
    page.model.show_seen(read_seen([{
        "name": "note_send", "source": "sayso", "shown_as": "mcp__sayso__note_send", "exposure": "direct",
        "available": True, "reason": None,
    }]))  # fmt: skip
    assert page.rows.index(0, 6).data() == "As a tool"
    assert "mcp__sayso__note_send" in page._seen.text()
    with qtbot.waitSignal(page.change_asked) as asked:
        page.held.setCurrentIndex(page.held.findData(Held.OFF))
        page.held.activated.emit(page.held.currentIndex())
    assert asked.args == [BASE | {"surface": "voice", "enabled": "off"}]
    page.search.setText("nothing like it")
    assert page._empty.isVisible()
