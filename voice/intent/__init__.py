"""From recognised or typed text to an intent: which action, with which values, and how sure.

``compile`` makes a :class:`Grammar` from the words of a catalog; ``Matcher(grammar, world).match(text)`` answers.
"""

from voice.intent.errors import GrammarError
from voice.intent.grammar import Grammar, compile
from voice.intent.lexicon import with_ordinals
from voice.intent.matcher import Matcher
from voice.intent.model import (
    ActionWords,
    Alternative,
    Context,
    Intent,
    Phrase,
    Slot,
    SpokenOption,
    World,
)

__all__ = [
    "ActionWords",
    "Alternative",
    "Context",
    "Grammar",
    "GrammarError",
    "Intent",
    "Matcher",
    "Phrase",
    "Slot",
    "SpokenOption",
    "World",
    "compile",
    "with_ordinals",
]
