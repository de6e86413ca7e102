"""Every control that does something leads to an action of the catalog, or is declared to change only what is shown."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from actions.catalog.registry import load
from desktop.keys.shortcuts import named
from tests.desktop.control_scan import DESKTOP, controls, of_source

_FILE = Path(__file__).with_name("controls.toml")
_SAYS: dict[str, dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_NO_ONE_ACTION = ("view", "any")
"""It changes only what is shown; it leads to whichever action was chosen or said."""


def _listed(section: str) -> dict[str, Any]:
    return _SAYS.get(section, {})


def test_every_control_says_what_it_does() -> None:
    made = controls()
    unknown = [f"{module}: {one}" for module, found in made.items() for one in found if one not in _listed(module)]
    assert unknown == [], f"say in {_FILE.name} which actions these lead to, or why they lead to none"


def test_no_control_is_listed_that_is_gone() -> None:
    made = controls() | {"shortcuts": [shortcut.name for shortcut in named()]}
    gone = [f"{module}: {one}" for module, found in _SAYS.items() for one in found if one not in made.get(module, ())]
    assert gone == []


def test_every_shortcut_says_what_it_does() -> None:
    assert {shortcut.name for shortcut in named()} == set(_listed("shortcuts"))


def test_the_actions_exist_and_the_window_names_them() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in DESKTOP.rglob("*.py"))
    known = set(load().specs)
    for module, found in _SAYS.items():
        for one, does in found.items():
            if isinstance(does, str):
                kind, _, reason = does.partition(": ")
                assert kind in _NO_ONE_ACTION, f"{module}: {one}"
                assert len(reason) > 10, f"{module}: {one} says no reason"
                continue
            assert does, f"{module}: {one} leads to nothing"
            for action_id in does:
                assert action_id in known, f"{module}: {one}: {action_id}"
                assert f'"{action_id}"' in sources, f"{action_id} is named nowhere in the window"


SOURCE = """
class Page:
    def __init__(self, theme):
        self.stop = IconButton(theme, "stop", self.tr("Stop it"))
        self._add(self.tr("Archive"), "session.archive")
        for name in ("a", "b"):
            row.addWidget(button(name))
        event.button()

    def _add(self, text, action_id):
        entry = self.menu.addAction(text)
"""


@pytest.mark.parametrize(
    ("more", "new"),
    [
        ("", []),
        ("        self.more = button(self.tr('More'))\n", ['Page._add: more "More"']),
        ("        QShortcut(QKeySequence('F5'), self)\n", ['Page._add:  "F5"']),
        ("        box.setStandardButtons(QMessageBox.StandardButton.Discard)\n", ['Page._add:  "Discard"']),
        ("        self._add(self.tr('Burn'), 'x.y')\n", ['Page._add:  "Burn"']),
    ],
)
def test_a_new_control_is_found(more: str, new: list[str]) -> None:
    old = ['Page.__init__: stop "Stop it"', 'Page.__init__:  "Archive"', "Page.__init__:"]
    assert of_source(SOURCE + more) == [*old, *new]
