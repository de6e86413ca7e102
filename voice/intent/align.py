"""Aligning a pattern with what was heard: the best walk through the pattern's graph, word by word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from voice.intent import numbers
from voice.intent.lexicon import Found
from voice.intent.template import CONJUNCTIONS, Literal, Pattern, SlotUse
from voice.intent.text import COURTESY, FILLER, NEGATIONS, Utterance

SLOT_WEIGHT = 1.2
TEXT_WEIGHT = 0.15
OPEN_WEIGHT = 0.4
NOUN_WEIGHT = 0.15
MISSING_SLOT = 0.8
MAX_OPEN = 5

_EXTRA_COURTESY = 0.03
_EXTRA_FILLER = 0.12
_EXTRA_WORD = 0.45
_EXTRA_HAN = 0.3
_LOW = -1e9
_MORE_VALUES = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A literal of the pattern: how well it was heard (0: not at all) and whether it may be left out."""

    literal: Literal
    quality: float
    weight: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fill:
    """A slot of the pattern and the tokens that fill it.

    ``found`` is None for free text and for a value that is not resolved; the latter is ``open``, and empty when it
    was not said.
    """

    use: SlotUse
    start: int
    end: int
    found: Found | None = None
    number: int | None = None
    open: bool = False
    quality: float = 1.0


@dataclass(frozen=True, slots=True)
class Extra:
    """A heard token that the pattern does not use."""

    at: int


Step = Word | Fill | Extra


@dataclass(frozen=True)
class Alignment:
    """A pattern laid over an utterance. ``score`` is 1 for a perfect fit, below 0 for none."""

    pattern: Pattern
    score: float
    steps: tuple[Step, ...]


# What the aligner asks: how well a literal is heard in one or two tokens from here, and what value a span names.
HearWord = Callable[[Literal, int], Sequence[tuple[int, float]]]
HearValue = Callable[[SlotUse, int], Sequence[tuple[int, Found]]]


def potential(pattern: Pattern, weigh: Mapping[str, float]) -> tuple[float, ...]:
    """The most that can still be gained from each node to the end: what lets hopeless walks be left early."""
    gains = [_LOW] * len(pattern.arcs)
    gains[-1] = 0.0
    for node in range(len(pattern.arcs) - 1, -1, -1):
        more = 0.0
        for arc in pattern.arcs[node]:
            if isinstance(arc.label, SlotUse) and arc.label.more:
                more = _MORE_VALUES * SLOT_WEIGHT
                continue
            worth = 0.0 if arc.label is None else SLOT_WEIGHT
            if isinstance(arc.label, Literal):
                worth = NOUN_WEIGHT if arc.label.noun else weigh[arc.label.form]
            gains[node] = max(gains[node], worth + gains[arc.end])
        gains[node] += more
    return tuple(gains)


def align(
    pattern: Pattern,
    heard: Utterance,
    weigh: Mapping[str, float],
    ahead: Sequence[float],
    hear_word: HearWord,
    hear_value: HearValue,
) -> Alignment | None:
    """The best alignment, or None when the pattern cannot be laid over the utterance with any gain.

    ``ahead`` is the pattern's :func:`potential`.
    """
    tokens, arcs = heard.tokens, pattern.arcs
    size = len(tokens)
    extra = [_extra(token.form, token.han, pattern.companions) for token in tokens]
    best = [[_LOW] * len(arcs) for _ in range(size + 1)]
    back: list[list[tuple[int, int, Step | None] | None]] = [[None] * len(arcs) for _ in range(size + 1)]
    best[0][0] = 0.0

    def reach(at: int, node: int, score: float, source: tuple[int, int, Step | None]) -> None:
        if score > best[at][node]:
            best[at][node] = score
            back[at][node] = source

    for at in range(size + 1):
        for node, outgoing in enumerate(arcs):
            score = best[at][node]
            if score + ahead[node] <= 0.0:
                continue
            if at < size:
                reach(at + 1, node, score - extra[at], (at, node, Extra(at)))
            for arc in outgoing:
                label = arc.label
                if label is None:
                    reach(at, arc.end, score, (at, node, None))
                elif isinstance(label, Literal):
                    weight = NOUN_WEIGHT if label.noun else weigh[label.form]
                    if not label.joined:
                        reach(at, arc.end, score - weight, (at, node, Word(label, 0.0, weight, at, at)))
                    for length, quality in hear_word(label, at) if at < size else ():
                        step = Word(label, quality, weight, at, at + length)
                        reach(at + length, arc.end, score + weight * (2 * quality - 1), (at, node, step))
                else:
                    for end, gain, step in _fills(label, heard, at, hear_value):
                        reach(end, arc.end, score + gain, (at, node, step))
    last = len(arcs) - 1
    if best[size][last] <= _LOW:
        return None
    steps = _walk(back, size, last)
    top = sum(_top(step) for step in steps)
    return Alignment(pattern, best[size][last] / top if top else -1.0, steps)


def _fills(use: SlotUse, heard: Utterance, at: int, hear_value: HearValue) -> list[tuple[int, float, Step]]:
    """Every way to fill a slot from token ``at`` on: (token after it, gain, step)."""
    tokens, size = heard.tokens, len(heard)
    slot = use.slot
    fills: list[tuple[int, float, Step]] = []
    if not use.more:
        fills.append((at, -MISSING_SLOT, Fill(use, at, at, open=True, quality=0.0)))
    if slot.kind == "text":
        for end in range(at + 1, size + 1):
            fills.append((end, TEXT_WEIGHT - 0.02 * (end - at), Fill(use, at, end)))
        return fills
    if slot.kind == "number":
        for end in range(at + 1, min(size, at + 6) + 1):
            value = numbers.parse([token.form for token in tokens[at:end]])
            if value is not None:
                fills.append((end, SLOT_WEIGHT + 0.01 * (end - at), Fill(use, at, end, number=value)))
        return fills
    start = at
    if use.more and at < size and tokens[at].form in CONJUNCTIONS:
        start = at + 1
    if start >= size:
        return fills
    for length, found in hear_value(use, start):
        step = Fill(use, start, start + length, found, quality=found.quality)
        fills.append((start + length, SLOT_WEIGHT * (2 * found.quality - 1) + 0.001 * length, step))
    if not use.more or start > at:
        for end in range(start + 1, min(size, start + MAX_OPEN) + 1):
            if tokens[end - 1].form in FILLER:
                continue  # no name ends in "the" or "by"
            gain = -0.1 * (end - start)
            fills.append((end, gain, Fill(use, start, end, open=True, quality=0.5)))
    return fills


def _top(step: Step) -> float:
    """What a step is worth at best."""
    if isinstance(step, Word):
        return step.weight
    if isinstance(step, Extra):
        return 0.0
    if step.use.slot.kind == "text" and step.end > step.start:
        return TEXT_WEIGHT
    return OPEN_WEIGHT if step.open and step.end > step.start else SLOT_WEIGHT


def _walk(back: list[list[tuple[int, int, Step | None] | None]], at: int, node: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    while (source := back[at][node]) is not None:
        at, node, step = source
        if step is not None:
            steps.append(step)
    return tuple(reversed(steps))


def _extra(form: str, han: bool, companions: frozenset[str]) -> float:
    if form in NEGATIONS:
        return _EXTRA_WORD
    if form in COURTESY or form in companions:
        return _EXTRA_COURTESY
    if form in FILLER:
        return _EXTRA_FILLER
    return _EXTRA_HAN if han else _EXTRA_WORD
