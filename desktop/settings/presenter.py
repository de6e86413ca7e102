"""The settings as a whole: which page is in front, and one dialog for whatever is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from desktop.app.backend import Backend
from desktop.app.pane import Presenter, Report
from desktop.settings.actions import ActionsPage
from desktop.settings.actions_presenter import ActionsPresenter
from desktop.settings.agents import ProvidersPage
from desktop.settings.appearance import AppearancePage
from desktop.settings.confirm_dialog import ConfirmDialog, answered
from desktop.settings.confirming import Asked, Confirmer
from desktop.settings.general import GeneralPage
from desktop.settings.keys import KeysPage
from desktop.settings.notify import NotificationsPage
from desktop.settings.pane import SettingsPane
from desktop.settings.preference import PreferencePage
from desktop.settings.preferences_presenter import Apply, PreferencesPresenter, ProvidersPresenter
from desktop.settings.privacy import PrivacyPage
from desktop.settings.servers import ServersPage
from desktop.settings.servers_presenter import ServersPresenter
from desktop.settings.voice import VoicePage
from desktop.settings.voice_presenter import VoicePresenter
from desktop.theme.theme import Theme

_ICONS = {
    "general": "settings",
    "appearance": "sun",
    "providers": "sessions",
    "voice": "mic",
    "keys": "keyboard",
    "notifications": "bell",
    "privacy": "lock",
}


class _Page(Protocol):
    """Reads a page when it comes to the front."""

    def refresh(self) -> None: ...

    async def close(self) -> None: ...


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
        apply: Apply = lambda values, changed: None,
    ) -> None:
        super().__init__(backend, report)
        self._pane = pane
        self._theme = theme
        self.privacy = PrivacyPage(theme)
        providers, voice = ProvidersPage(theme), VoicePage(theme)
        self.plain: dict[str, PreferencePage] = {
            "general": GeneralPage(theme),
            "appearance": AppearancePage(theme),
            "providers": providers,
            "voice": voice,
            "keys": KeysPage(theme),
            "notifications": NotificationsPage(theme),
            "privacy": self.privacy,
        }
        self.preferences = PreferencesPresenter(backend, self.plain, report, apply)
        self.confirmer = Confirmer(backend, self._ask)
        self.servers_page, self.actions_page = ServersPage(theme), ActionsPage(theme)
        self.servers = ServersPresenter(backend, self.servers_page, theme, self.confirmer, report, here)
        self.actions = ActionsPresenter(backend, self.actions_page, self.confirmer, report, here)
        self.voice = VoicePresenter(backend, voice, report, self.preferences)
        self._pages: dict[str, _Page] = {
            **dict.fromkeys(self.plain, self.preferences),
            "mcp": self.servers,
            "actions": self.actions,
            "providers": ProvidersPresenter(backend, providers, report, self.preferences),
            "voice": self.voice,
        }
        pane.shown.connect(self._on_shown)
        self.handles.callback(pane.shown.disconnect, self._on_shown)
        for name in ("general", "appearance"):
            pane.add_page(name, self.plain[name].title, _ICONS[name], self.plain[name])
        pane.add_page("actions", self.actions_page.title, "shield", self.actions_page)
        pane.add_page("mcp", self.servers_page.title, "tool", self.servers_page)
        for name in ("providers", "voice", "keys", "notifications", "privacy"):
            pane.add_page(name, self.plain[name].title, _ICONS[name], self.plain[name])

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
        for page in dict.fromkeys(self._pages.values()):
            await page.close()
        await super().close()

    def _on_shown(self, name: str) -> None:
        if self._pane.isVisible() and (page := self._pages.get(name)) is not None:
            page.refresh()

    async def _ask(self, asked: Asked) -> bool:
        return await answered(ConfirmDialog(self._theme, asked, self._pane.window()))
