"""The real catalog, with the values of a test world behind its option sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from actions.catalog.registry import load
from actions.errors import NotFound
from tests.voice.intent import toy
from voice.intent import Context, Intent, World, compile
from voice.intent.catalog_words import CatalogWords, load_world, understand, words_of


class RealCatalog:
    """The catalog's words; ``understand`` answers as the command does, over the option sources of a test world."""

    def __init__(self, world: World, context: Context | None = None) -> None:
        self.words: CatalogWords = words_of(load())
        self.grammar = compile(self.words.actions)
        self._context = context or Context()
        self._values = {
            "sessions.open": world.options["session.open", "session_id"],
            "workspaces.recent": world.options["ui.open", "workspace"],
            "providers.available": toy.PROVIDER_OPTIONS,
            "approvals.open": world.options["approval.request.decide", "approval_id"],
            "session.modes": toy.MODES,
            "runs.active": world.options["execution.run.stop", "run_id"],
        }

    async def resolve(self, action: str, field: str, draft: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        source = self.words.sources[action, field]
        if source.id not in self._values:
            raise NotFound(f"no {source.id} here")
        if source.id == "session.modes" and not draft.get("session_id"):
            raise NotFound("Which session?")
        return [
            {"value": o.value, "label": o.label, "aliases": list(o.aliases), "disabled": o.disabled, "reason": o.reason}
            for o in self._values[source.id]
        ]

    async def understand(self, text: str | Sequence[str]) -> Intent:
        world = await load_world(self.words, self.resolve, self._context)
        return await understand(text, self.grammar, self.words, world, self.resolve)
