"""Guards the pin of PySide6: a release that drops references to None, True or False ends the process later, anywhere.

PySide6 6.12.0 does so on Python 3.10 and 3.11, whose constants are counted; from Python 3.12 on they are immortal.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

CALLS = 200

# Runs in a child process: a bad release would otherwise bring the test run down with it. It keeps many references
# of its own, so that even a bad release lives long enough to report.
PROBE = f"""
import json, sys
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

spare = [None] * 100_000 + [True] * 100_000 + [False] * 100_000
app = QApplication([])

class Sender(QObject):
    plain = Signal()
    valued = Signal(int)

sender, widget, label, line, timer = Sender(), QWidget(), QLabel(), QLineEdit(), QTimer()
sender.valued.connect(lambda value: None)
calls = {{
    "QObject.setObjectName": lambda: sender.setObjectName("name"),
    "QObject.blockSignals": lambda: sender.blockSignals(False),
    "Signal.emit, nobody listens": lambda: sender.plain.emit(),
    "Signal.emit, one listens": lambda: sender.valued.emit(1),
    "QWidget.setVisible": lambda: widget.setVisible(False),
    "QWidget.repaint": lambda: widget.repaint(),
    "QWidget.isVisible": lambda: widget.isVisible(),
    "QLabel.setText": lambda: label.setText("text"),
    "QLineEdit.setText": lambda: line.setText("text"),
    "QTimer.stop": lambda: timer.stop(),
    "QTimer.singleShot": lambda: QTimer.singleShot(0, sender, lambda: None),
    "QColor.setRgb": lambda: QColor().setRgb(1, 2, 3),
}}
constants = {{"None": None, "True": True, "False": False}}
drift = {{}}
for name, call in calls.items():
    call()
    before = {{key: sys.getrefcount(value) for key, value in constants.items()}}
    for _ in range({CALLS}):
        call()
    for key, value in constants.items():
        drift[f"{{name}}: {{key}}"] = before[key] - sys.getrefcount(value)
print(json.dumps(drift), flush=True)
import os; os._exit(0)
"""


def lost_references(drift: dict[str, int]) -> dict[str, int]:
    """The calls that lose about one reference each time; a handful more or less is the interpreter's own doing."""
    return {name: lost for name, lost in drift.items() if lost > CALLS // 4}


def test_no_call_loses_references_to_constants() -> None:
    child = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, timeout=50, check=False)
    assert child.returncode == 0, child.stderr
    assert lost_references(json.loads(child.stdout)) == {}


@pytest.mark.parametrize(("lost", "found"), [(0, False), (1, False), (CALLS - 1, True), (2 * CALLS - 1, True)])
def test_a_bad_release_is_recognised(lost: int, found: bool) -> None:
    assert bool(lost_references({"QObject.setObjectName: None": lost})) is found
