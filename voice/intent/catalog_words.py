"""The real catalog as words and a world: specs become phrases and slots, option sources become spoken values.

A source that needs nothing of the draft is asked once, whatever the number of fields it serves. One that does (the
modes of a session) is asked when the words have said what it needs: see :func:`understand`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from actions.catalog.form import FormField
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionSpec, Surface
from actions.errors import SaysoError
from voice.intent.grammar import Grammar
from voice.intent.lexicon import with_ordinals
from voice.intent.matcher import Matcher
from voice.intent.model import (
    ActionWords,
    Context,
    Intent,
    Language,
    Phrase,
    Reference,
    Slot,
    SlotKind,
    SpokenOption,
    World,
)

Resolve = Callable[[str, str, Mapping[str, Any]], Awaitable[Sequence[Mapping[str, Any]]]]
"""``resolve(action_id, field, draft)`` -> options as ``action.options.resolve`` answers them. Raises SaysoError."""

_REFERENCES: Mapping[str, Reference] = {"sessions.open": "session", "approvals.open": "approval"}
_NUMBERS = ("integer", "number")


@dataclass(frozen=True)
class Source:
    """Where the values of an options slot come from: a fixed list, or a source that may need draft fields."""

    id: str | None
    needs: tuple[str, ...] = ()
    fixed: tuple[SpokenOption, ...] = ()


@dataclass(frozen=True)
class CatalogWords:
    """The words of a catalog and the sources of its slots."""

    actions: tuple[ActionWords, ...]
    sources: Mapping[tuple[str, str], Source]


def words_of(catalog: Catalog) -> CatalogWords:
    """The words of every action that can be spoken. Raises GrammarError later, when they are compiled."""
    actions: list[ActionWords] = []
    sources: dict[tuple[str, str], Source] = {}
    for spec in catalog:
        if not spec.say or Surface.VOICE not in spec.surfaces:
            continue
        forms = {language: {f.path: f for f in catalog.form(spec, language)} for language in ("en", "zh")}
        said = {name for say in spec.say for name in say.slots}
        slots: list[Slot] = []
        for name, form in forms["en"].items():
            slot = _slot(form, forms["zh"][name])
            if slot is None or not (name in said or form.required or slot.kind == "options"):
                continue
            slots.append(slot)
            if slot.kind == "options":
                sources[spec.id, name] = _source(form)
        actions.append(_action(spec, tuple(slots), forms))
    return CatalogWords(tuple(actions), sources)


async def load_world(words: CatalogWords, resolve: Resolve, context: Context | None = None) -> World:
    """Every value that does not depend on a draft. A source that fails stays unknown: its values are kept as spoken."""
    options: dict[tuple[str, str], tuple[SpokenOption, ...]] = {}
    wanted: dict[str, list[tuple[str, str]]] = {}
    said = {(a.action, name) for a in words.actions for name in _spoken_fields(a)}
    for place, source in words.sources.items():
        if source.id is None:
            options[place] = source.fixed
        elif not source.needs and place in said:
            wanted.setdefault(source.id, []).append(place)
    answers = await asyncio.gather(*(_ask(resolve, *places[0], {}) for places in wanted.values()))
    for (source_id, places), answer in zip(wanted.items(), answers, strict=True):
        if answer is not None:
            spoken = _spoken(answer, source_id)
            options.update(dict.fromkeys(places, spoken))
    return World(options, context or Context())


async def understand(
    text: str | Sequence[str],
    grammar: Grammar,
    words: CatalogWords,
    world: World,
    resolve: Resolve,
    language: Language | None = None,
) -> Intent:
    """Match a text, or a recogniser's hypotheses; then once more with the values that depend on what was understood."""
    hypotheses = [text] if isinstance(text, str) else list(text)
    intent = Matcher(grammar, world).match_best(hypotheses, language)
    candidates = [intent.action] if intent.action is not None else [a.action for a in intent.alternatives[:1]]
    for action in candidates:
        draft = _draft(intent, action, world)
        more = await _dependent(action, draft, grammar.actions[action], words, resolve)
        if more:
            world = replace(world, options={**world.options, **more})
            intent = Matcher(grammar, world).match_best(hypotheses, language)
    return intent


