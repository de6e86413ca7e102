"""Every action with what holds for it on each surface, as a Qt table; and what a choice of the user would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QFont

from desktop.settings.server_reasons import tool_reason_text
from desktop.theme.theme import Theme

ROW = Qt.ItemDataRole.UserRole
SURFACES = ("ui", "voice", "session_agent", "mcp", "cli")
_Index = QModelIndex | QPersistentModelIndex


class Held(StrEnum):
    """What holds for an action on a surface. ``absent`` and ``person`` are no setting: nothing can change them."""

    ALLOWED = "allowed"
    ASKS = "asks"
    OFF = "off"
    PERSON = "person"
    ABSENT = "absent"


@dataclass(frozen=True)
class OnSurface:
    """The three answers of the policy for one surface, with their reasons."""

    held: Held
    floor: bool
    asks: bool
    asks_default: bool
    reason: str
    approval: str
    exposure: str | None
    exposure_setting: str
    exposure_default: str
    set_by: Mapping[str, str]
    """The scope, ``device`` or ``workspace``, whose setting holds: of ``enabled``, ``approval`` and ``exposure``."""

    def possible(self, wanted: Held) -> bool:
        """Whether a setting can bring that about: above a floor only."""
        return not (self.floor and wanted in (Held.ASKS, Held.ALLOWED) and (wanted is Held.ASKS) != self.asks)


@dataclass(frozen=True)
class ActionPolicy:
    id: str
    title: str
    effect: str
    surfaces: Mapping[str, OnSurface]


@dataclass(frozen=True)
class Seen:
    """How an agent of a provider would meet an action: by the tool's name, at once, by search, or not at all."""

    shown_as: str
    how: str
    reason: str


def read_policies(data: Mapping[str, Any]) -> list[ActionPolicy]:
    """The answer of ``settings.actions.get``; actions that are not built yet are left out."""
    return [
        ActionPolicy(
            str(entry["id"]),
            str(entry["title"]),
            str(entry["effect"]),
            {name: _on_surface(found) for name, found in entry["surfaces"].items()},
        )
        for entry in data.get("actions", ())
        if entry.get("implemented", True)
    ]


def _on_surface(found: Mapping[str, Any]) -> OnSurface:
    status, asks = str(found["status"]), bool(found["asks"])
    held = {
        "unsupported_surface": Held.ABSENT,
        "disabled_by_policy": Held.PERSON,
        "disabled_by_settings": Held.OFF,
    }.get(status, Held.ASKS if asks else Held.ALLOWED)
    reason = found["asks_reason"] if held in (Held.ASKS, Held.ALLOWED) else f"{found['reason']} {found['remedy']}"
    return OnSurface(
        held,
        bool(found["floor"]),
        asks,
        bool(found["asks_default"]),
        str(reason).strip(),
        str(found["approval"]),
        found.get("exposure"),
        str(found["exposure_setting"]),
        str(found["exposure_default"]),
        dict(found.get("set_by") or {}),
    )


def change_for(policy: ActionPolicy, surface: str, wanted: Held) -> dict[str, Any] | None:
    """The input of ``settings.actions.set`` that brings ``wanted`` about, or None when it holds already or cannot."""
    now = policy.surfaces[surface]
    if wanted is now.held or not now.possible(wanted) or now.held in (Held.ABSENT, Held.PERSON):
        return None
    change: dict[str, Any] = {"action_id": policy.id, "surface": surface}
    if wanted is Held.OFF:
        return change | {"enabled": "off"}
    if now.held is Held.OFF:
        change["enabled"] = "on"
    asks = wanted is Held.ASKS
    if asks != now.asks:
        change["approval"] = "default" if asks == now.asks_default else "always" if asks else "never"
    return change


def held_here(policy: ActionPolicy, surface: str) -> Held | None:
    """What the workspace itself says, in which ``policy`` holds; None where it says nothing."""
    now = policy.surfaces[surface]
    return now.held if "workspace" in (now.set_by.get("enabled"), now.set_by.get("approval")) else None


def change_here(
    policy: ActionPolicy, device: ActionPolicy, surface: str, wanted: Held | None, workspace: str
) -> dict[str, Any] | None:
    """The input of ``settings.actions.set`` that makes a workspace say ``wanted``, None for what the device says.

    None when it holds already or cannot: what the device switched off no workspace switches on.
    """
    now = policy.surfaces[surface]
    if wanted is held_here(policy, surface) or now.held in (Held.ABSENT, Held.PERSON):
        return None
    if wanted not in (None, Held.OFF) and not possible_here(device, surface, wanted):
        return None
    change: dict[str, Any] = {"action_id": policy.id, "surface": surface, "scope": "workspace", "workspace": workspace}
    if wanted is Held.OFF:
        return change | {"enabled": "off"}
    if now.set_by.get("enabled") == "workspace":
        change["enabled"] = "default"
    if wanted is None:
        if now.set_by.get("approval") == "workspace":
            change["approval"] = "default"
    elif not device.surfaces[surface].floor:
        change["approval"] = "always" if wanted is Held.ASKS else "never"
    return change


def possible_here(device: ActionPolicy, surface: str, wanted: Held | None) -> bool:
    """Whether a workspace can say that: what the device switched off stays off, and a floor holds."""
    found = device.surfaces[surface]
    return wanted in (None, Held.OFF) or (found.held is not Held.OFF and found.possible(wanted))


