"""What words mean on this host: the catalog compiled once, the live values asked for each time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from actions.catalog.registry import Catalog
from actions.catalog.spec import Surface
from actions.errors import Ambiguous, NotFound
from voice.dialogue.host import VoiceHost
from voice.intent.catalog_words import answered, load_world, understand, words_of
from voice.intent.fill import Filled, label_of
from voice.intent.grammar import compile
from voice.intent.model import Context, Intent, Language, SpokenOption, World
from voice.intent.readback import readback
from voice.recognition.bias import World as Bias

_EXAMPLE = "start a review run on the current session with Claude and Codex"
_NOUNS = (
    "follow",
    "rename",
    "reply",
    "send",
    "track",
    "review run",
    "plan run",
    "inbox",
    "request",
    "MCP settings",
    "workspace",
    "session",
)
_NOUNS_ZH = ("收件箱", "会话", "工作区", "计划", "审查", "运行", "设置")


class Understanding:
    """Answers what a text, or a recogniser's hypotheses, mean. Compiling the catalog takes about 0.1 s."""

    def __init__(self, catalog: Catalog, host: VoiceHost) -> None:
        """Raises GrammarError when the catalog's phrases do not fit together."""
        self._words = words_of(catalog)
        self._grammar = compile(self._words.actions)
        self._host = host
        self._catalog = catalog

    async def world(self, context: Context | None = None) -> World:
        """The live values. ``context.current_session`` may be an unambiguous prefix or a title.

        Raises:
            NotFound, Ambiguous: no session, or several, fit the context's.
        """
        world = await load_world(self._words, self._host.resolve, context)
        wanted = world.context.current_session
        if wanted is None:
            return world
        sessions = self.options(world, "sessions.open")
        known = _session(wanted, sessions)
        return World(world.options, Context(known, world.context.primary_session, world.context.last_session))

    async def hear(self, texts: str | Sequence[str], world: World, language: Language | None = None) -> Intent:
        """The intent of a text, or of hypotheses with the likeliest first."""
        return await understand(texts, self._grammar, self._words, world, self._host.resolve, language)

    def sayable(self, language: Language = "en", most: int = 6) -> list[str]:
        """Sentences that can be said now, of the actions that are used most."""
        hot = (spec for spec in self._catalog if spec.hot and spec.implemented and Surface.VOICE in spec.surfaces)
        said = (next((say.template for say in spec.say if say.language == language), None) for spec in hot)
        return [example(template) for template in said if template is not None][:most]

    def intent_of(self, action: str, input: Mapping[str, Any], world: World, language: Language = "en") -> Intent:
        """An intent that nobody had to guess: it is known word for word."""
        words = next(words for words in self._words.actions if words.action == action)
        filled = Filled(dict(input))
        filled.labels = {name: label_of(words, world, name, value) for name, value in input.items()}
        said = readback(words, filled, (), language)
        return Intent(action, dict(input), 1.0, "sure", (), said, (), said)

    async def answer(self, asked: Intent, text: str, world: World, language: Language | None = None) -> Intent | None:
        """``asked`` with ``text`` as the value that it asks for; None where the text names none.

        Options that depend on the values so far are asked for anew.
        """
        return await answered(asked, text, self._grammar, self._words, world, self._host.resolve, language)

    def options(self, world: World, source: str) -> Sequence[SpokenOption]:
        """The values of an option source, empty when no phrase uses it or it could not answer."""
        place = next((p for p, s in self._words.sources.items() if s.id == source and p in world.options), None)
        return world.options[place] if place is not None else ()

    def bias(self, world: World, language: Language = "en") -> Bias:
        """The names that the recogniser should expect."""

        def names(source: str) -> list[str]:
            return [option.label for option in self.options(world, source)]

        return Bias(
            sessions=names("sessions.open"),
            workspaces=names("workspaces.recent"),
            providers=names("providers.available"),
            action_words=_NOUNS_ZH if language == "zh" else _NOUNS,
            example=_EXAMPLE,
        )


def example(template: str) -> str:
    """A template as somebody may say it: the first of each choice, nothing optional, dots for a value."""
    text = re.sub(r"\[[^\[\]]*\]", "", template)
    while (found := re.search(r"\(([^()]*)\)", text)) is not None:
        text = text[: found.start()] + found[1].split("|")[0] + text[found.end() :]
    return " ".join(re.sub(r"\{[^{}]*\}", "…", text).split())


def _session(wanted: str, sessions: Sequence[SpokenOption]) -> str:
    exact = [o for o in sessions if wanted in (o.value, o.label)]
    found = exact or [o for o in sessions if str(o.value).startswith(wanted)]
    if len(found) > 1:
        raise Ambiguous(
            f"Several sessions fit {wanted!r}. Give a longer id.",
            [{"id": o.value, "title": o.label} for o in found],
        )
    if not found:
        raise NotFound(
            f"There is no open session {wanted!r}. List them with: sayso session list", details={"session_id": wanted}
        )
    return str(found[0].value)
