"""What the actions page says of a policy, and what a choice of the user changes."""

from typing import Any

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktop.settings.actions import ActionsPage
from desktop.settings.actions_model import ActionPolicy, Held, change_for, change_here, read_policies, read_seen
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
    allowed = page.detail.held.model().index(page.detail.held.findData(Held.ALLOWED), 0)
    assert not allowed.flags() & allowed.flags().ItemIsEnabled
    assert "No setting lifts that" in page.detail.reason.text()
    page.model.show_seen(read_seen([{
        "name": "note_send", "source": "sayso", "shown_as": "mcp__sayso__note_send", "exposure": "direct",
        "available": True, "reason": None,
    }]))  # fmt: skip
    assert page.rows.index(0, 6).data() == "As a tool"
    assert "mcp__sayso__note_send" in page.detail.seen.text()
    with qtbot.waitSignal(page.change_asked) as asked:
        page.detail.held.setCurrentIndex(page.detail.held.findData(Held.OFF))
        page.detail.held.activated.emit(page.detail.held.currentIndex())
    assert asked.args == [BASE | {"surface": "voice", "enabled": "off"}]
    page.search.setText("nothing like it")
    assert page._empty.isVisible()


SHOP = "/work/shop"
HERE = BASE | {"scope": "workspace", "workspace": SHOP}


def in_workspace(surface: str, **found: Any) -> ActionPolicy:
    """POLICY as it holds in the shop, where the workspace says something about one surface."""
    surfaces = {**SURFACES, surface: SURFACES[surface] | found}
    return read_policies({"actions": [{"id": "note.send", "title": "Send", "effect": "write", "surfaces": surfaces}]})[
        0
    ]


@pytest.mark.parametrize(
    ("policy", "surface", "wanted", "change"),
    [
        (POLICY, "ui", Held.ASKS, {"approval": "always"}),
        (POLICY, "ui", Held.ALLOWED, {"approval": "never"}),  # said here, whatever the device says later
        (POLICY, "ui", Held.OFF, {"enabled": "off"}),
        (POLICY, "ui", None, None),  # it says nothing already
        (POLICY, "voice", Held.ALLOWED, None),  # a floor
        (POLICY, "mcp", Held.ALLOWED, None),  # the device switched it off
        (POLICY, "cli", Held.OFF, None),  # it does not exist there
        (in_workspace("ui", asks=True, set_by={"approval": "workspace"}), "ui", None, {"approval": "default"}),
        (
            in_workspace("ui", status="disabled_by_settings", set_by={"enabled": "workspace"}),
            "ui",
            Held.ASKS,
            {"enabled": "default", "approval": "always"},
        ),
        (
            in_workspace("voice", status="disabled_by_settings", set_by={"enabled": "workspace"}),
            "voice",
            Held.ASKS,
            {"enabled": "default"},  # the floor asks by itself
        ),
        (
            in_workspace("ui", status="disabled_by_settings", set_by={"enabled": "workspace", "approval": "workspace"}),
            "ui",
            None,
            {"enabled": "default", "approval": "default"},
        ),
    ],
)
def test_a_choice_for_a_workspace(
    policy: ActionPolicy, surface: str, wanted: Held | None, change: dict[str, str] | None
) -> None:
    expected = None if change is None else HERE | {"surface": surface} | change
    assert change_here(policy, POLICY, surface, wanted, SHOP) == expected


def test_device_and_workspace_are_side_by_side(qtbot: QtBot, theme: Theme) -> None:
    page = ActionsPage(theme)
    qtbot.addWidget(page)
    page.show_places([(SHOP, "shop")])
    page.show_policies([POLICY])
    page.show()
    page.table.setCurrentIndex(page.rows.index(0, 1))
    assert page.detail.held_here.isHidden()
    with qtbot.waitSignal(page.place_chosen):
        page.place.setCurrentIndex(1)
        page.place.activated.emit(1)
    assert page.workspace() == SHOP
    asks = in_workspace("ui", asks=True, approval="always", set_by={"approval": "workspace"})
    page.show_policies([asks], [POLICY])
    assert page.rows.index(0, 1).data() == "Asks first"
    assert page.detail.held.currentText() == "Allowed"
    assert page.detail.held_here.currentText() == "Asks first"
    assert page.detail.held_here.itemText(0) == "As on this device (Allowed)"
    assert page.detail.reason.text() == "You set this for the workspace."
    with qtbot.waitSignal(page.change_asked) as asked:
        page.detail.held_here.setCurrentIndex(0)
        page.detail.held_here.activated.emit(0)
    assert asked.args == [HERE | {"surface": "ui", "approval": "default"}]
    page.table.setCurrentIndex(page.rows.index(0, 4))
    assert "a workspace cannot switch it on" not in page.detail.reason.text(), "nothing says who did"
    off = SURFACES["mcp"] | {"set_by": {"enabled": "device"}}
    page.show_policies([in_workspace("mcp", **off)], [POLICY])
    assert "a workspace cannot switch it on" in page.detail.reason.text()
    allowed = page.detail.held_here.model().index(page.detail.held_here.findData(Held.ALLOWED), 0)
    assert not allowed.flags() & allowed.flags().ItemIsEnabled
