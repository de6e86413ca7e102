"""An utterance template as a small graph: nodes in reading order, arcs that take a word, a slot or nothing.

The syntax is hassil's (literal words, ``{field}``, ``[optional]``, ``(a|b)``) and hassil parses it. Matching runs on
the graph and not on hassil's recogniser: the same walk then answers "word for word" and "nearly", and option lists may
change between two utterances without a new grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import cast

from hassil import Alternative, Group, ListReference, TextChunk, parse_sentence
from hassil.parser import ParseError

from voice.intent.errors import GrammarError
from voice.intent.model import Phrase, Slot
from voice.intent.text import FILLER, Token, read

CONJUNCTIONS = frozenset(("and", "plus", "also", "or", "和", "跟", "与", "及"))


@dataclass(frozen=True, slots=True)
class Literal:
    """A word of the template.

    ``joined`` literals stand for two words said as one ("planrun"). A ``noun`` names the kind of a slot's value
    ("session {session_id}"): where the value is clear, nobody misses it.
    """

    form: str
    sound: str
    filler: bool
    joined: bool = False
    noun: bool = False


@dataclass(frozen=True, slots=True)
class SlotUse:
    """A slot of the template; ``more`` is a further value of a slot that takes several."""

    slot: Slot
    more: bool = False


Label = Literal | SlotUse | None


@dataclass(frozen=True, slots=True)
class Arc:
    end: int
    label: Label


@dataclass(frozen=True, eq=False)
class Pattern:
    """One phrase, ready to match. ``arcs[n]`` leave node ``n``; the last node ends the phrase.

    ``companions`` are the forms of nouns that may stand beside a slot's value without a place in the template.
    """

    phrase: Phrase
    arcs: tuple[tuple[Arc, ...], ...]
    companions: frozenset[str]

    @cached_property
    def literals(self) -> frozenset[str]:
        return frozenset(a.label.form for arcs in self.arcs for a in arcs if isinstance(a.label, Literal))

    @cached_property
    def slots(self) -> frozenset[str]:
        return frozenset(a.label.slot.field for arcs in self.arcs for a in arcs if isinstance(a.label, SlotUse))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The content words that can open the phrase."""
        found: set[str] = set()
        seen: set[int] = set()
        todo = [0]
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            for arc in self.arcs[node]:
                if isinstance(arc.label, Literal) and not arc.label.filler and not arc.label.noun:
                    found.add(arc.label.form)
                else:
                    todo.append(arc.end)
        return frozenset(found)


def build(phrase: Phrase, slots: dict[str, Slot]) -> Pattern:
    """The graph of a phrase. Raises GrammarError with the action's name for bad syntax or an unknown slot."""
    template = re.sub(r"(\w+)\[(\w+)\]", r"(\1|\1\2)", phrase.template)
    try:
        sentence = parse_sentence(template)
    except (ParseError, ValueError) as error:
        raise GrammarError(f"{phrase.action}: template {phrase.template!r} cannot be read: {error}") from error
    graph = _Graph(phrase, slots)
    graph.add(sentence.expression, graph.node())
    graph.mark_nouns()
    graph.join_words()
    pattern = Pattern(phrase, tuple(tuple(arcs) for arcs in graph.arcs), frozenset(graph.companions))
    if not any(
        isinstance(a.label, Literal) and not (a.label.filler or a.label.noun) for arcs in pattern.arcs for a in arcs
    ):
        raise GrammarError(f"{phrase.action}: template {phrase.template!r} has no word of its own")
    return pattern


