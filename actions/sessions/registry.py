"""Which providers there are: the shipped rows and the user's own ``providers.toml``, which adds and changes rows."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from actions.errors import NotFound
from actions.sessions.provider import Provider

_UNTIL = "Its providers stay as they were until it is corrected."
_KEY = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_PART = re.compile(r"""("[^"]*"|'[^']*')|([\w-]+)""")
_HEADER = re.compile(rf"\s*\[\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_ASSIGNED = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_IN_WORDS = {
    "too_short": "is empty; it needs at least one value",
    "string_too_short": "is empty",
    "string_type": "must be a text in quotes",
    "tuple_type": 'must be a list, such as ["python3", "agent.py"]',
    "list_type": "must be a list",
    "dict_type": "must be a table",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "missing": "is missing",
}
_USER_FIELDS = frozenset(Provider.model_fields) - {"id", "shipped"}


@dataclass(frozen=True, slots=True)
class Registry:
    """The providers by id, and a line for each thing in the user's file that could not be used."""

    providers: Mapping[str, Provider]
    problems: tuple[str, ...] = ()

    def require(self, provider_id: str) -> Provider:
        """The provider of this id. Raises NotFound that names the known ones."""
        provider = self.providers.get(provider_id)
        if provider is None:
            known = ", ".join(sorted(self.providers))
            raise NotFound(
                f"There is no provider {provider_id!r}. Known: {known}.",
                details={"provider": provider_id, "known": sorted(self.providers), "problems": list(self.problems)},
            )
        return provider


class ProviderFile:
    """Reads the user's file again whenever it changed; a broken one costs only what is broken in it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._registry: Registry | None = None

    def load(self) -> Registry:
        """The registry as of now."""
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
        except OSError:
            stamp = (0, 0)
        if self._registry is None or stamp != self._stamp:
            self._stamp = stamp
            self._registry = _merged(self._path, self._registry)
        return self._registry


@cache
def shipped() -> Mapping[str, Provider]:
    """The rows that come with Sayso."""
    text = resources.files("actions.sessions").joinpath("providers.toml").read_text(encoding="utf-8")
    rows: dict[str, Any] = tomllib.loads(text)
    providers: dict[str, Provider] = {}
    for provider_id, row in rows.items():
        row["command"] = [part.replace("{python}", sys.executable) for part in row["command"]]
        providers[provider_id] = Provider.model_validate({"id": provider_id, "shipped": True, **row})
    return providers


def _merged(path: Path, before: Registry | None) -> Registry:
    """Shipped rows and those of the file. What cannot be read keeps what was read of it ``before``."""
    providers = dict(shipped())
    kept = before.providers if before is not None else providers
    try:
        text = path.read_text(encoding="utf-8-sig")  # as editors on Windows write it
    except FileNotFoundError:
        return Registry(providers)
    except (OSError, UnicodeDecodeError) as error:
        return Registry(kept, (f"{path}: it cannot be read ({error}). {_UNTIL}",))
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Registry(kept, (f"{path}: {error}. {_UNTIL}",))
    lines = text.splitlines()
    problems = [
        f"{path}:{line_of(lines, (name,))}: {name!r} is not known here; a provider is a table [providers.{name}]."
        for name in document.keys() - {"providers"}
    ]
    rows: Any = document.get("providers", {})
    if not isinstance(rows, dict):
        place = line_of(lines, ("providers",))
        return Registry(kept, (*problems, f"{path}:{place}: `providers` must be tables such as [providers.my-agent]."))
    for provider_id, row in cast("dict[str, Any]", rows).items():
        try:
            providers[provider_id] = _user_row(provider_id, row, providers.get(provider_id))
        except (ValidationError, _Unfit) as error:
            if before is not None and provider_id in before.providers:
                providers[provider_id] = before.providers[provider_id]
            for key, words in _faults(error):
                line = line_of(lines, ("providers", provider_id, *key))
                problems.append(f"{path}:{line}: [providers.{provider_id}] {words}")
    return Registry(providers, tuple(problems))


def _user_row(provider_id: str, row: Any, ours: Provider | None) -> Provider:
    """A row of the user's own. One with a shipped id says only what it has otherwise; variables are added."""
    if not isinstance(row, dict):
        raise _Unfit("", "must be a table")
    given = cast("dict[str, Any]", row)
    if unknown := sorted(given.keys() - _USER_FIELDS):
        raise _Unfit(unknown[0], f"does not know {', '.join(unknown)}; it knows {', '.join(sorted(_USER_FIELDS))}")
    if isinstance(given.get("command"), str):
        raise _Unfit("command", f"command must be a list, such as {json.dumps(str(given['command']).split())}")
    if ours is None:
        return Provider.model_validate({"id": provider_id, "name": provider_id, **given})
    Provider.model_validate({"id": provider_id, "name": ours.name, "command": ours.command, **given})
    base = ours.model_dump(exclude_unset=True)
    env = {**base.get("env", {}), **given.get("env", {})}
    return Provider.model_validate({**base, **given, "env": env, "shipped": False})


class _Unfit(Exception):
    """A row, or one key of it, that is no row."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key


def _faults(error: ValidationError | _Unfit) -> list[tuple[tuple[str, ...], str]]:
    """What is wrong with a row: where in it, and the words for it."""
    if isinstance(error, _Unfit):
        return [((error.key,) if error.key else (), str(error))]
    found: dict[tuple[str, ...], str] = {}
    for entry in error.errors(include_url=False, include_input=False):
        key = tuple(str(part) for part in entry["loc"])
        words = _IN_WORDS.get(entry["type"], entry["msg"])
        found.setdefault(key[:2], f"{'.'.join(key)}: {words}".removeprefix(": "))
    return list(found.items())


def line_of(lines: Sequence[str], key: Sequence[str]) -> int:
    """The line, from 1, on which a key of a TOML document is set, or else the table around it; 1 where neither is.

    The reader of the standard library tells no lines of what it read. Strings of several lines are not looked into.
    """
    table: list[str] = []
    best, depth = 1, 0
    for number, line in enumerate(lines, start=1):
        if header := _HEADER.match(line):
            table = found = _parts(header.group(1))
        elif assigned := _ASSIGNED.match(line):
            found = [*table, *_parts(assigned.group(1))]
        else:
            continue
        if len(found) > depth and found == list(key[: len(found)]):
            best, depth = number, len(found)
    return best


def _parts(dotted: str) -> list[str]:
    return [bare or quoted[1:-1] for quoted, bare in _PART.findall(dotted)]
