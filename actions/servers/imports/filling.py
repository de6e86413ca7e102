"""Values that a configuration does not hold, given by the user: put where they belong, secrets among the secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from actions.catalog.secrecy import is_secret, looks_secret
from actions.servers.imports.found import Found
from actions.servers.keeping import Keeper, owner_of


def filled(found: Found, name: str, values: Mapping[str, str], keeper: Keeper) -> dict[str, Any]:
    """The entry of ``found``, saved as ``name``, with ``values`` in it: by the id of what is asked for, or by the name
    of a variable. Raises SaysoError when a secret cannot be stored.
    """
    entry = dict(found.entry)
    for asked in found.asked:
        if (value := values.get(asked.id)) is None:
            continue
        if asked.secret:
            keeper.keep(asked.stands.removeprefix("${secret:").removesuffix("}"), value)
        else:
            entry = _replaced(entry, asked.stands, value)
    for variable, value in values.items():
        reference = f"${{{variable}}}"
        for part in ("env", "headers"):
            held: Any = entry.get(part)
            if not isinstance(held, dict):
                continue
            texts = cast("dict[str, str]", held)
            secret = looks_secret(variable) or any(is_secret(n, value) for n, t in texts.items() if reference in t)
            if secret and any(reference in text for text in texts.values()):
                entry[part] = _replaced(texts, reference, keeper.keep(f"{owner_of(name)}.{variable}", value))
        if not looks_secret(variable):
            entry = _replaced(entry, reference, value)
    return entry


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, list):
        return [_replaced(item, old, new) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _replaced(item, old, new) for key, item in cast("dict[str, Any]", value).items()}
    return value
