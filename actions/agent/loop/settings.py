"""The user's own settings of the agent: typed ones, and the hooks, which are a list of tables."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from actions.agent.hooks.config import Hook
from actions.agent.tools.needs import WebAccess
from actions.storage.declarations import AGENT_PRIVATE_ADDRESSES, AGENT_SEARCH_URL, AGENT_TELEMETRY
from actions.storage.settings import SettingsFile

_hooks: TypeAdapter[tuple[Hook, ...]] = TypeAdapter(tuple[Hook, ...])


@dataclass(frozen=True)
class AgentSettings:
    """``problems`` are sentences for a person about what could not be used."""

    web: WebAccess = field(default_factory=WebAccess)
    telemetry: bool = True
    hooks: tuple[Hook, ...] = ()
    problems: tuple[str, ...] = ()


def read_settings(file: Path) -> AgentSettings:
    """What ``settings.toml`` says to the agent. Never raises: a broken file is named and the defaults hold."""
    settings = SettingsFile(file).load()
    web = WebAccess(settings.get(AGENT_PRIVATE_ADDRESSES), settings.get(AGENT_SEARCH_URL))
    hooks, problems = _read_hooks(file)
    return AgentSettings(web, settings.get(AGENT_TELEMETRY), hooks, problems)


def _read_hooks(file: Path) -> tuple[tuple[Hook, ...], tuple[str, ...]]:
    """``[[agent.hooks]]``: one table a hook."""
    try:
        said: Any = tomllib.loads(file.read_text(encoding="utf-8")).get("agent")
    except FileNotFoundError:
        return (), ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return (), (f"{file} cannot be read, so no hook runs and the defaults hold: {error}",)
    try:
        return _hooks.validate_python(
            cast("dict[str, Any]", said).get("hooks", ()) if isinstance(said, dict) else ()
        ), ()
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:3])
        return (), (f"The hooks in {file} are off, correct them: {told}",)
