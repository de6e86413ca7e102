"""Modes and models of a session: what the agent offers and what it acknowledged, never what was merely asked for.

Source: ACP 1, session config options and session modes. Where an agent offers config options, its modes are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from actions.catalog.views import ModeView, OptionView


@dataclass(frozen=True, slots=True)
class Selector:
    """One choice that the agent offers. ``config_id`` is None where it is changed by ``session/set_mode``."""

    current: str | None = None
    choices: tuple[ModeView, ...] = ()
    config_id: str | None = None

    def name_of(self, value: str | None) -> str | None:
        """The agent's own name for a value."""
        return next((choice.name for choice in self.choices if choice.id == value), value)


@dataclass(frozen=True, slots=True)
class ModeState:
    """The selectors of a session; an empty one means that the agent has none."""

    mode: Selector = Selector()
    model: Selector = Selector()
    has_options: bool = False
    options: tuple[OptionView, ...] = ()
    """Every option of a known type, in the agent's order."""

    @classmethod
    def from_response(cls, response: dict[str, Any]) -> ModeState:
        """From the response to session/new, load or resume."""
        options: Any = response.get("configOptions")
        if isinstance(options, list) and options:
            return cls().with_options(cast("list[Any]", options))
        modes: Any = response.get("modes")
        if not isinstance(modes, dict):
            return cls()
        state = cast("dict[str, Any]", modes)
        choices = tuple(
            ModeView(id=str(mode["id"]), name=str(mode.get("name") or mode["id"]), description=mode.get("description"))
            for mode in _objects(state.get("availableModes"))
            if mode.get("id")
        )
        return cls(mode=Selector(_text(state.get("currentModeId")), choices))

    def with_options(self, options: list[Any]) -> ModeState:
        """From a complete list of config options, as each answer and update carries it."""
        found = {"mode": Selector(), "model": Selector()}
        for option in _objects(options):
            category = option.get("category") or option.get("id")
            if option.get("type") == "select" and category in found and not found[category].choices:
                found[category] = Selector(_text(option.get("currentValue")), _choices(option), str(option.get("id")))
        shown = tuple(view for option in _objects(options) if (view := _option(option)) is not None)
        return ModeState(found["mode"], found["model"], has_options=True, options=shown)

    def with_mode(self, mode_id: str) -> ModeState:
        """After a mode was acknowledged through the modes interface."""
        return self if self.has_options else replace(self, mode=replace(self.mode, current=mode_id))

    def after(self, update: dict[str, Any]) -> ModeState:
        """After a ``session/update``; the same object when it is about something else."""
        match update.get("sessionUpdate"):
            case "current_mode_update" if isinstance(update.get("currentModeId"), str):
                return self.with_mode(update["currentModeId"])
            case "config_option_update" if isinstance(update.get("configOptions"), list):
                return self.with_options(update["configOptions"])
            case _:
                return self


def _option(option: dict[str, Any]) -> OptionView | None:
    kind, value, option_id = option.get("type"), option.get("currentValue"), _text(option.get("id"))
    if option_id is None or kind not in ("select", "boolean"):
        return None  # a type of the future is ignored, as the specification asks
    return OptionView(
        id=option_id,
        name=_text(option.get("name")) or option_id,
        description=_text(option.get("description")),
        category=_text(option.get("category")),
        kind=kind,
        value=value if isinstance(value, bool if kind == "boolean" else str) else None,
        choices=list(_choices(option)),
    )


def _choices(option: dict[str, Any]) -> tuple[ModeView, ...]:
    flat: list[dict[str, Any]] = []
    for entry in _objects(option.get("options")):
        flat.extend(_objects(entry.get("options")) if "options" in entry else [entry])
    return tuple(
        ModeView(id=str(c["value"]), name=str(c.get("name") or c["value"]), description=c.get("description"))
        for c in flat
        if c.get("value") is not None
    )


def _objects(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        return []
    return [cast("dict[str, Any]", item) for item in cast("list[Any]", value) if isinstance(item, dict)]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
