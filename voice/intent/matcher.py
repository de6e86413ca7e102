"""The matcher: text in, intent out. Pure: a grammar, a world, no I/O."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from voice.intent import chinese
from voice.intent.align import align
from voice.intent.fill import Filled, fill, label_of, missing, without_courtesy
from voice.intent.grammar import Grammar
from voice.intent.hearing import Hearing
from voice.intent.judge import Reading, Verdict, is_grave, judge
from voice.intent.lexicon import Found, Lexicon, pronouns
from voice.intent.model import Alternative, Intent, Language, Slot, SpokenOption, World
from voice.intent.readback import readback
from voice.intent.text import Utterance, plain, read

MAX_WORDS = 40
_SHORTLIST = 14
# A pattern whose words are heard this much less than the best one's is not worth aligning.
_WORTH = 0.3
# How near the likeliest hypothesis must be to a decision that another one holds.
_NEAR = 0.6
# How well the answer to a question must name a value.
_ANSWERED = 0.8
_TIERS = {"no": 0, "likely": 1, "sure": 2}


class Matcher:
    """Matches utterances against a grammar in a world. Build one when the world changes; it keeps its indexes."""

    def __init__(self, grammar: Grammar, world: World) -> None:
        self._grammar = grammar
        self._world = world
        self._lexicons: dict[tuple[int, str], Lexicon] = {}

    def match(self, text: str, language: Language | None = None) -> Intent:
        """What the text means. Chinese characters make it Chinese, whatever ``language`` says."""
        heard = read(text)
        spoken: Language = "zh" if chinese.has_han(text) else "en"
        verdict = self._verdict(heard, spoken)
        return self._intent(text, verdict, language or spoken)

    def match_best(self, hypotheses: Sequence[str], language: Language | None = None) -> Intent:
        """The best of a recogniser's hypotheses, most likely first.

        A negation in any of them blocks. What decides or destroys comes from a later one only when it is there word for
        word and the first is near it; it is then asked about.
        """
        if not hypotheses:
            return self.match("", language)
        intents = [self.match(text, language) for text in hypotheses]
        if any(self._blocks(text) for text in hypotheses):
            return _none(hypotheses[0])
        first, *others = intents
        allowed = [first]
        for intent in others:
            if not self._grave(intent):
                allowed.append(intent)
            elif intent.tier == "sure" and self._near(first, intent):
                allowed.append(replace(intent, tier="likely"))
        best = max(allowed, key=lambda intent: _TIERS[intent.tier])
        doubtful = best.tier == "sure" and len(hypotheses) > 1 and self._doubts(best, intents)
        return replace(best, tier="likely") if doubtful else best

    def answer(self, asked: Intent, text: str, language: Language | None = None) -> Intent | None:
        """``asked`` with ``text`` as the value of the field that it asks for; None where that names no value.

        Never sure: what was put together from two utterances is shown, or read back, before it runs.
        """
        if asked.action is None or not asked.missing:
            return None
        words = self._grammar.actions[asked.action]
        slot = words.slot(asked.missing[0])
        given = None if slot is None else self._given(asked.action, slot, text)
        if slot is None or given is None:
            return None
        filled = Filled({**asked.input, slot.field: given[0]})
        filled.labels = {name: label_of(words, self._world, name, value) for name, value in filled.input.items()}
        filled.labels[slot.field] = given[1]
        rest = asked.missing[1:]
        said = readback(words, filled, rest, language or ("zh" if chinese.has_han(text) else "en"))
        return replace(asked, input=filled.input, tier="likely", missing=rest, readback=said)

    def _given(self, action: str, slot: Slot, text: str) -> tuple[Any, list[str]] | None:
        """The value that an answer names for a slot, and how a person calls it."""
        heard = read(text)
        if not heard.tokens:
            return None
        if slot.kind == "text":
            spoken = without_courtesy(text.strip())
            return ([spoken] if slot.multiple else spoken), [spoken]
        lexicon = self._lexicon(action, slot) if slot.kind == "options" else None
        if lexicon is None:
            return None
        spans = [(at, end) for at in range(len(heard)) for end in range(at + 1, len(heard) + 1)]
        found = lexicon.lookup([heard.tokens[at:end] for at, end in spans])
        best: dict[Any, Found] = {}
        for item in found:
            if item is not None and item.quality >= _ANSWERED and item.clear and not item.option.disabled:
                known = best.get(item.option.value)
                best[item.option.value] = item if known is None or item.quality > known.quality else known
        if not best:
            return None
        chosen = sorted(best.values(), key=lambda item: -item.quality)[: None if slot.multiple else 1]
        values = [item.option.value for item in chosen]
        return (values if slot.multiple else values[0]), [item.option.label for item in chosen]

    def _doubts(self, best: Intent, intents: Sequence[Intent]) -> bool:
        """Whether the hypotheses differ about dictated words: nothing else says which of them were spoken."""
        dictated = self._dictated(best)
        if not dictated:
            return False
        return any(intent.action == best.action and self._dictated(intent) != dictated for intent in intents)

    def _dictated(self, intent: Intent) -> dict[str, tuple[str, ...]]:
        """The free text of an intent, as it is compared."""
        slots = self._grammar.actions[intent.action].slots if intent.action is not None else ()
        return {
            s.field: plain(str(intent.input[s.field])) for s in slots if s.kind == "text" and s.field in intent.input
        }

    @staticmethod
    def _near(first: Intent, other: Intent) -> bool:
        return any(a.action == other.action and a.confidence >= _NEAR for a in first.alternatives[:1])

    def _grave(self, intent: Intent) -> bool:
        return intent.action is not None and is_grave(self._grammar.actions[intent.action].effect, intent.input)

    def _blocks(self, text: str) -> bool:
        heard = read(text)
        if not heard.negations():
            return False
        verdict = self._verdict(heard, "zh" if chinese.has_han(text) else "en")
        return verdict.negated or verdict.tier == "no"

    def _verdict(self, heard: Utterance, language: Language) -> Verdict:
        if not heard.tokens or len(heard.text.split()) > MAX_WORDS or len(heard) > 3 * MAX_WORDS:
            return Verdict("no", None, 0.0)
        grammar = self._grammar
        patterns = grammar.patterns[language]
        vocabulary = grammar.vocabulary[language]
        hearing = Hearing(heard, vocabulary, grammar.verbs[language])
        readings: list[Reading] = []
        for i in self._shortlist(hearing, language):
            pattern = patterns[i]
            action = pattern.phrase.action
            values = hearing.values(lambda use, action=action: self._lexicon(action, use.slot))
            alignment = align(pattern, heard, vocabulary.weigh, vocabulary.ahead[i], hearing.word, values)
            if alignment is not None:
                readings.append(Reading(alignment, heard))
        return judge(readings, grammar, language)

    def _shortlist(self, hearing: Hearing, language: Language) -> list[int]:
        """The patterns whose own words are best heard."""
        vocabulary = self._grammar.vocabulary[language]
        scores: dict[int, float] = {}
        for word, quality in hearing.best().items():
            worth = vocabulary.weights[word] * (2 * quality - 1)
            for i in vocabulary.patterns[word]:
                scores[i] = scores.get(i, 0.0) + worth
        best = heapq.nlargest(_SHORTLIST, scores, key=lambda i: (scores[i], -i))
        return [i for i in best if scores[i] >= _WORTH * scores[best[0]]]

    def _name_of(self, action: str, slot: Slot, spoken: str) -> Found | None:
        lexicon = self._lexicon(action, slot)
        return lexicon.lookup([read(spoken).tokens])[0] if lexicon is not None else None

    def _lexicon(self, action: str, slot: Slot) -> Lexicon | None:
        options = self._world.options.get((action, slot.field))
        if options is None and not slot.refers_to:
            return None
        key = (id(options), slot.refers_to)
        if key not in self._lexicons:
            self._lexicons[key] = self._build(options or (), slot)
        return self._lexicons[key]

    def _build(self, options: Sequence[SpokenOption], slot: Slot) -> Lexicon:
        return Lexicon(options, pronouns(slot, self._world.context))

    def _intent(self, text: str, verdict: Verdict, language: Language) -> Intent:
        alternatives = self._alternatives(verdict, language)
        reading = verdict.reading
        if reading is None or verdict.tier == "no":
            return Intent(None, {}, verdict.confidence, "no", (), "", alternatives, text)
        words = self._grammar.actions[reading.action]
        filled = fill(reading, words, self._world, lambda slot, spoken: self._name_of(words.action, slot, spoken))
        open_fields = missing(filled, words)
        tier = "likely" if open_fields else verdict.tier
        said = readback(words, filled, open_fields, language)
        return Intent(words.action, filled.input, verdict.confidence, tier, open_fields, said, alternatives, text)

    def _alternatives(self, verdict: Verdict, language: Language) -> tuple[Alternative, ...]:
        near: dict[str, Alternative] = {}
        winner = verdict.reading.action if verdict.reading is not None and verdict.tier != "no" else None
        others = (
            verdict.others if verdict.tier != "no" or verdict.reading is None else (verdict.reading, *verdict.others)
        )
        for reading in sorted(others, key=lambda r: -r.score):
            if reading.score > 0.2 and reading.action != winner and reading.action not in near:
                title = self._grammar.title(reading.action, language)
                near[reading.action] = Alternative(reading.action, title, min(1.0, reading.score))
        return tuple(near.values())[:3]


def _none(text: str) -> Intent:
    return Intent(None, {}, 0.0, "no", (), "", (), text)
