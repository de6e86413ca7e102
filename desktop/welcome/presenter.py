"""Fills the first page: reads what there is when the page is in front, and again when something changed."""

from __future__ import annotations

from collections.abc import Callable

from actions.catalog.views import ProviderList, WorkspaceList
from desktop.app.backend import Backend, HostEvent
from desktop.app.pane import Presenter, Report
from desktop.welcome.page import WelcomePage

_CHANGES = ("workspaces_did_change", "session_did_change")


class WelcomePresenter(Presenter):
    """``in_front`` says whether anybody sees the page."""

    name = "welcome"

    def __init__(self, backend: Backend, page: WelcomePage, report: Report, in_front: Callable[[], bool]) -> None:
        super().__init__(backend, report)
        self._page = page
        self._in_front = in_front
        self.handles.enter_context(backend.subscribe(self._on_event))

    def refresh(self) -> None:
        """Read agents and folders, where the page is seen."""
        if self._in_front():
            self.start(self._agents(), "agents")
            self.start(self._folders(), "folders")

    def _on_event(self, event: HostEvent) -> None:
        if event.type in _CHANGES and self._in_front():
            self.start(self._folders(), "folders")

    async def _agents(self) -> None:
        outcome = await self.backend.execute("providers.list", {"include_missing": False})
        if outcome.ok:
            self._page.show_agents(ProviderList.model_validate({"providers": [], **outcome.data}).providers)
        else:
            self._page.show_problem(outcome.message)

    async def _folders(self) -> None:
        outcome = await self.backend.execute("workspace.list", {})
        if outcome.ok:
            self._page.show_folders(WorkspaceList.model_validate({"workspaces": [], **outcome.data}).workspaces)
