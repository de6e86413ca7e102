"""The catalog: every action and option source, checked as a whole when it is built.

What does not fit stops start-up with the action's id and, where a name is nearly right, the one that was meant.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import ModuleType
from typing import Any, TypeVar

from pydantic import ValidationError

from actions.catalog.form import FormField, form_fields
from actions.catalog.hints import Widget
from actions.catalog.options import OptionSource
from actions.catalog.predicates import from_json, paths
from actions.catalog.spec import ActionSpec, Placement, Surface

_T = TypeVar("_T")
_ID = re.compile(r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$")
_SPACES = re.compile(r"\s+")


class CatalogError(Exception):
    """The declarations do not fit together; the message lists every problem, a line each."""


@dataclass(frozen=True)
class Catalog:
    """Specs by id and option sources by id, in a fixed order. Built by :func:`build`, which checks them."""

    specs: Mapping[str, ActionSpec]
    sources: Mapping[str, OptionSource]

    def __iter__(self) -> Iterator[ActionSpec]:
        return iter(self.specs.values())

    def get(self, action_id: str) -> ActionSpec | None:
        return self.specs.get(action_id)

    def by_tool_name(self, name: str) -> ActionSpec | None:
        return next((spec for spec in self.specs.values() if spec.tool_name == name), None)

    def form(self, spec: ActionSpec, language: str = "en") -> list[FormField]:
        """The form of an action, its option sources' needs filled in."""
        return form_fields(spec.input, language, {s.id: s.needs for s in self.sources.values()})

    def nearest(self, action_id: str) -> list[str]:
        """Ids that were probably meant."""
        return get_close_matches(action_id, list(self.specs), n=3, cutoff=0.6)


def build(specs: Iterable[ActionSpec], sources: Iterable[OptionSource]) -> Catalog:
    """Check and freeze. Raises CatalogError with every problem found."""
    spec_list, source_list = list(specs), list(sources)
    problems = [*_duplicates(spec_list, source_list)]
    by_source = {source.id: source for source in source_list}
    for spec in spec_list:
        problems += [f"{spec.id}: {problem}" for problem in _problems(spec, by_source)]
    if problems:
        raise CatalogError("the catalog does not fit together:\n  " + "\n  ".join(problems))
    return Catalog({spec.id: spec for spec in sorted(spec_list, key=lambda s: s.id)}, by_source)


def load() -> Catalog:
    """The catalog of the modules under ``actions.catalog.domains``: a new file there needs no other change."""
    package = importlib.import_module("actions.catalog.domains")
    modules = [importlib.import_module(f"{package.__name__}.{m.name}") for m in pkgutil.iter_modules(package.__path__)]
    return build(collect(modules, ActionSpec), collect(modules, OptionSource))


def collect(modules: Iterable[ModuleType], kind: type[_T]) -> list[_T]:
    """The declarations of one kind that modules define, each once, in order of definition."""
    found: dict[int, _T] = {}
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, kind):
                found.setdefault(id(value), value)
    return list(found.values())


def _duplicates(specs: list[ActionSpec], sources: list[OptionSource]) -> Iterable[str]:
    yield from _repeated("action id", (s.id for s in specs))
    yield from _repeated("option source", (s.id for s in sources))
    yield from _repeated("tool name", (s.tool_name for s in specs))
    yield from _repeated("slash token", (token for s in specs for token in s.slash))
    yield from _repeated("command", (_SPACES.sub(" ", re.sub(r"\{.*?\}", "", s.cli)).strip() for s in specs if s.cli))
    phrases: dict[str, str] = {}
    for spec in specs:
        for say in spec.say:
            phrase = _SPACES.sub(" ", say.template.casefold()).strip()
            owner = phrases.setdefault(phrase, spec.id)
            if owner != spec.id:
                yield f"{spec.id}: the phrase {say.template!r} already means {owner}"


def _repeated(what: str, names: Iterable[str]) -> Iterable[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{what} {name!r} is declared twice"
        seen.add(name)


def _problems(spec: ActionSpec, sources: Mapping[str, OptionSource]) -> Iterable[str]:
    if not _ID.match(spec.id):
        yield "the id must be dotted lower-case words"
    if not spec.title:
        yield "the title is missing"
    if not spec.description:
        yield "the description is missing: write a docstring"
    if not spec.surfaces:
        yield "no surface may run it"
    if spec.placements and Surface.UI not in spec.surfaces:
        yield "it has placements but is not on the ui surface"
    if spec.slash and Placement.SLASH not in spec.placements:
        yield "it has slash tokens but no slash placement"
    fields = form_fields(spec.input)
    names = [f.path for f in fields]
    for field in fields:
        yield from _field_problems(field, names, sources)
    for say in spec.say:
        if problem := say.problem():
            yield f"template {say.template!r}: {problem}"
        for slot in (*say.slots, *say.values):
            if slot not in names:
                yield f"template {say.template!r}: {{{slot}}} is no field" + _meant(slot, names)
    if spec.cli:
        for slot in re.findall(r"\{(\w+)\}", spec.cli):
            if slot not in names:
                yield f"command {spec.cli!r}: {{{slot}}} is no field" + _meant(slot, names)
    for example in spec.examples:
        yield from _example_problems(spec, example)


def _field_problems(field: FormField, names: list[str], sources: Mapping[str, OptionSource]) -> Iterable[str]:
    if field.source is not None and field.source not in sources:
        yield f"{field.path}: option source {field.source!r} is not known" + _meant(field.source, list(sources))
    choice = field.widget in (Widget.SELECT, Widget.MULTISELECT)
    if choice and field.source is None and not field.options:
        yield f"{field.path}: a {field.widget.value} needs options"
    if field.widget is Widget.TEXT_LIST and field.separator is None:
        yield f"{field.path}: a text list needs a separator"
    if field.max_selections is not None and field.widget is not Widget.MULTISELECT:
        yield f"{field.path}: max_selections belongs to a multiselect"
    for predicate in (field.visible_when, field.required_when, field.disabled_when):
        parsed = from_json(predicate)
        for path in paths(parsed) if parsed is not None else ():
            if path.split(".")[0] not in names:
                yield f"{field.path}: a predicate reads {path!r}, which is no field" + _meant(path, names)


def _example_problems(spec: ActionSpec, example: Mapping[str, Any]) -> Iterable[str]:
    try:
        spec.input.model_validate(example)
    except ValidationError as error:
        for entry in error.errors(include_url=False):
            yield f"example {dict(example)!r}: {'.'.join(map(str, entry['loc']))}: {entry['msg']}"


def _meant(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""
