"""Finds what is offered while a message is typed: asks the host for files, and for the commands of agent and app."""

from __future__ import annotations

from desktop.app.backend import Backend
from desktop.app.pane import Presenter, Report
from desktop.composer.completion import Offer, mention
from desktop.composer.composer import Composer

_MOST = 12


class CompletingPresenter(Presenter):
    """One question at a time: what was typed since then counts."""

    name = "completing"

    def __init__(self, backend: Backend, composer: Composer, report: Report) -> None:
        super().__init__(backend, report)
        self._composer = composer
        composer.offers_asked.connect(lambda *asked: self.start(self._offer(*asked), "offers"))

    async def _offer(self, session_id: str, kind: str, query: str) -> None:
        offers = await (self._files(session_id, query) if kind == "@" else self._commands(session_id, query))
        self._composer.show_offers(kind, query, offers)

    async def _files(self, session_id: str, query: str) -> list[Offer]:
        asked = {"source": "workspace.files", "draft": {"session_id": session_id}, "query": query, "limit": _MOST}
        found = await self.backend.execute("action.options.resolve", asked)
        return [Offer(mention(str(entry["value"]))) for entry in found.data.get("options", ())]

    async def _commands(self, session_id: str, query: str) -> list[Offer]:
        """The agent's own first: they are what a message can hold."""
        asked = {"session_id": session_id, "kinds": ["commands"], "newest": True, "limit": 1}
        told = await self.backend.execute("session.transcript.get", asked)
        events = told.data.get("events") or ()
        own = events[-1]["data"].get("commands", ()) if events else ()
        offers = [
            Offer(f"/{entry['name']} ", str(entry.get("description") or "").split("\n")[0])
            for entry in own
            if str(entry.get("name", "")).casefold().startswith(query.casefold())
        ]
        found = await self.backend.execute("action.spec.search", {"query": f"/{query}", "limit": 50})
        ours = [
            Offer(token, str(entry["title"]), str(entry["id"]))
            for entry in found.data.get("actions", ())
            for token in entry.get("slash") or ()
            if token.startswith(f"/{query}") and entry.get("available", True)
        ]
        return [*offers, *ours][:_MOST]
