"""The settings of a home as actions read and change them; every change is told to who listens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from actions.catalog.domains.preference import SettingList, SettingView
from actions.errors import InvalidInput, NotFound
from actions.host.policy_file import PolicyFile
from actions.storage.declarations import SETTINGS, Setting
from actions.storage.settings import Settings, SettingsFile

_SWITCH = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


class Preferences:
    """Implements the catalog's ``PreferencesPort``. ``publish`` gets ``settings_did_change`` with key and value."""

    def __init__(
        self, file: SettingsFile, policy: PolicyFile, publish: Callable[[str, Mapping[str, Any]], object]
    ) -> None:
        self._file = file
        self._policy = policy
        self._publish = publish

    def list(self, key: str | None = None) -> SettingList:
        """All settings, or the one called ``key``, or those below it. Raises NotFound where there is none."""
        settings = self._policy.settings()
        found = [s for s in SETTINGS.values() if key is None or s.key == key or s.key.startswith(f"{key}.")]
        if not found:
            raise NotFound(f"There is no setting {key!r}. See all of them: sayso settings get")
        return SettingList(
            settings=[_view(setting, settings) for setting in found],
            file=str(self._file.file),
            problems=[problem.message for problem in settings.problems],
        )

    def set(self, key: str, value: str | None) -> SettingView:
        """Store a value, None for the default. Raises NotFound, InvalidInput, and what the file raises."""
        setting = SETTINGS.get(key)
        if setting is None:
            raise NotFound(f"There is no setting {key!r}. See all of them: sayso settings get")
        stored = self._file.set(setting, None if value is None else _typed(setting, value))
        view = _view(setting, stored)
        self._publish("settings_did_change", {"key": key, "value": view.value})
        return view


def _view(setting: Setting[Any], settings: Settings) -> SettingView:
    return SettingView(
        key=setting.key,
        value=settings.get(setting),
        default=setting.default,
        description=setting.description,
        choices=list(setting.choices),
        minimum=setting.minimum,
        changed=setting.key in settings.values,
    )


def _typed(setting: Setting[Any], text: str) -> Any:
    """``text`` in the setting's type; what cannot be read so is refused with the setting's own words."""
    found: Any = text
    match setting.default:
        case str():
            return text
        case bool():
            found = _SWITCH.get(text.strip().lower(), text)
        case int():
            found = _number(int, text)
        case _:
            found = _number(float, text)
    if (why := setting.refusal(found)) is not None:
        raise InvalidInput(f"{setting.key} {why}.", [{"field": "value", "message": why}])
    return found


def _number(kind: type[int] | type[float], text: str) -> int | float | str:
    try:
        return kind(text)
    except ValueError:
        return text
