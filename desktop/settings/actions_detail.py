"""What can be changed of one action on one surface: for the device, and beside it for one workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout

from desktop.settings.actions_model import (
    ActionPolicy,
    ActionsModel,
    Held,
    OnSurface,
    change_for,
    change_here,
    held_here,
    possible_here,
)
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, IconLabel, chip, column, label, restyle, row
from desktop.widgets.select import Select

_CHOICES = (Held.ALLOWED, Held.ASKS, Held.OFF)
_TONES = {"danger": "chip-danger", "external": "chip-warning", "write": "chip-accent"}
_AGENTS = ("session_agent", "mcp")


class ActionDetail(QFrame):
    """``change_asked`` carries the input of ``settings.actions.set``."""

    change_asked = Signal(dict)

    def __init__(self, theme: Theme, model: ActionsModel) -> None:
        super().__init__()
        self.setProperty("kind", "foot")
        self._model = model
        self._shown: tuple[ActionPolicy, str] | None = None
        self._workspace: str | None = None
        self._title = Elided(tone="strong")
        self._effect = chip()
        self._id = label(tone="small", selectable=True)
        self._surface = label(tone="muted")
        self._in_workspace = Elided()
        self.held, self.exposure = self._select(theme), self._select(theme)
        self.held_here, self.exposure_here = self._select(theme), self._select(theme)
        self.held.activated.connect(self._on_held)
        self.exposure.activated.connect(self._on_exposure)
        self.held_here.activated.connect(self._on_held_here)
        self.exposure_here.activated.connect(self._on_exposure_here)
        self._floor = IconLabel(theme, "shield", "warning")
        self.reason = label(tone="muted", wrap=True)
        self.seen = label(tone="muted", wrap=True)
        self._compose()
        self.hide()

    def show_workspace(self, workspace: str | None) -> None:
        """The folder for which settings are shown beside those of the device."""
        self._workspace = workspace
        self._in_workspace.set_full("" if workspace is None else self.tr("In {0}").format(PurePath(workspace).name))
        self._in_workspace.setToolTip(workspace or "")

    def show_action(self, chosen: tuple[ActionPolicy, str] | None) -> None:
        """``chosen``: the policy where the page looks, and a surface."""
        self._shown = chosen
        self.setVisible(chosen is not None)
        if chosen is not None:
            self._draw(*chosen)

    def _compose(self) -> None:
        inside = column(self, margin=(24, 10, 16, 12), gap=6)
        line = row(gap=8)
        line.addWidget(self._title, 1)
        line.addWidget(self._id)
        line.addWidget(self._effect)
        inside.addLayout(line)
        places = QGridLayout()
        places.setHorizontalSpacing(8)
        places.setVerticalSpacing(6)
        places.addWidget(self._surface, 0, 0)
        on_device = label(self.tr("On this device"))
        for at, widgets in enumerate(
            ((on_device, self.held, self.exposure), (self._in_workspace, self.held_here, self.exposure_here))
        ):
            for place, widget in enumerate(widgets):
                places.addWidget(widget, place, at + 1)
        places.setColumnStretch(3, 1)
        inside.addLayout(places)
        why = row(gap=8)
        why.addWidget(self._floor, 0, Qt.AlignmentFlag.AlignTop)
        why.addWidget(self.reason, 1)
        inside.addLayout(why)
        inside.addWidget(self.seen)

    @staticmethod
    def _select(theme: Theme) -> Select:
        select = Select(theme)
        select.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        return select

    def _draw(self, policy: ActionPolicy, surface: str) -> None:
        device = self._model.device(policy)
        on_device, found = device.surfaces[surface], policy.surfaces[surface]
        self._title.set_full(policy.title)
        self._id.setText(policy.id)
        self._effect.setText(self._effect_text(policy.effect))
        restyle(self._effect, tone=_TONES.get(policy.effect, "chip"))
        where = self._model.surface_text(surface)
        self._surface.setText(where)
        fixed = found.held in (Held.ABSENT, Held.PERSON)
        self._offer_held(policy, device, surface, fixed=fixed)
        agents = surface in _AGENTS and not fixed
        here = self._workspace is not None
        self.exposure.setVisible(agents)
        self._in_workspace.setVisible(here)
        self.held_here.setVisible(here and not fixed)
        self.exposure_here.setVisible(here and agents)
        usual = self.tr("As usual ({0})").format(self._exposure_text(on_device.exposure_default))
        self._offer_exposure(self.exposure, usual, on_device.exposure_setting)
        own = found.exposure_setting if found.set_by.get("exposure") == "workspace" else "default"
        self._offer_exposure(self.exposure_here, self.tr("As on this device"), own)
        for control, place in ((self.held, self.tr("this device")), (self.held_here, self._workspace or "")):
            control.setAccessibleName(self.tr("{0}, {1}: {2}").format(where, place, policy.title))
        for control, place in ((self.exposure, self.tr("this device")), (self.exposure_here, self._workspace or "")):
            control.setAccessibleName(self.tr("How {0} is shown to agents, {1}").format(policy.title, place))
        self._floor.setVisible(found.floor and not fixed)
        self.reason.setText(self._reason_text(found, surface))
        seen = self._model.seen(policy)
        self.seen.setVisible(seen is not None)
        if seen is not None:
            name = seen.shown_as if seen.how == "direct" else ""
            words = (self._model.how_text(seen), name, seen.reason)
            self.seen.setText(self.tr("For the agent: {0}").format(" · ".join(word for word in words if word)))

    def _offer_held(self, policy: ActionPolicy, device: ActionPolicy, surface: str, *, fixed: bool) -> None:
        on_device = device.surfaces[surface]
        choices = (on_device.held,) if fixed else _CHOICES
        self._fill(self.held, [(self._held_text(held), held, on_device.possible(held)) for held in choices])
        self.held.setCurrentIndex(self.held.findData(on_device.held))
        self.held.setEnabled(not fixed)
        inherited = self.tr("As on this device ({0})").format(self._held_text(on_device.held))
        here = [(self._held_text(held), held, possible_here(device, surface, held)) for held in choices]
        self._fill(self.held_here, [(inherited, "", True), *here])
        self.held_here.setCurrentIndex(max(0, self.held_here.findData(held_here(policy, surface) or "")))

    def _offer_exposure(self, select: Select, usual: str, setting: str) -> None:
        values = [(self._exposure_text(value), value, True) for value in ("direct", "discoverable")]
        self._fill(select, [(usual, "default", True), *values])
        select.setCurrentIndex(max(0, select.findData(setting)))

    @staticmethod
    def _fill(select: Select, entries: Sequence[tuple[str, Any, bool]]) -> None:
        select.clear()
        for text, value, possible in entries:
            select.addItem(text, value)
            if not possible:
                select.model().item(select.count() - 1).setEnabled(False)  # pyright: ignore[reportAttributeAccessIssue]  # a combo box's own model is a standard one

    def _held_text(self, held: Held) -> str:
        return self.tr("Not there") if held is Held.ABSENT else self._model.held_text(held)

    def _reason_text(self, found: OnSurface, surface: str) -> str:
        where = self._model.surface_text(surface)
        if found.held is Held.ABSENT:
            return self.tr("This action does not exist there.")
        if found.held is Held.PERSON:
            return self.tr("Only a person may do this: in the window, or in a terminal that no agent started.")
        if found.held is Held.OFF:
            by_device = found.set_by.get("enabled") == "device"
            if by_device and self._workspace is not None:
                return self.tr("It is switched off on this device; a workspace cannot switch it on.")
            return self.tr("It is switched off there.")
        if found.floor and found.held is Held.ASKS:
            return self.tr("{0}: this kind of action always asks first. No setting lifts that.").format(where)
        if found.floor:
            return self.tr("A decision is never asked about a second time.")
        if found.set_by.get("approval") == "workspace":
            return self.tr("You set this for the workspace.")
        if found.approval != "default":
            return self.tr("You set this.")
        return self.tr("This is the usual for such an action.")

    def _effect_text(self, effect: str) -> str:
        return {
            "none": self.tr("no effect"),
            "read": self.tr("reads"),
            "write": self.tr("writes"),
            "external": self.tr("reaches outside"),
            "danger": self.tr("dangerous"),
        }.get(effect, effect)

    def _exposure_text(self, exposure: str) -> str:
        return self.tr("As a tool of its own") if exposure == "direct" else self.tr("Found by search")

    def _ask(self, change: dict[str, Any] | None) -> None:
        if change is None:
            self.show_action(self._shown)
        else:
            self.change_asked.emit(change)

    def _on_held(self) -> None:
        if self._shown is not None:
            policy, surface = self._shown
            self._ask(change_for(self._model.device(policy), surface, Held(self.held.currentData())))

    def _on_held_here(self) -> None:
        if self._shown is not None and self._workspace is not None:
            policy, surface = self._shown
            wanted = Held(said) if (said := self.held_here.currentData()) else None
            self._ask(change_here(policy, self._model.device(policy), surface, wanted, self._workspace))

    def _on_exposure(self) -> None:
        if self._shown is not None:
            policy, surface = self._shown
            wanted = str(self.exposure.currentData())
            if wanted != self._model.device(policy).surfaces[surface].exposure_setting:
                self._ask({"action_id": policy.id, "surface": surface, "exposure": wanted})

    def _on_exposure_here(self) -> None:
        if self._shown is not None and self._workspace is not None:
            policy, surface = self._shown
            change = {"action_id": policy.id, "surface": surface, "exposure": str(self.exposure_here.currentData())}
            self._ask({**change, "scope": "workspace", "workspace": self._workspace})
