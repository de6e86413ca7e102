"""The commands as data: ``python -m actions.cli.manifest`` writes manifest.json. A test fails when it is stale."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from actions.catalog.form import FormField
from actions.catalog.hints import Widget
from actions.catalog.projections.command import Command, commands
from actions.catalog.registry import Catalog, load
from actions.cli import own

FILE = Path(__file__).with_name("manifest.json")
_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def build(catalog: Catalog, version: str) -> dict[str, Any]:
    """``{version, groups, commands}``; a command has words, action or run, effect, kind, help and arguments."""
    pairs = zip(commands(catalog, "en"), commands(catalog, "zh"), strict=True)
    taken = [command["words"] for command in own.COMMANDS]
    projected = [_entry(catalog, en, zh) for en, zh in pairs if en.words not in taken]
    return {
        "version": version,
        "groups": {name: {"en": text.en, "zh": text.zh} for name, text in own.GROUPS.items()},
        "commands": sorted([*projected, *own.COMMANDS], key=lambda command: command["words"]),
    }


def text(manifest: dict[str, Any]) -> str:
    """The file's content: a command a line, so that a change of one is a difference of one line."""
    lines = [json.dumps(command, ensure_ascii=False) for command in manifest["commands"]]
    head = json.dumps({"version": manifest["version"], "groups": manifest["groups"]}, ensure_ascii=False)
    return f'{head[:-1]}, "commands": [\n' + ",\n".join(lines) + "\n]}\n"


def current() -> str:
    """What the file should hold, from this checkout."""
    with _PROJECT.open("rb") as project:
        version = tomllib.load(project)["project"]["version"]
    return text(build(load(), version))


def _entry(catalog: Catalog, en: Command, zh: Command) -> dict[str, Any]:
    spec = catalog.specs[en.action]
    fields = {field.path: field for field in catalog.form(spec)}
    arguments = [
        {
            **a.model_dump(include={"field", "flag", "type", "required", "repeat", "choices", "source"}),
            "path": _path(fields[a.field]),
            "default": fields[a.field].default,
            "help": {"en": a.help, "zh": b.help},
        }
        for a, b in zip(en.arguments, zh.arguments, strict=True)
    ]
    return {
        "words": en.words,
        "action": en.action,
        "run": own.HANDLERS.get(en.action),
        "effect": spec.effect.value,
        "kind": _kind(spec.output),
        "stream": en.action in own.STREAMS,
        # A title in the reader's language says more than a sentence in another one.
        "help": {"en": en.help, "zh": zh.help if zh.help != en.help else spec.title.in_language("zh")},
        "arguments": arguments + own.ADDED.get(en.action, []),
    }


def _path(field: FormField) -> str | None:
    """``path`` for a file or directory, ``workspace`` for what may be a directory or a name."""
    if field.widget is Widget.PATH:
        return "path"
    return "workspace" if field.ref == "workspace" or field.source == "workspaces.recent" else None


def _kind(output: type[BaseModel]) -> str:
    """``SessionView`` is a ``session``, ``SessionList`` is ``sessions``."""
    if output.__name__.endswith("List"):
        return next(iter(output.model_fields))
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", output.__name__.removesuffix("View")).lower()


if __name__ == "__main__":
    FILE.write_text(current(), encoding="utf-8")
    sys.stdout.write(f"{FILE} is up to date\n")