class _Graph:
    """Builds the arcs. Nodes are numbered in reading order, so every arc but a loop leads forward."""

    def __init__(self, phrase: Phrase, slots: dict[str, Slot]) -> None:
        self._phrase = phrase
        self._slots = slots
        self.arcs: list[list[Arc]] = []
        self.companions: set[str] = set()

    def node(self) -> int:
        self.arcs.append([])
        return len(self.arcs) - 1

    def add(self, expression: object, start: int) -> int:
        """Append an expression after ``start``; returns the node where it ends."""
        if isinstance(expression, TextChunk):
            return self._words(expression.original_text, start)
        if isinstance(expression, ListReference):
            return self._slot(expression.list_name, start)
        if isinstance(expression, Alternative):
            ends = [self.add(item, start) for item in expression.items]
            end = self.node()
            for before in dict.fromkeys(ends):
                self.arcs[before].append(Arc(end, None))
            return end
        if isinstance(expression, Group):
            # hassil splits words into chunks; "m c p" is one word only when its letters are read together.
            for kind, items in groupby(expression.items, type):
                if kind is TextChunk:
                    start = self._words("".join(cast(TextChunk, item).original_text for item in items), start)
                else:
                    for item in items:
                        start = self.add(item, start)
            return start
        raise GrammarError(
            f"{self._phrase.action}: template {self._phrase.template!r} uses {type(expression).__name__}"
        )

    def mark_nouns(self) -> None:
        """Mark the words that only say what kind of value a slot of this phrase takes."""
        for arcs in self.arcs:
            for i, arc in enumerate(arcs):
                if isinstance(arc.label, Literal) and arc.label.form in self.companions:
                    arcs[i] = Arc(arc.end, replace(arc.label, noun=True))

    def join_words(self) -> None:
        """Let two neighbouring words be heard as one ("plan run" as "planrun")."""
        for node, arcs in enumerate(self.arcs):
            for first in tuple(arcs):
                for second in self._next(first.end) if isinstance(first.label, Literal) else ():
                    pair = _joined(first.label, second.label)
                    if pair is not None:
                        self.arcs[node].append(Arc(second.end, pair))

    def _next(self, node: int) -> Iterator[Arc]:
        """The arcs with a label that leave ``node``, at once or past what may be left out."""
        for arc in self.arcs[node]:
            if arc.label is not None:
                yield arc
            elif arc.end > node:
                yield from self._next(arc.end)

    def _words(self, text: str, start: int) -> int:
        for token in read(text).tokens:
            start = self._link(start, _literal(token))
        return start

    def _slot(self, name: str, start: int) -> int:
        slot = self._slots.get(name)
        if slot is None:
            raise GrammarError(
                f"{self._phrase.action}: template {self._phrase.template!r} names the slot {name!r}, which is no field"
            )
        self.companions |= {token.form for noun in slot.nouns for token in read(noun).tokens}
        end = self._link(start, SlotUse(slot))
        if slot.multiple and slot.kind == "options":
            self.arcs[end].append(Arc(end, SlotUse(slot, more=True)))
        return end

    def _link(self, start: int, label: Label) -> int:
        end = self.node()
        self.arcs[start].append(Arc(end, label))
        return end


def _literal(token: Token) -> Literal:
    return Literal(token.form, token.sound, token.form in FILLER)


def _joined(first: Label, second: Label) -> Literal | None:
    if not isinstance(first, Literal) or not isinstance(second, Literal) or first.joined or second.joined:
        return None
    form = first.form + second.form
    if not form.isascii() or (first.filler and second.filler):
        return None
    token = read(form).tokens[0]
    return Literal(form, token.sound, filler=False, joined=True)


def shared_phrases(patterns: tuple[Pattern, ...]) -> Iterator[tuple[Pattern, Pattern]]:
    """Pairs of patterns that mean different things and can be said in the very same words.

    All patterns are walked together, as one automaton whose states are sets of (pattern, node); a branch is left as
    soon as only one meaning is in it.
    """
    start = _closure(frozenset((i, 0) for i in range(len(patterns))), patterns)
    seen: set[frozenset[tuple[int, int]]] = set()
    todo = [start]
    while todo:
        state = todo.pop()
        if state in seen or len({meaning(patterns[i]) for i, _ in state}) < 2:
            continue
        seen.add(state)
        done = [patterns[i] for i, node in sorted(state) if node == len(patterns[i].arcs) - 1]
        for other in done[1:]:
            if meaning(other) != meaning(done[0]):
                yield done[0], other
                break
        steps: dict[tuple[str, ...], set[tuple[int, int]]] = {}
        for i, node in state:
            for arc in patterns[i].arcs[node]:
                if (name := _step(arc.label)) is not None:
                    steps.setdefault(name, set()).add((i, arc.end))
        todo.extend(_closure(frozenset(reached), patterns) for reached in steps.values())


def meaning(pattern: Pattern) -> tuple[str, str]:
    """What a pattern stands for: its action and the values that saying it fixes."""
    return pattern.phrase.action, repr(sorted(pattern.phrase.values.items()))


def _step(label: Label) -> tuple[str, ...] | None:
    if isinstance(label, Literal):
        return None if label.joined else ("word", label.form)
    if label is None or label.more:
        return None
    # Two text slots take the same words; slots of options do only when they are the same field.
    return ("text",) if label.slot.kind == "text" else (label.slot.kind, label.slot.field)


def _closure(state: frozenset[tuple[int, int]], patterns: tuple[Pattern, ...]) -> frozenset[tuple[int, int]]:
    closed = set(state)
    todo = list(state)
    while todo:
        i, node = todo.pop()
        for arc in patterns[i].arcs[node]:
            if arc.label is None and (i, arc.end) not in closed:
                closed.add((i, arc.end))
                todo.append((i, arc.end))
    return frozenset(closed)
