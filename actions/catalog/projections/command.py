"""The command that an action is: words, positional arguments and options. The command line is built from these as
data.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field

from actions.catalog.form import FormField
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionOutput, ActionSpec, Surface

_SLOT = re.compile(r"\{(\w+)\}")


class Argument(ActionOutput):
    """One argument: ``type`` is string, integer, number, boolean, list or json."""

    field: str
    flag: str | None
    type: str
    required: bool
    repeat: bool = False
    help: str
    choices: list[str] = Field(default_factory=list[str])
    source: str | None = None


class Command(ActionOutput):
    """``words`` after ``sayso``, then positional arguments, then options (those with a flag)."""

    words: list[str]
    action: str
    help: str
    arguments: list[Argument]


def command(spec: ActionSpec, fields: list[FormField], language: str = "en") -> Command:
    template = spec.cli or spec.id.replace(".", " ").replace("_", "-")
    positional = _SLOT.findall(template)
    words = _SLOT.sub("", template).split()
    by_path = {f.path: f for f in fields}
    ordered = [by_path[name] for name in positional] + [f for f in fields if f.path not in positional]
    return Command(
        words=words,
        action=spec.id,
        help=spec.description.in_language(language) or spec.title.in_language(language),
        arguments=[_argument(f, positional=f.path in positional) for f in ordered],
    )


def commands(catalog: Catalog, language: str = "en") -> list[Command]:
    """The commands of all actions that the command line may run, by words."""
    on_cli = [spec for spec in catalog if Surface.CLI in spec.surfaces]
    return sorted((command(s, catalog.form(s, language), language) for s in on_cli), key=lambda c: c.words)


def _argument(field: FormField, *, positional: bool) -> Argument:
    choices: list[Any] = [option.value for option in field.options]
    return Argument(
        field=field.path,
        flag=None if positional else f"--{field.flag}",
        type=field.type,
        required=field.required,
        repeat=field.type == "list",
        help=field.description or field.ask or field.title,
        choices=[str(choice) for choice in choices],
        source=field.source,
    )
