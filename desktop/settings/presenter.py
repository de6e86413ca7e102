"""The settings as a whole: which page is in front, and one dialog for whatever is asked."""

from __future__ import annotations

from collections.abc import Callable

from desktop.app.backend import Backend
from desktop.app.pane import Presenter, Report
from desktop.settings.actions import ActionsPage
from desktop.settings.actions_presenter import ActionsPresenter
from desktop.settings.confirm_dialog import ConfirmDialog, answered
from desktop.settings.confirming import Asked, Confirmer
from desktop.settings.pane import SettingsPane
from desktop.settings.servers import ServersPage
from desktop.settings.servers_presenter import ServersPresenter
from desktop.theme.theme import Theme


class SettingsPresenter(Presenter):
    """Builds the pages into ``pane``; each reads when it comes to the front. ``here`` names the folder in front."""

    name = "settings"

    def __init__(
        self,
        backend: Backend,
        pane: SettingsPane,
        theme: Theme,
        report: Report,
        here: Callable[[], str | None],
    ) -> None:
        super().__init__(backend, report)
        self._pane = pane
        self._theme = theme
        self.confirmer = Confirmer(backend, self._ask)
        self.servers_page, self.actions_page = ServersPage(theme), ActionsPage(theme)
        self.servers = ServersPresenter(backend, self.servers_page, theme, self.confirmer, report, here)
        self.actions = ActionsPresenter(backend, self.actions_page, self.confirmer, report, here)
        self._pages = {"mcp": self.servers, "actions": self.actions}
        pane.shown.connect(self._on_shown)
        self.handles.callback(pane.shown.disconnect, self._on_shown)
        pane.add_page("mcp", self.servers_page.title, "tool", self.servers_page)
        pane.add_page("actions", self.actions_page.title, "shield", self.actions_page)

    def has(self, name: str) -> bool:
        """Whether there is a page of that name yet."""
        return name in self._pages

    def open(self, name: str | None = None, workspace: str | None = None) -> None:
        """Bring a page to the front, or the one that was there last; of the servers, those of ``workspace``."""
        self._pane.open(name)
        if workspace is not None:
            self.servers.look_at(workspace)

    def refresh(self) -> None:
        """What the page in front shows may be old."""
        self._on_shown(self._pane.current() or "")

    async def close(self) -> None:
        for page in self._pages.values():
            await page.close()
        await super().close()

    def _on_shown(self, name: str) -> None:
        if self._pane.isVisible() and (page := self._pages.get(name)) is not None:
            page.refresh()

    async def _ask(self, asked: Asked) -> bool:
        return await answered(ConfirmDialog(self._theme, asked, self._pane.window()))
