"""The compiled words of a catalog: patterns, how much each word says, and an index from words to patterns."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from voice.intent.align import potential
from voice.intent.errors import GrammarError
from voice.intent.model import ActionWords, Language
from voice.intent.template import Literal, Pattern, build, shared_phrases

FILLER_WEIGHT = 0.2


@dataclass(frozen=True)
class Vocabulary:
    """The literal words of one language's patterns: parallel lists, and for each word the patterns that hold it.

    ``weigh`` gives a word's weight; ``ahead`` is each pattern's potential, node by node.
    """

    forms: tuple[str, ...]
    sounds: tuple[str, ...]
    weights: tuple[float, ...]
    patterns: tuple[tuple[int, ...], ...]
    position: dict[str, int]
    joined: tuple[bool, ...]
    weigh: dict[str, float]
    ahead: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Grammar:
    """A compiled catalog. Make one with :func:`compile`; it never changes."""

    actions: dict[str, ActionWords]
    patterns: dict[Language, tuple[Pattern, ...]]
    vocabulary: dict[Language, Vocabulary]
    verbs: dict[Language, frozenset[str]]

    def title(self, action: str, language: str) -> str:
        return self.actions[action].title_in(language)


def compile(actions: Sequence[ActionWords]) -> Grammar:
    """Compile the words of a catalog.

    Raises GrammarError for a template that cannot be read, names an unknown slot, has no word of its own, or can be
    said in the very words of another action's template (both are named).
    """
    found: dict[Language, list[Pattern]] = {"en": [], "zh": []}
    for words in actions:
        slots = {slot.field: slot for slot in words.slots}
        for phrase in words.phrases:
            found[phrase.language].append(build(phrase, slots))
    patterns: dict[Language, tuple[Pattern, ...]] = {language: tuple(items) for language, items in found.items()}
    for first, second in chain.from_iterable(shared_phrases(items) for items in patterns.values()):
        raise GrammarError(
            f"The same words mean {first.phrase.action} ({first.phrase.template!r}) "
            f"and {second.phrase.action} ({second.phrase.template!r}). Change one of the two templates.",
            details={"actions": sorted({first.phrase.action, second.phrase.action})},
        )
    return Grammar(
        {words.action: words for words in actions},
        patterns,
        {language: _vocabulary(items) for language, items in patterns.items()},
        {language: frozenset().union(*(p.verbs for p in items)) for language, items in patterns.items()},
    )


def _vocabulary(patterns: tuple[Pattern, ...]) -> Vocabulary:
    literals: dict[str, Literal] = {}
    holders: dict[str, list[int]] = defaultdict(list)
    actions: dict[str, set[str]] = defaultdict(set)
    for i, pattern in enumerate(patterns):
        for arc in chain.from_iterable(pattern.arcs):
            if isinstance(arc.label, Literal) and (not holders[arc.label.form] or holders[arc.label.form][-1] != i):
                if not arc.label.joined or arc.label.form not in literals:
                    literals[arc.label.form] = arc.label
                holders[arc.label.form].append(i)
                actions[arc.label.form].add(pattern.phrase.action)
    spread = Counter({form: len(names) for form, names in actions.items()})
    total = max(2, len({p.phrase.action for p in patterns}))
    forms = tuple(literals)
    weigh = {form: _weight(literals[form], spread[form], total) for form in forms}
    return Vocabulary(
        forms,
        tuple(literals[form].sound for form in forms),
        tuple(weigh.values()),
        tuple(tuple(holders[form]) for form in forms),
        {form: i for i, form in enumerate(forms)},
        tuple(literals[form].joined for form in forms),
        weigh,
        tuple(potential(pattern, weigh) for pattern in patterns),
    )


def _weight(literal: Literal, spread: int, total: int) -> float:
    """A light word counts little, a word of few actions more than one of many; two Chinese characters are a word."""
    if literal.filler:
        return FILLER_WEIGHT
    weight = 0.6 + 0.4 * math.log(total / spread) / math.log(total)
    return weight if literal.form.isascii() else weight / 2
