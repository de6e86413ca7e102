"""Which providers there are: the shipped rows and the user's own ``providers.toml``, which adds and changes rows."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from actions.errors import NotFound
from actions.sessions.provider import Provider

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
            self._registry = _merged(self._path)
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


def _merged(path: Path) -> Registry:
    providers = dict(shipped())
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Registry(providers)
    except (OSError, UnicodeDecodeError) as error:
        return Registry(providers, (f"{path}: it cannot be read ({error}).",))
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Registry(providers, (f"{path}: {error}. Its providers are left out until it is corrected.",))
    problems: list[str] = []
    rows: Any = document.get("providers", {})
    if not isinstance(rows, dict):
        return Registry(providers, (f"{path}: `providers` must be tables such as [providers.my-agent].",))
    for provider_id, row in cast("dict[str, Any]", rows).items():
        try:
            providers[provider_id] = _user_row(provider_id, row, providers.get(provider_id))
        except (ValidationError, TypeError) as error:
            problems.append(f"{path}:{_line_of(text, provider_id)}: [providers.{provider_id}] {_words(error)}")
    return Registry(providers, tuple(problems))


def _user_row(provider_id: str, row: Any, ours: Provider | None) -> Provider:
    """A row of the user's own. One with a shipped id says only what it has otherwise; variables are added."""
    if not isinstance(row, dict):
        raise TypeError("must be a table")
    given = cast("dict[str, Any]", row)
    if unknown := sorted(given.keys() - _USER_FIELDS):
        raise TypeError(f"does not know {', '.join(unknown)}; it knows {', '.join(sorted(_USER_FIELDS))}")
    if ours is None:
        return Provider.model_validate({"id": provider_id, "name": provider_id, **given})
    Provider.model_validate({"id": provider_id, "name": ours.name, "command": ours.command, **given})
    base = ours.model_dump(exclude_unset=True)
    env = {**base.get("env", {}), **given.get("env", {})}
    return Provider.model_validate({**base, **given, "env": env, "shipped": False})


def _words(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    return "; ".join(f"{'.'.join(str(part) for part in e['loc'])}: {e['msg']}" for e in error.errors())


def _line_of(text: str, provider_id: str) -> int:
    header = re.compile(rf"\s*\[\s*providers\s*\.\s*[\"']?{re.escape(provider_id)}[\"']?\s*[\].]")
    for number, line in enumerate(text.splitlines(), start=1):
        if header.match(line):
            return number
    return 1
