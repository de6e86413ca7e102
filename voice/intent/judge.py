"""From alignments to a verdict: which reading wins, and how far it may be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from voice.intent.align import Alignment, Extra, Fill, Word
from voice.intent.grammar import Grammar
from voice.intent.model import Effect, Language, Tier
from voice.intent.template import meaning
from voice.intent.text import COURTESY, FILLER, PARTICLES, Utterance
from voice.intent.verbs import STAND_IN

SURE_SCORE, SURE_SLOT, SURE_MARGIN = 0.80, 0.80, 0.25
LIKELY_SCORE, LIKELY_SLOT, LIKELY_MARGIN = 0.5, 0.60, 0.08
VERB_LIKELY, VERB_TEXT, VERB_SURE = 0.6, 0.8, 0.9
# With this much else heard, an action may be proposed although its verb was not.
FRAMED, FRAMED_SCORE = 3, 0.75
STRANGE = 0.25
SHORT = 5

# Deciding for someone or destroying something: the word itself must have been heard.
_GRAVE_VALUES = frozenset(("approve", "reject", "allow", "deny"))


@dataclass(frozen=True)
class Reading:
    """One alignment with what the guards ask about it."""

    alignment: Alignment
    heard: Utterance

    @property
    def action(self) -> str:
        return self.alignment.pattern.phrase.action

    @property
    def score(self) -> float:
        return self.alignment.score

    @property
    def standing(self) -> float:
        """The score among others: a reading that leaves words unexplained stands behind one that does not."""
        return self.score - (STRANGE if self.strange else 0.0)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(s for s in self.alignment.steps if isinstance(s, Word))

    @cached_property
    def content(self) -> tuple[Word, ...]:
        """The words that count; a noun beside a value counts when it was heard."""
        return tuple(w for w in self.words if not w.literal.filler and (w.quality or not w.literal.noun))

    @cached_property
    def fills(self) -> tuple[Fill, ...]:
        return tuple(s for s in self.alignment.steps if isinstance(s, Fill))

    @cached_property
    def extras(self) -> tuple[str, ...]:
        return tuple(self.heard.tokens[s.at].form for s in self.alignment.steps if isinstance(s, Extra))

    @cached_property
    def strange(self) -> bool:
        """Whether a word was heard that neither the pattern nor politeness explains."""
        known = FILLER | self.alignment.pattern.companions
        return any(form not in known for form in self.extras)

    @cached_property
    def free_text(self) -> bool:
        return any(f.use.slot.kind == "text" for f in self.fills)

    @cached_property
    def open_fills(self) -> tuple[Fill, ...]:
        """Slots whose value was not said or is none of the options."""
        return tuple(f for f in self.fills if f.open)

    @cached_property
    def weakest_slot(self) -> float:
        return min((f.quality for f in self.fills if not f.open), default=1.0)

    @cached_property
    def vague(self) -> bool:
        """Whether a short value was heard only nearly: of few letters, one more or less makes another word."""
        return any(
            f.found is not None
            and f.quality < VERB_SURE
            and sum(len(t.form) for t in self.heard.tokens[f.start : f.end]) <= SHORT
            for f in self.fills
        )

    @cached_property
    def verb(self) -> float:
        """How well the first word of the walk was heard."""
        return self.content[0].quality if self.content else 0.0

    @cached_property
    def said(self) -> int:
        """Words of the pattern that were heard as they are; two Chinese characters are a word."""
        heard = [w.literal.form for w in self.content if w.quality >= 0.8 and w.literal.form not in PARTICLES]
        latin = sum(form.isascii() for form in heard)
        return latin + (len(heard) - latin + 1) // 2

    @cached_property
    def frame(self) -> int:
        """What holds free text in place: words of the pattern and values of closed lists that were heard."""
        values = sum(f.found is not None and not f.found.weak and f.quality >= SURE_SLOT for f in self.fills)
        return self.said + values

    @cached_property
    def exact(self) -> bool:
        """Word for word, but for courtesies on either side and articles."""
        companions = self.alignment.pattern.companions
        return (
            all(
                w.quality == 1.0 or (not w.quality and (w.literal.noun or w.literal.form in COURTESY))
                for w in self.words
            )
            and all(f.quality == 1.0 and not f.open and (f.found is None or f.found.clear) for f in self.fills)
            and all(form in COURTESY or form in companions for form in self.extras)
        )

    @cached_property
    def negated(self) -> bool:
        """Whether a "not" was heard that is neither the template's nor part of a value."""
        used: set[int] = set()
        for step in self.alignment.steps:
            if not isinstance(step, Extra) and step.quality == 1.0:  # free text is always worth 1
                used.update(range(step.start, step.end))
        return bool(self.heard.negations() - used)


