"""Modes and config options of a session (ACP 1, "Session Modes" and "Session Config Options")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from actions.agent.session.state import Mode

MODE, MODEL = "mode", "model"
SCOUT = "scout"
"""The value of the option Model that means: none."""
_OLD_NAMES = {"ask": Mode.DEFAULT}
_MODES: dict[Mode, tuple[str, str]] = {
    Mode.DEFAULT: ("Default", "Asks before it changes anything"),
    Mode.PLAN: ("Plan", "Reads and plans, changes nothing; each command is asked for"),
    Mode.YOLO: ("Yolo", "Does not ask before its own calls; questions and plans still come"),
    Mode.AFK: ("Unattended", "Nobody is there to answer: asks nothing, approves everything"),
}


@dataclass(frozen=True)
class ModelChoice:
    """A model that can be chosen. ``value`` is what names it in the option."""

    value: str
    name: str
    description: str = ""


NO_MODEL = ModelChoice(SCOUT, "None (the scout)", "Finds places and drafts plans from the repository, without a model")


def mode_named(said: object) -> Mode:
    """The mode that a client names; names of earlier versions count too. Raises ValueError with those there are."""
    if isinstance(said, str):
        if (old := _OLD_NAMES.get(said)) is not None:
            return old
        if said in [*Mode]:
            return Mode(said)
    known = ", ".join(f"`{mode}`" for mode in Mode)
    raise ValueError(f"There is no mode {said!r}; there are {known}")


def mode_state(current: Mode) -> dict[str, Any]:
    """The modes in the older form of ACP 1."""
    modes = [{"id": mode.value, "name": name, "description": told} for mode, (name, told) in _MODES.items()]
    return {"currentModeId": current.value, "availableModes": modes}


def config_options(mode: Mode, model: str, models: Sequence[ModelChoice]) -> list[dict[str, Any]]:
    """The complete state of the options, as each answer and update has to carry it."""
    modes = [ModelChoice(m.value, name, told) for m, (name, told) in _MODES.items()]
    listed = [NO_MODEL, *models]
    if model not in [choice.value for choice in listed]:
        listed.append(ModelChoice(model, model))
    return [
        _select(MODE, "Mode", "mode", mode.value, modes),
        _select(MODEL, "Model", "model", model, listed),
    ]


def _select(option: str, name: str, category: str, current: str, choices: Sequence[ModelChoice]) -> dict[str, Any]:
    return {
        "type": "select",
        "id": option,
        "name": name,
        "category": category,
        "currentValue": current,
        "options": [
            {"value": c.value, "name": c.name} | ({"description": c.description} if c.description else {})
            for c in choices
        ],
    }
