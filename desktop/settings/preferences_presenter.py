"""Keeps the plain settings in step with the host: reads them, changes one, and applies what the window itself obeys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from actions.catalog.views import ProviderCheck, ProviderList
from desktop.app.backend import Backend, HostEvent
from desktop.app.pane import Presenter, Report
from desktop.settings.agents import ProvidersPage
from desktop.settings.preference import PreferencePage

Apply = Callable[[Mapping[str, Any], bool], None]
"""Gets values by key, and whether they were changed now rather than read."""


class PreferencesPresenter(Presenter):
    """One for all pages of plain settings. ``apply`` takes what the window obeys at once."""

    name = "preferences"

    def __init__(self, backend: Backend, pages: Mapping[str, PreferencePage], report: Report, apply: Apply) -> None:
        super().__init__(backend, report)
        self._pages = pages
        self._apply = apply
        self._values: dict[str, Any] = {}
        for page in pages.values():
            page.changed.connect(self.change)
        self.handles.enter_context(backend.subscribe(self._on_event))

    def refresh(self) -> None:
        """Read them all again."""
        self.start(self._load(), "load")

    def change(self, key: str, value: str) -> None:
        """Set one; where it is refused the page says why."""
        self.start(self._change(key, value), "change")

    def _on_event(self, event: HostEvent) -> None:
        if event.type == "settings_did_change":
            self._take({str(event.data.get("key")): event.data.get("value")}, changed=True)

    def _take(self, values: Mapping[str, Any], *, changed: bool) -> None:
        self._values.update(values)
        for page in self._pages.values():
            page.show_values(values)
        self._apply(values, changed)

    async def _load(self) -> None:
        outcome = await self.backend.execute("settings.get", {})
        if outcome.ok:
            self._take({entry["key"]: entry["value"] for entry in outcome.data.get("settings", ())}, changed=False)
            for page in self._pages.values():
                page.show_file(str(outcome.data.get("file") or ""))
        elif outcome.message:
            self.report(outcome.message)

    async def _change(self, key: str, value: str) -> None:
        outcome = await self.backend.execute("settings.set", {"key": key, "value": value})
        if not outcome.ok:
            for page in self._pages.values():
                page.show_problem(key, outcome.message, self._values.get(key))


class ProvidersPresenter(Presenter):
    """The agents of the providers page; each is checked when a person asks for it."""

    name = "providers"

    def __init__(self, backend: Backend, page: ProvidersPage, report: Report, settings: PreferencesPresenter) -> None:
        super().__init__(backend, report)
        self._page = page
        self._settings = settings
        page.check_asked.connect(self.check)

    def refresh(self) -> None:
        self._settings.refresh()
        self.start(self._load(), "load")

    async def _load(self) -> None:
        outcome = await self.backend.execute("providers.list", {"include_missing": True})
        if outcome.ok:
            found = ProviderList.model_validate(outcome.data)
            self._page.show_providers(found.providers, found.problems)
        else:
            self._page.show_note(outcome.message)

    def check(self, provider: str) -> None:
        """Start an agent once, and show what came of it."""
        if (card := self._page.cards.get(provider)) is not None:
            card.show_checking()
            self.start(self._check(provider), f"check {provider}")

    async def _check(self, provider: str) -> None:
        outcome = await self.backend.execute("providers.check", {"provider": provider})
        if (card := self._page.cards.get(provider)) is not None:
            check = ProviderCheck.model_validate(outcome.data) if outcome.ok else None
            card.show_check(check, outcome.message)