@dataclass(frozen=True)
class Verdict:
    """The winning reading with its tier and margin, or none; and the others, best first, one a meaning."""

    tier: Tier
    reading: Reading | None
    confidence: float
    others: tuple[Reading, ...] = ()
    negated: bool = False


def judge(readings: Sequence[Reading], grammar: Grammar, language: Language) -> Verdict:
    """Pick the reading that the words mean. The tier is "no" when a guard or a threshold says so."""
    best: dict[tuple[str, str], Reading] = {}
    for reading in sorted(readings, key=_rank, reverse=True):
        best.setdefault(meaning(reading.alignment.pattern), reading)
    ranked = list(best.values())
    if not ranked:
        return Verdict("no", None, 0.0)
    winner, others = ranked[0], tuple(ranked[1:])
    rival = max((r.standing for r in others if _differs(r, winner)), default=-1.0)
    margin = winner.standing - rival
    negated = winner.negated
    confidence = max(0.0, min(1.0, winner.score))
    if negated or not _admissible(winner, grammar, language):
        return Verdict("no", None, confidence, tuple(ranked), negated)
    if winner.exact:
        twin = next((r for r in others if r.exact and _differs(r, winner)), None)
        if twin is not None and _rank(twin)[:3] == _rank(winner)[:3]:
            return Verdict("no", None, confidence, tuple(ranked))
        thin = winner.free_text and winner.frame < 2
        return Verdict("likely" if thin else "sure", winner, 0.7 if thin else 1.0, others)
    return Verdict(_tier(winner, margin, grave=_grave(winner, grammar)), winner, confidence, others)


def _differs(reading: Reading, winner: Reading) -> bool:
    """Whether it would do something else: another action, or a fixed value that contradicts the winner's."""
    theirs, ours = reading.alignment.pattern.phrase, winner.alignment.pattern.phrase
    return theirs.action != ours.action or any(ours.values.get(k, v) != v for k, v in theirs.values.items())


def _rank(reading: Reading) -> tuple[bool, bool, int, float]:
    """Word for word beats near; closed values beat free text; more of the template's own words beat fewer."""
    if reading.exact:
        return (True, not reading.free_text, len(reading.content), reading.score)
    return (False, False, 0, reading.standing)


def _admissible(reading: Reading, grammar: Grammar, language: Language) -> bool:
    """Guards that no score overrules."""
    if not reading.said:
        return False  # names alone are no command
    if reading.exact:
        return True
    if reading.frame < 2:
        return False  # one word in talk; "plan {topic}" would take any
    if reading.free_text and reading.verb < VERB_TEXT:
        return False
    if _grave(reading, grammar) and (reading.verb < 1.0 or reading.strange):
        return False
    return not reading.open_fills or _well_framed(reading)


def _well_framed(reading: Reading) -> bool:
    """Whether the words around an unknown value leave no doubt that a value was meant."""
    if sum(f.end > f.start for f in reading.open_fills) > 1:
        return False
    return reading.frame >= 2 and all(w.quality >= STAND_IN for w in reading.content) and not reading.strange


def _framed(reading: Reading, margin: float) -> bool:
    return reading.frame >= FRAMED and reading.score >= FRAMED_SCORE and margin >= SURE_MARGIN


def _tier(reading: Reading, margin: float, *, grave: bool) -> Tier:
    clear = all(f.found is None or f.found.clear for f in reading.fills)
    if (
        reading.score >= SURE_SCORE
        and reading.weakest_slot >= SURE_SLOT
        and margin >= SURE_MARGIN
        and reading.verb >= VERB_SURE
        and clear
        and not reading.vague
        and not reading.open_fills
        and not reading.free_text
        and not grave
    ):
        return "sure"
    if (
        reading.score >= LIKELY_SCORE
        and reading.weakest_slot >= LIKELY_SLOT
        and margin >= LIKELY_MARGIN
        and (reading.verb >= VERB_LIKELY or _framed(reading, margin))
    ):
        return "likely"
    return "no"


def _grave(reading: Reading, grammar: Grammar) -> bool:
    phrase = reading.alignment.pattern.phrase
    return is_grave(grammar.actions[phrase.action].effect, phrase.values)


def is_grave(effect: Effect, values: Mapping[str, Any]) -> bool:
    """Whether an action destroys, or decides a request: then nearly is not enough."""
    return effect == "danger" or any(isinstance(v, str) and v in _GRAVE_VALUES for v in values.values())
