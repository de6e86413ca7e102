"""Words and small parts that the tabs of the servers page share."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from actions.catalog.server_use_views import ChangeView
from actions.catalog.server_views import ServerView
from desktop.widgets.basics import column

STATE_TONES = {
    "connected": "chip-success",
    "connecting": "chip-accent",
    "pending": "chip-accent",
    "failed": "chip-danger",
    "unauthorized": "chip-warning",
    "off": "chip",
}


def state_text(state: str) -> str:
    """A connection's state in a word."""
    return {
        "connected": QCoreApplication.translate("servers", "Connected"),
        "connecting": QCoreApplication.translate("servers", "Connecting"),
        "pending": QCoreApplication.translate("servers", "Waiting"),
        "failed": QCoreApplication.translate("servers", "Failed"),
        "unauthorized": QCoreApplication.translate("servers", "Needs a login"),
        "off": QCoreApplication.translate("servers", "Off"),
    }.get(state, state)


def delivery_text(delivery: str) -> str:
    """How an agent gets a server's tools."""
    return {
        "native": QCoreApplication.translate("servers", "Given to the agent"),
        "sayso": QCoreApplication.translate("servers", "Through Sayso"),
        "bridge": QCoreApplication.translate("servers", "By commands in its shell"),
        "none": QCoreApplication.translate("servers", "Not given"),
    }.get(delivery, delivery)


def approval_text(approval: str) -> str:
    """Who asks before a tool is used."""
    return {
        "asks": QCoreApplication.translate("servers", "Asks first"),
        "allowed": QCoreApplication.translate("servers", "Allowed"),
        "agent": QCoreApplication.translate("servers", "The agent decides"),
    }.get(approval, approval)


def exposure_text(exposure: str) -> str:
    """Whether the model is given a tool at once."""
    return {
        "direct": QCoreApplication.translate("servers", "At once"),
        "discoverable": QCoreApplication.translate("servers", "By search"),
    }.get(exposure, exposure)


def command_line(command: str | None, args: Sequence[str]) -> str:
    """An argv as a shell would take it, uncut."""
    return shlex.join([command or "", *args])


def definition_text(server: ServerView) -> str:
    """What a server is, uncut: command or url, folder, names and veiled values."""
    lines = [server.url or ""] if server.url else [command_line(server.command, server.args)]
    lines += [f"cwd  {server.cwd}"] if server.cwd else []
    lines += [f"{name}={value}" for name, value in server.env.items()]
    lines += [f"{name}: {value}" for name, value in server.headers.items()]
    return "\n".join(lines)


def changes_text(changes: Sequence[ChangeView]) -> str:
    """Differences as lines that begin with - and +."""
    lines: list[str] = []
    for change in changes:
        lines.append(change.field)
        lines += [f"- {text}" for text in (change.before or "").splitlines()]
        lines += [f"+ {text}" for text in (change.after or "").splitlines()]
    return "\n".join(lines)


def pairs(text: str, mark: str) -> dict[str, str]:
    """Lines ``NAME<mark>value`` as a mapping. Raises ValueError with the line that is none."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, between, value = line.partition(mark)
        if not line.strip():
            continue
        if not between or not name.strip():
            raise ValueError(line)
        found[name.strip()] = value.strip()
    return found


def json_text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def scrolled(canvas: QWidget, area: QScrollArea | None = None) -> QScrollArea:
    """A plain area around ``canvas`` that scrolls up and down only."""
    result = QScrollArea() if area is None else area
    canvas.setProperty("kind", "canvas")
    result.setProperty("kind", "plain")
    result.setFrameShape(QFrame.Shape.NoFrame)
    result.setWidgetResizable(True)
    result.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    result.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    result.setWidget(canvas)
    return result


def rebuilt(area: QScrollArea) -> tuple[QWidget, QVBoxLayout]:
    """A fresh canvas in ``area``, with its column; what was there goes."""
    canvas = QWidget()
    canvas.setProperty("kind", "canvas")
    inside = column(canvas, margin=(20, 14, 16, 16), gap=10)
    old = area.takeWidget()
    if old is not None:
        old.deleteLater()
    area.setWidget(canvas)
    return canvas, inside