def read_seen(tools: Sequence[Mapping[str, Any]]) -> dict[str, Seen]:
    """By tool name, what ``mcp.preview`` says of our own tools."""
    return {
        str(tool["name"]): Seen(
            str(tool["shown_as"]),
            str(tool["exposure"]) if tool["available"] else "none",
            tool_reason_text(tool.get("reason_code"), tool.get("reason")),
        )
        for tool in tools
        if tool["source"] == "sayso"
    }


class ActionsModel(QAbstractTableModel):
    """Rows are actions; the columns are the action, a surface each, and what an agent of a provider would see."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[ActionPolicy] = []
        self._seen: dict[str, Seen] | None = None
        self._device: dict[str, ActionPolicy] = {}
        theme.changed.connect(self._redraw)

    def show_policies(self, rows: Sequence[ActionPolicy], device: Sequence[ActionPolicy] | None = None) -> None:
        """``rows`` as they hold where the page looks; ``device`` as they hold without a workspace, if that differs."""
        self._device = {row.id: row for row in (rows if device is None else device)}
        wanted = sorted(rows, key=lambda row: row.id)
        if [row.id for row in wanted] == [row.id for row in self._rows]:
            self._rows = wanted
            self._redraw()
            return
        self.beginResetModel()
        self._rows = wanted
        self.endResetModel()

    def device(self, policy: ActionPolicy) -> ActionPolicy:
        """The policy of the same action without a workspace."""
        return self._device.get(policy.id, policy)

    def show_seen(self, seen: Mapping[str, Seen] | None) -> None:
        self._seen = None if seen is None else dict(seen)
        self._redraw()

    def seen(self, policy: ActionPolicy) -> Seen | None:
        return None if self._seen is None else self._seen.get(policy.id.replace(".", "_"))

    def at(self, row: int) -> ActionPolicy | None:
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def surface(self, column: int) -> str | None:
        return SURFACES[column - 1] if 1 <= column <= len(SURFACES) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(SURFACES) + 2

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | int | None:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        surface = self.surface(section)
        if surface is not None:
            return self.surface_text(surface)
        return self.tr("Action") if section == 0 else self.tr("The agent sees")

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        policy = self.at(index.row()) if index.isValid() else None
        if policy is None:
            return None
        surface = self.surface(index.column())
        if role == ROW:
            return policy
        if surface is None:
            return self._title(policy, role) if index.column() == 0 else self._agent(policy, role)
        found = policy.surfaces[surface]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.held_text(found.held)
        if role == Qt.ItemDataRole.ToolTipRole:
            return found.reason
        if role == Qt.ItemDataRole.DecorationRole and found.floor and found.held is Held.ASKS:
            return self._theme.icon("shield", "warning")
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._color(found.held)
        if role == Qt.ItemDataRole.FontRole and self._changed(found):
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        if role == Qt.ItemDataRole.AccessibleTextRole:
            always = self.tr("cannot be changed") if found.floor else ""
            words = (policy.title, self.surface_text(surface), self.held_text(found.held), always)
            return ", ".join(word for word in words if word)
        return None

    def held_text(self, held: Held) -> str:
        return {
            Held.ALLOWED: self.tr("Allowed"),
            Held.ASKS: self.tr("Asks first"),
            Held.OFF: self.tr("Off"),
            Held.PERSON: self.tr("People only"),
            Held.ABSENT: "–",
        }[held]

    def surface_text(self, surface: str) -> str:
        return {
            "ui": self.tr("Window"),
            "voice": self.tr("Voice"),
            "session_agent": self.tr("Agents"),
            "mcp": self.tr("Editors"),
            "cli": self.tr("Terminal"),
        }[surface]

    def how_text(self, seen: Seen) -> str:
        return {
            "direct": self.tr("As a tool"),
            "discoverable": self.tr("By search"),
            "none": self.tr("Not at all"),
        }[seen.how]

    def _title(self, policy: ActionPolicy, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return policy.title
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{policy.title} ({policy.id})"
        return None

    def _agent(self, policy: ActionPolicy, role: int) -> Any:
        seen = self.seen(policy)
        if seen is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.how_text(seen)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(text for text in (seen.shown_as if seen.how == "direct" else "", seen.reason) if text)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._theme.scheme.text if seen.how == "direct" else self._theme.scheme.muted)
        return None

    def _changed(self, found: OnSurface) -> bool:
        return bool(found.set_by.keys() & {"enabled", "approval"})

    def _color(self, held: Held) -> QColor:
        scheme = self._theme.scheme
        return QColor(
            {
                Held.ALLOWED: scheme.success,
                Held.ASKS: scheme.warning,
                Held.OFF: scheme.danger,
                Held.PERSON: scheme.muted,
                Held.ABSENT: scheme.disabled,
            }[held]
        )

    def _redraw(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, self.columnCount() - 1))


class ActionsFilter(QSortFilterProxyModel):
    """Keeps what holds all of the words that are searched for, in title, id or effect."""

    def __init__(self, model: ActionsModel) -> None:
        super().__init__(model)
        self._words: list[str] = []
        self.setSourceModel(model)

    def search(self, text: str) -> None:
        self._words = text.casefold().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: _Index) -> bool:
        policy = self.sourceModel().index(row, 0).data(ROW)
        if not isinstance(policy, ActionPolicy):
            return False
        text = f"{policy.title} {policy.id} {policy.effect}".casefold()
        return all(word in text for word in self._words)
