"""From a reading to an action's input: values of options, numbers, free text, pronouns, and what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from voice.intent.align import Fill
from voice.intent.judge import Reading
from voice.intent.lexicon import Found
from voice.intent.model import ActionWords, Context, Slot, World
from voice.intent.text import COURTESY, plain


@dataclass
class Filled:
    """An input as far as the words give it. ``labels`` are the values as a person calls them; ``unsure`` fields keep
    their spoken form or a value that cannot be taken."""

    input: dict[str, Any] = field(default_factory=dict[str, Any])
    labels: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    unsure: list[str] = field(default_factory=list[str])


NameOf = Callable[[Slot, str], Found | None]


def fill(reading: Reading, words: ActionWords, world: World, name_of: NameOf) -> Filled:
    """The input that a reading means for an action. ``name_of`` looks a spoken value up in another slot's options."""
    filled = Filled(dict(reading.alignment.pattern.phrase.values))
    filled.labels = {name: label_of(words, world, name, value) for name, value in filled.input.items()}
    for step in reading.fills:
        if not (step.open and step.end > step.start and _take_elsewhere(filled, step, reading, words, name_of)):
            _take(filled, step, reading)
    _own_session(filled, reading, words, world.context)
    if (session := world.context.current_session) is not None:
        filled.labels = {
            name: label_of(words, world, name, session) if filled.input.get(name) == session else labels
            for name, labels in filled.labels.items()
        }
    _only_choice(filled, words, world)
    return filled


def missing(filled: Filled, words: ActionWords) -> tuple[str, ...]:
    """Fields that must still be asked for: required and not said, or said and not resolved."""
    return tuple(
        s.field for s in words.slots if s.field in filled.unsure or (s.required and s.field not in filled.input)
    )


def _take(filled: Filled, step: Fill, reading: Reading) -> None:
    slot, found = step.use.slot, step.found
    if step.end == step.start:
        return
    spoken = reading.heard.surface(step.start, step.end)
    if found is not None and found.pronoun is not None:
        if found.pronoun.session is not None:
            _set(filled, slot, found.pronoun.session, spoken)
        return
    if step.number is not None:
        _set(filled, slot, step.number, str(step.number))
    elif found is None:
        if slot.kind == "text" and not step.open:
            _set(filled, slot, without_courtesy(spoken), spoken)
        else:
            _unsure(filled, slot, spoken, spoken)
    elif not found.clear and found.quality == 1.0:
        _unsure(filled, slot, spoken, spoken)  # two options share the name
    elif found.option.disabled:
        _unsure(filled, slot, found.option.value, found.option.label)
    else:
        _found(filled, slot, found)


def _take_elsewhere(filled: Filled, step: Fill, reading: Reading, words: ActionWords, name_of: NameOf) -> bool:
    """ "review *the uncommitted changes*" where the template asks for a session: the value says which field it is."""
    spoken = reading.heard.surface(step.start, step.end)
    used = {f.use.slot.field for f in reading.fills} | set(filled.input)
    for slot in words.slots:
        if slot.kind == "options" and slot.field not in used:
            found = name_of(slot, spoken)
            if found is not None and found.quality == 1.0 and found.clear and found.pronoun is None:
                (_unsure if found.option.disabled else _set)(filled, slot, found.option.value, found.option.label)
                return True
    return False


def _found(filled: Filled, slot: Slot, found: Found) -> None:
    _set(filled, slot, found.option.value, found.option.label)


def _set(filled: Filled, slot: Slot, value: Any, label: str) -> None:
    if not slot.multiple:
        filled.input[slot.field] = value
        filled.labels[slot.field] = [label]
        return
    values = filled.input.setdefault(slot.field, [])
    if value not in values:
        values.append(value)
        filled.labels.setdefault(slot.field, []).append(label)


def _unsure(filled: Filled, slot: Slot, value: Any, label: str) -> None:
    _set(filled, slot, value, label)
    filled.unsure.append(slot.field)


def _own_session(filled: Filled, reading: Reading, words: ActionWords, context: Context) -> None:
    """ "this session" as words of the template means the field as well."""
    if context.current_session is None:
        return
    slot = next((s for s in words.slots if s.refers_to == "session" and not s.multiple), None)
    if slot is None or slot.field in filled.input:
        return
    said = " ".join(w.literal.form for w in reading.words if w.quality >= 0.8)
    if any(mark in said for mark in ("this session", "current session", "这 个 会 话", "当 前 会 话", "它")):
        filled.input[slot.field] = context.current_session
        filled.labels[slot.field] = [context.current_session]


def _only_choice(filled: Filled, words: ActionWords, world: World) -> None:
    """A required value that was not said, and that can only be one: "stop the run" while one runs."""
    for slot in words.slots:
        if slot.required and not slot.explicit and slot.kind == "options" and slot.field not in filled.input:
            able = [o for o in world.options.get((words.action, slot.field), ()) if not o.disabled]
            if len(able) == 1:
                _set(filled, slot, able[0].value, able[0].label)


def without_courtesy(spoken: str) -> str:
    """Free text without a "please" at its end."""
    words = spoken.split()
    while len(words) > 1 and plain(words[-1]) and plain(words[-1])[0] in {"please", "thanks"} & (COURTESY | {"thanks"}):
        words.pop()
    return " ".join(words).rstrip(" ,.;:!?，。；：！？")


def label_of(words: ActionWords, world: World, name: str, value: Any) -> list[str]:
    """A value of a field, or each of several, as a person calls it."""
    labels = {o.value: o.label for o in world.options.get((words.action, name), ())}
    values = cast("Sequence[Any]", value) if isinstance(value, list) else [value]
    return [labels.get(one, str(one)) for one in values]
