"""What one session takes and leaves of the user's servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from actions.errors import InvalidInput

_LISTS = ("include", "exclude", "through_sayso")


@dataclass(frozen=True, slots=True)
class Selection:
    """``managed`` off: none of the user's servers. Else what is on here, and ``include``, without ``exclude``.

    ``through_sayso`` names servers whose every call goes through Sayso in this session. It counts from the next start.
    """

    managed: bool = True
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    through_sayso: tuple[str, ...] = ()

    @classmethod
    def of_json(cls, given: Mapping[str, Any] | None) -> Selection:
        """From an action's input or the store. Raises InvalidInput that names each field that does not fit."""
        if given is None:
            return cls()
        fields = [
            {"field": f"selection.{name}", "message": "There is no such field: managed, " + ", ".join(_LISTS) + "."}
            for name in given
            if name != "managed" and name not in _LISTS
        ]
        managed = given.get("managed", True)
        if not isinstance(managed, bool):
            fields.append({"field": "selection.managed", "message": "It must be true or false."})
        names = {name: _names(given.get(name) or []) for name in _LISTS}
        fields += [
            {"field": f"selection.{name}", "message": "It must be a list of names of servers."}
            for name, found in names.items()
            if found is None
        ]
        if fields:
            raise InvalidInput("The selection of servers does not fit.", fields)
        return cls(bool(managed), *(names[name] or () for name in _LISTS))

    def as_json(self) -> dict[str, Any]:
        """For the store and for views."""
        return {"managed": self.managed, **{name: list(getattr(self, name)) for name in _LISTS}}


def _names(value: object) -> tuple[str, ...] | None:
    if isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value)):
        return tuple(dict.fromkeys(cast("list[str]", value)))
    return None
