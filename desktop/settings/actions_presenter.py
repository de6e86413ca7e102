"""Keeps the actions page in step with the policy in force, and carries its changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop.app.backend import Backend, HostEvent, Status
from desktop.app.pane import Presenter, Report
from desktop.settings.actions import ActionsPage
from desktop.settings.actions_model import read_policies, read_seen
from desktop.settings.confirming import Confirmer


class ActionsPresenter(Presenter):
    """``workspace`` names the folder whose agents are looked at: the one in front, if any."""

    name = "settings.actions"

    def __init__(
        self,
        backend: Backend,
        page: ActionsPage,
        confirmer: Confirmer,
        report: Report,
        workspace: Callable[[], str | None],
    ) -> None:
        super().__init__(backend, report)
        self._page = page
        self._confirmer = confirmer
        self._workspace = workspace
        self._agent = ""
        self._read = False
        self.handles.enter_context(backend.subscribe(self._on_event))
        page.change_asked.connect(lambda change: self.start(self._change(change), "change"))
        page.place_chosen.connect(lambda: self.start(self._show_place(), "place"))
        page.agent_chosen.connect(self._on_agent)

    def refresh(self) -> None:
        """Read everything; called when the page comes to the front."""
        self._read = True
        self.start(self._load(), "load")

    def _on_event(self, event: HostEvent) -> None:
        if event.type in ("catalog_did_change", "settings_did_change") and self._read:
            self.refresh()

    async def _load(self) -> None:
        places = await self.backend.execute("workspace.list", {})
        folders = [one for one in places.data.get("workspaces", ()) if one.get("exists", True)]
        self._page.show_places([(str(one["path"]), str(one["name"])) for one in folders])
        await self._read_policies()
        providers = await self.backend.execute("providers.list", {})
        if providers.ok:
            self._page.show_agents([(str(p["id"]), str(p["name"])) for p in providers.data.get("providers", ())])
        await self._look()

    async def _read_policies(self) -> None:
        workspace = self._page.workspace()
        device = await self.backend.execute("settings.actions.get", {})
        here = device
        if workspace is not None:
            here = await self.backend.execute("settings.actions.get", {"workspace": workspace})
        if workspace != self._page.workspace():
            return
        if device.ok and here.ok:
            self._page.show_policies(read_policies(here.data), read_policies(device.data))
        else:
            self._page.show_problem(device.message or here.message)

    async def _show_place(self) -> None:
        await self._read_policies()
        await self._look()

    async def _change(self, change: dict[str, Any]) -> None:
        outcome = await self._confirmer.execute("settings.actions.set", change)
        if outcome.ok:
            await self._load()
        else:
            self._page.again()
            if outcome.status is Status.FAILED and outcome.message:
                self.report(outcome.message)

    def _on_agent(self, provider: str) -> None:
        self._agent = provider
        self.start(self._look(), "look")

    async def _look(self) -> None:
        agent = self._agent
        if not agent:
            self._page.model.show_seen(None)
            self._page.show_note("")
            return
        workspace = self._page.workspace() or self._workspace()
        if workspace is None:
            found = await self.backend.execute("workspace.list", {})
            known = [str(one["path"]) for one in found.data.get("workspaces", ()) if one.get("exists", True)]
            workspace = known[0] if known else None
        if workspace is None:
            self._page.model.show_seen(None)
            self._page.note_no_workspace()
            return
        outcome = await self.backend.execute("mcp.preview", {"provider": agent, "workspace": workspace})
        if agent != self._agent:
            return
        self._page.model.show_seen(read_seen(outcome.data.get("tools", ())) if outcome.ok else None)
        if outcome.ok:
            self._page.note_place(workspace)
        else:
            self._page.show_note(outcome.message)
