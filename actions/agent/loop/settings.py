"""The user's own settings of the agent: typed ones, and the hooks, which are a list of tables."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from actions.agent.hooks.config import Hook
from actions.agent.tools.needs import WebAccess
from actions.storage.declarations import AGENT_PRIVATE_ADDRESSES, AGENT_SEARCH_URL, AGENT_TELEMETRY
from actions.storage.settings import SettingsFile


@dataclass(frozen=True)
class AgentSettings:
    """``problems`` are sentences for a person about what could not be used; ``unusable_hooks`` those about hooks that
    must pass (``fail_closed``) and cannot even run: nothing may go on without them.
    """

    web: WebAccess = field(default_factory=WebAccess)
    telemetry: bool = True
    hooks: tuple[Hook, ...] = ()
    problems: tuple[str, ...] = ()
    unusable_hooks: tuple[str, ...] = ()


def read_settings(file: Path) -> AgentSettings:
    """What ``settings.toml`` says to the agent. Never raises: a broken file is named and the defaults hold."""
    settings = SettingsFile(file).load()
    web = WebAccess(settings.get(AGENT_PRIVATE_ADDRESSES), settings.get(AGENT_SEARCH_URL))
    hooks, problems, unusable = _read_hooks(file)
    return AgentSettings(web, settings.get(AGENT_TELEMETRY), hooks, problems, unusable)


def _read_hooks(file: Path) -> tuple[tuple[Hook, ...], tuple[str, ...], tuple[str, ...]]:
    """``[[agent.hooks]]``: one table a hook. One that is wrong takes no other with it."""
    try:
        said: Any = tomllib.loads(file.read_text(encoding="utf-8")).get("agent")
    except FileNotFoundError:
        return (), (), ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return (), (f"{file} cannot be read, so no hook runs and the defaults hold: {error}",), ()
    listed: object = cast("dict[str, Any]", said).get("hooks", []) if isinstance(said, dict) else []
    if not isinstance(listed, list):
        return (), (f"The hooks in {file} are off: write each as [[agent.hooks]].",), ()
    hooks: list[Hook] = []
    problems: list[str] = []
    unusable: list[str] = []
    for number, entry in enumerate(cast("list[object]", listed), 1):
        try:
            hooks.append(Hook.model_validate(entry))
        except ValidationError as error:
            told = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:3])
            problem = f"Hook {number} of the hooks in {file} is off, correct it: {told}"
            problems.append(problem)
            if _must_pass(entry):
                unusable.append(problem)
    return tuple(hooks), tuple(problems), tuple(unusable)


def _must_pass(entry: object) -> bool:
    return isinstance(entry, dict) and bool(cast("dict[str, object]", entry).get("fail_closed"))
