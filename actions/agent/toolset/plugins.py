"""Plugin tools: commands of the user's own, each plugin a folder with a manifest, ``plugin.toml`` or ``plugin.json``.

    name = "weather"

    [[tools]]
    name = "Weather"
    description = "The weather of a city."
    command = ["python3", "weather.py"]       # run in the plugin's folder
    env = { CITY_KEY = "weather_key" }        # variable -> name of a host value
    effect = "external"                       # none, read, write, external, danger (the default)
    timeout = 30                              # seconds, 1 to 3600; 60 when left out
    [tools.parameters]                        # JSON Schema of an object
    type = "object"
    properties.city.type = "string"

The command gets the parameters as a JSON object on standard input; what it prints is the result.
"""

from __future__ import annotations

import json
import logging
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from actions.agent.toolset.loading import Trouble
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect

MANIFESTS = ("plugin.toml", "plugin.json")
_log = logging.getLogger(__name__)


class PluginToolSpec(BaseModel):
    """One tool of a manifest. ``env`` gives host values to variables of the command."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    # What every model provider takes for a tool's name
    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,63}$")]
    description: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    parameters: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})
    command: list[str] = Field(min_length=1)
    env: dict[str, str] = Field(default_factory=dict[str, str])
    effect: Effect = Effect.DANGER
    timeout: float = Field(default=60, ge=1, le=3600)


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = ""
    description: str = ""
    version: str = ""
    tools: list[PluginToolSpec] = Field(default_factory=list[PluginToolSpec])


@dataclass(frozen=True, slots=True)
class Plugins:
    """``left_out`` are plugins and tools that cannot be used, each with a reason that a person should see."""

    tools: tuple[Tool, ...] = ()
    left_out: tuple[Trouble, ...] = ()


Make = Callable[[PluginToolSpec, Path, Mapping[str, str]], Tool]
"""A tool from its declaration, the plugin's folder and the environment that the command gets besides the usual one."""


def load_plugins(folder: Path, make: Make, *, taken: Collection[str], host: Mapping[str, str]) -> Plugins:
    """The tools of every plugin in ``folder``, in the order of the folders' names.

    ``taken`` are names of tools that are there already, ``host`` the values that manifests may choose from by name. No
    folder is no plugin. A plugin is never in the way: what is wrong with one leaves it out, with a warning.
    """
    tools: dict[str, Tool] = {}
    left_out: list[Trouble] = []
    for manifest in _manifests(folder):
        try:
            specs = _read(manifest)
        except _Unusable as error:
            left_out.append(Trouble(str(manifest), str(error)))
            continue
        for spec in specs:
            try:
                if spec.name in taken or spec.name in tools:
                    raise _Unusable("there is a tool of this name already")
                tools[spec.name] = make(spec, manifest.parent, _environment(spec, host))
            except _Unusable as error:
                left_out.append(Trouble(f"{manifest}: {spec.name}", str(error)))
    for one in left_out:
        _log.warning("Plugin left out: %s", one)
    return Plugins(tuple(tools.values()), tuple(left_out))


def _manifests(folder: Path) -> list[Path]:
    try:
        plugins = sorted(one for one in folder.iterdir() if one.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = ([plugin / name for name in MANIFESTS if (plugin / name).is_file()] for plugin in plugins)
    return [manifests[0] for manifests in found if manifests]


def _read(manifest: Path) -> list[PluginToolSpec]:
    try:
        text = manifest.read_text(encoding="utf-8")
        data = tomllib.loads(text) if manifest.suffix == ".toml" else json.loads(text)
        specs = _Manifest.model_validate(data).tools
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, one['loc'])) or 'the manifest'}: {one['msg']}" for one in error.errors())
        raise _Unusable("; ".join(problems)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise _Unusable(f"it cannot be read: {error}") from error
    for spec in specs:
        _check_schema(spec)
    return specs


def _check_schema(spec: PluginToolSpec) -> None:
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(spec.parameters)
    except SchemaError as error:
        raise _Unusable(f"{spec.name}: `parameters` is no JSON Schema: {error.message}") from error
    if spec.parameters.get("type", "object") != "object":
        raise _Unusable(f"{spec.name}: `parameters` has to describe an object")


def _environment(spec: PluginToolSpec, host: Mapping[str, str]) -> dict[str, str]:
    unknown = [value for value in spec.env.values() if value not in host]
    if unknown:
        raise _Unusable(f"`env` wants the host value {unknown[0]!r}; there are: {', '.join(sorted(host)) or 'none'}")
    return {variable: host[value] for variable, value in spec.env.items()}


class _Unusable(Exception):
    """This plugin, or this tool of it, is left out."""