async def answered(
    asked: Intent,
    text: str,
    grammar: Grammar,
    words: CatalogWords,
    world: World,
    resolve: Resolve,
    language: Language | None = None,
) -> Intent | None:
    """``asked`` with ``text`` as the value of the field that it asks for; None where it names none."""
    if asked.action is None:
        return None
    more = await _dependent(
        asked.action, _draft(asked, asked.action, world), grammar.actions[asked.action], words, resolve
    )
    return Matcher(grammar, replace(world, options={**world.options, **more})).answer(asked, text, language)


def _draft(intent: Intent, action: str, world: World) -> dict[str, Any]:
    draft = {k: v for k, v in intent.input.items() if k not in intent.missing} if intent.action == action else {}
    if "session_id" not in draft and world.context.current_session is not None:
        draft["session_id"] = world.context.current_session
    return draft


async def _dependent(
    action: str, draft: Mapping[str, Any], spoken: ActionWords, words: CatalogWords, resolve: Resolve
) -> dict[tuple[str, str], tuple[SpokenOption, ...]]:
    places = [(action, name) for name in _spoken_fields(spoken)]
    found: dict[tuple[str, str], tuple[SpokenOption, ...]] = {}
    for place in places:
        source = words.sources.get(place)
        if source is not None and source.id is not None and source.needs:
            answer = await _ask(resolve, *place, draft)
            if answer is not None:
                found[place] = _spoken(answer, source.id)
    return found


async def _ask(
    resolve: Resolve, action: str, name: str, draft: Mapping[str, Any]
) -> Sequence[Mapping[str, Any]] | None:
    try:
        return await resolve(action, name, draft)
    except SaysoError:
        return None  # The value stays as spoken and is asked for; the form will show why.


def _spoken(answer: Sequence[Mapping[str, Any]], source_id: str) -> tuple[SpokenOption, ...]:
    options = tuple(
        SpokenOption(
            value=option["value"],
            label=str(option.get("label") or option["value"]),
            aliases=tuple(map(str, cast(Iterable[Any], option.get("aliases") or ()))),
            disabled=bool(option.get("disabled")),
            reason=option.get("reason"),
        )
        for option in answer
    )
    return with_ordinals(options) if _REFERENCES.get(source_id) == "approval" else options


def _spoken_fields(words: ActionWords) -> frozenset[str]:
    """Fields that a phrase names or that must be there."""
    said = {s.field for s in words.slots for p in words.phrases if f"{{{s.field}}}" in p.template}
    return frozenset(said | {s.field for s in words.slots if s.required})


def _action(spec: ActionSpec, slots: tuple[Slot, ...], forms: Mapping[str, Mapping[str, FormField]]) -> ActionWords:
    ask = {f"{name}.{language}": f.ask for language, fields in forms.items() for name, f in fields.items() if f.ask}
    return ActionWords(
        spec.id,
        spec.title.en,
        spec.effect.value,
        tuple(Phrase(spec.id, say.template, say.language, say.values) for say in spec.say),
        slots,
        ask,
        {"en": spec.title.en, "zh": spec.title.zh},
    )


def _slot(form: FormField, chinese: FormField) -> Slot | None:
    kind = _kind(form)
    if kind is None:
        return None
    titles = {"en": form.title, "zh": chinese.title}
    nouns = tuple(title.lower() for title in (form.title, chinese.title) if title) if kind == "options" else ()
    return Slot(
        form.path,
        kind,
        multiple=form.type == "list",
        required=form.required,
        explicit=form.explicit,
        refers_to=_REFERENCES.get(form.source or "", ""),
        nouns=(*nouns, *(noun.removesuffix("s") for noun in nouns if noun.endswith("s"))),
        titles=titles,
    )


def _kind(form: FormField) -> SlotKind | None:
    if form.options or form.source:
        return "options"
    if form.type in _NUMBERS:
        return "number"
    return "text" if form.type == "string" or (form.type == "list" and form.widget == "text_list") else None


def _source(form: FormField) -> Source:
    fixed = tuple(SpokenOption(o.value, o.label, tuple(o.aliases)) for o in form.options)
    return Source(form.source, tuple(form.source_needs), fixed) if form.source else Source(None, (), fixed)
