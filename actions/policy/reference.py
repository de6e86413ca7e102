"""The catalog and its defaults as a page: ``python -m actions.policy.reference`` writes docs/actions.md.

A test fails when it is stale.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from actions.catalog.form import FormField
from actions.catalog.projections.command import Command, commands
from actions.catalog.registry import Catalog, load
from actions.catalog.spec import ActionSpec, Exposure, Surface
from actions.policy.approval import asks_by_default, floor, never_asks
from actions.policy.exposure import default_exposure

FILE = Path(__file__).parents[2] / "docs" / "actions.md"

_HEAD = """\
# Actions

Written by `python -m actions.policy.reference` from the catalog; do not edit it by hand.

Whatever Sayso can do is one of these {count} actions. The window, the voice, the command line and the tools that agents
and editors get are all made from them, under the same rules. Text in Chinese is spoken Chinese.

**Defaults.** What a call does before you set anything (`sayso actions policy ID` says what holds now, and why):

| | meaning |
|---|---|
| runs | nobody is asked |
| asks | a request waits in the inbox; by voice it is read back first |
| **asks** | the same, and no setting lifts it |
| found | an agent finds it by search and runs it through `action_execute`; others are tools of their own |

**Effect.** `none` and `read` change nothing; `write` changes what Sayso keeps; `external` reaches other programs and
machines; `danger` may destroy what cannot be had back.
"""
_NAMES = {
    Surface.UI: "window",
    Surface.VOICE: "voice",
    Surface.CLI: "command line",
    Surface.SESSION_AGENT: "hosted agent",
    Surface.MCP: "editor (MCP)",
}


def current() -> str:
    """What the page should hold, from this checkout."""
    return page(load())


def page(catalog: Catalog) -> str:
    """The whole page, in Markdown: the actions by domain, in the order of their ids."""
    specs = sorted((spec for spec in catalog if spec.implemented), key=lambda spec: spec.id)
    by_action = {command.action: command for command in commands(catalog)}
    parts = [_HEAD.format(count=len(specs))]
    for domain, of_domain in groupby(specs, key=lambda spec: spec.domain):
        listed = list(of_domain)
        parts.append(f"## {domain}\n\n" + ", ".join(f"[{spec.id}](#{_anchor(spec.id)})" for spec in listed) + "\n")
        parts += [_action(spec, catalog.form(spec), by_action.get(spec.id)) for spec in listed]
    return "\n".join(parts)


def _action(spec: ActionSpec, fields: list[FormField], command: Command | None) -> str:
    text = spec.description.en or spec.title.en
    lines = [f"### {spec.id}", "", f"**{spec.title.en}** ({spec.title.in_language('zh')}). {text}", ""]
    lines += [f"Effect: `{spec.effect.value}`" + (", more for some inputs." if spec.effect_of else "."), ""]
    surfaces = [surface for surface in _NAMES if surface in spec.surfaces]
    lines += _table([_NAMES[surface] for surface in surfaces], [[_default(spec, surface) for surface in surfaces]])
    if fields:
        lines += _table(["field", "type", "", "meaning"], [_field(one) for one in fields])
    if command is not None:
        lines += [f"Command: `{_command(command)}`", ""]
    if spec.slash:
        lines += ["In the composer: " + ", ".join(f"`/{word}`" for word in spec.slash), ""]
    if spec.say:
        lines += ["Say:", "", *(f"* {_code(one.template)}" for one in spec.say), ""]
    if spec.examples:
        lines += ["Input, for example:", "", "```json"]
        lines += [json.dumps(dict(one), ensure_ascii=False) for one in spec.examples]
        lines += ["```", ""]
    return "\n".join(lines)


def _default(spec: ActionSpec, surface: Surface) -> str:
    if never_asks(spec):
        word = "runs"
    elif floor(surface, spec.effect):
        word = "**asks**"
    else:
        word = "asks" if asks_by_default(surface, spec.effect) else "runs"
    found = surface is Surface.SESSION_AGENT and default_exposure(spec, surface) is Exposure.DISCOVERABLE
    return f"{word}, found" if found else word


def _field(field: FormField) -> list[str]:
    choices = ", ".join(f"`{option.value}`" for option in field.options)
    text = " ".join(part for part in (field.description or field.ask or field.title, choices) if part)
    needed = "required" if field.required or field.required_when else ""
    if not needed and field.default not in (None, "", [], {}):
        needed = f"`{_plain(field.default)}`"
    return [f"`{field.path}`", field.type, needed, text]


def _command(command: Command) -> str:
    words = ["sayso", *command.words]
    for argument in command.arguments:
        name = argument.field.upper()
        if argument.flag is None:
            words.append(name)
        elif argument.required:
            words.append(f"{argument.flag} {name}")
    return " ".join(words)


def _table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    return [line(head), f"|{'---|' * len(head)}", *map(line, rows), ""]


def _code(text: str) -> str:
    return f"`{text}`"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _anchor(identity: str) -> str:
    """The anchor that Markdown renderers give a heading: dots fall away."""
    return identity.replace(".", "")


if __name__ == "__main__":
    FILE.write_text(current(), encoding="utf-8")
    sys.stdout.write(f"{FILE} is up to date\n")
