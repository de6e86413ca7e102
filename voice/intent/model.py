"""What the matcher works on and what it answers: plain frozen data, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default
from typing import Any, Literal

Language = Literal["en", "zh"]
Tier = Literal["sure", "likely", "no"]
SlotKind = Literal["options", "text", "number"]
Effect = Literal["none", "read", "write", "external", "danger"]
Reference = Literal["", "session", "approval"]


@dataclass(frozen=True)
class Phrase:
    """An utterance template of an action, in hassil's syntax, and the field values that saying it fixes."""

    action: str
    template: str
    language: Language
    values: Mapping[str, Any] = default(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Slot:
    """A field of an action that a phrase can fill.

    An ``explicit`` field is never filled in for the user, not even when there is only one value. ``nouns`` are words
    that may stand beside the value ("the *payments api* session"). ``refers_to`` says that pronouns ("this session") or
    positions ("the third one") mean a value of the field. ``titles`` name the field by language.
    """

    field: str
    kind: SlotKind
    multiple: bool = False
    required: bool = False
    explicit: bool = False
    refers_to: Reference = ""
    nouns: tuple[str, ...] = ()
    titles: Mapping[str, str] = default(default_factory=dict[str, str])


@dataclass(frozen=True)
class SpokenOption:
    """A value that a slot can take and every way to say it. A disabled one is understood, and never sure."""

    value: Any
    label: str
    aliases: tuple[str, ...] = ()
    disabled: bool = False
    reason: str | None = None


@dataclass(frozen=True)
class ActionWords:
    """The words of one action. ``titles`` and ``ask`` are by language; English is the fallback."""

    action: str
    title: str
    effect: Effect = "read"
    phrases: tuple[Phrase, ...] = ()
    slots: tuple[Slot, ...] = ()
    ask: Mapping[str, str] = default(default_factory=dict[str, str])
    titles: Mapping[str, str] = default(default_factory=dict[str, str])

    def slot(self, name: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.field == name), None)

    def title_in(self, language: str) -> str:
        return self.titles.get(language) or self.title


@dataclass(frozen=True)
class Context:
    """What "this session" and "the last session" mean at the moment; None where nothing is meant."""

    current_session: str | None = None
    primary_session: str | None = None
    last_session: str | None = None


@dataclass(frozen=True)
class World:
    """The live values of every options slot by (action, field), and what pronouns mean.

    A missing key says that the options are not known yet: what was heard there stays as spoken.
    """

    options: Mapping[tuple[str, str], tuple[SpokenOption, ...]] = default(
        default_factory=dict[tuple[str, str], tuple[SpokenOption, ...]]
    )
    context: Context = Context()


@dataclass(frozen=True)
class Alternative:
    """Another action that the words may have meant."""

    action: str
    title: str
    confidence: float


@dataclass(frozen=True)
class Intent:
    """What was understood. ``tier`` is ``sure``, ``likely`` (asked about first) or ``no`` (then ``action`` is None).

    ``missing`` lists fields whose value was not said, not resolved or is disabled: then the tier is never ``sure``.
    """

    action: str | None
    input: Mapping[str, Any]
    confidence: float
    tier: Tier
    missing: tuple[str, ...]
    readback: str
    alternatives: tuple[Alternative, ...]
    heard: str

    def as_json(self) -> dict[str, Any]:
        """The document that ``sayso voice intent --json`` prints as ``data``."""
        return {
            "action": self.action,
            "input": dict(self.input),
            "confidence": round(self.confidence, 3),
            "tier": self.tier,
            "missing": list(self.missing),
            "readback": self.readback,
            "alternatives": [
                {"action": a.action, "title": a.title, "confidence": round(a.confidence, 3)} for a in self.alternatives
            ],
        }
