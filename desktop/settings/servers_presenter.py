"""Keeps the page of the MCP servers in step with the host, and carries what the user wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from actions.catalog.server_use_views import LoginState, ToolPreview, TrustReview
from actions.catalog.server_views import FoundServers, PresetView, ServerList, ServerTest
from desktop.app.backend import Backend, HostEvent, Outcome, Status
from desktop.app.pane import Presenter, Report
from desktop.settings.confirm_dialog import answered
from desktop.settings.confirming import Confirmer
from desktop.settings.server_detail import ON, UNSET
from desktop.settings.server_form import AddDialog
from desktop.settings.servers import DETECTED, ServersPage
from desktop.settings.trust_dialog import TrustDialog
from desktop.theme.theme import Theme

_LOGIN_WAIT_S = 20.0
"""How long one look at a login waits; the next look follows until it ends."""


class ServersPresenter(Presenter):
    """``here`` names the folder of the session in front, which is looked at first."""

    name = "settings.mcp"

    def __init__(
        self,
        backend: Backend,
        page: ServersPage,
        theme: Theme,
        confirmer: Confirmer,
        report: Report,
        here: Callable[[], str | None],
        open_url: Callable[[QUrl], object] = QDesktopServices.openUrl,
    ) -> None:
        super().__init__(backend, report)
        self._page = page
        self._theme = theme
        self._confirmer = confirmer
        self._here = here
        self._open_url = open_url
        self._read = False
        self._loading = False
        self._again = False
        self._detected = False
        self._logins: set[str] = set()
        self._testing: asyncio.Task[None] | None = None
        self._wanted: str | None = None
        self._providers: list[tuple[str, str]] = []
        self.handles.enter_context(backend.subscribe(self._on_event))
        detail = page.detail
        page.place_chosen.connect(self._load_soon)
        page.tab_shown.connect(self._on_tab)
        page.add_asked.connect(lambda: self.start(self._add(), "add"))
        page.detected.look_asked.connect(lambda: self.start(self._detect(), "detect"))
        page.detected.take_asked.connect(lambda inputs, texts: self.start(self._take_over(inputs, texts), "import"))
        page.preview.accept_asked.connect(lambda s, t, h: self.start(self._accept(s, t, h), "accept"))
        detail.bind_asked.connect(lambda s, t, v: self.start(self._bind(s, t, v), "bind"))
        detail.test_asked.connect(self._start_test)
        detail.cancel_test_asked.connect(self._cancel_test)
        detail.retry_asked.connect(lambda server: self.start(self._retry(server), "retry"))
        detail.login_asked.connect(lambda server: self.start(self._log_in(server), "login"))
        detail.cancel_login_asked.connect(lambda server: self.start(self._cancel_login(server), "cancel login"))
        detail.logout_asked.connect(lambda server: self.start(self._log_out(server), "logout"))
        detail.trust_asked.connect(lambda: self.start(self._trust(), "trust"))
        detail.edit_asked.connect(lambda server: self.start(self._edit(server), "edit"))
        detail.remove_asked.connect(lambda server: self.start(self._remove(server), "remove"))

    def refresh(self) -> None:
        """Read everything; called when the page comes to the front."""
        self._read = True
        self.start(self._places(), "places")

    def look_at(self, workspace: str) -> None:
        """Look at a workspace, at once or when it is known that there is one."""
        self._wanted = workspace
        self._page.look_at(workspace)

    def _on_event(self, event: HostEvent) -> None:
        if self._read and event.type in ("servers_did_change", "mcp_did_change"):
            self._load_soon()

    def _on_tab(self, at: int) -> None:
        if at == DETECTED and not self._detected:
            self._detected = True
            self.start(self._detect(), "detect")

    def _in_place(self, **more: Any) -> dict[str, Any]:
        place = self._page.place()
        return {**more, **({} if place is None else {"workspace": place})}

    # reading

    async def _places(self) -> None:
        workspaces = await self.backend.execute("workspace.list", {})
        if not workspaces.ok:
            self._page.show_problem(workspaces.message)
            return
        folders = [one for one in workspaces.data.get("workspaces", ()) if one.get("exists", True)]
        known = [(str(one["path"]), str(one["name"])) for one in folders]
        wanted = self._wanted or self._here() or (known[0][0] if known else None)
        self._page.show_places(known, self._providers, wanted)
        self._load_soon()
        # Looking for agents on this machine can take seconds; the servers do not wait for it.
        providers = await self.backend.execute("providers.list", {})
        found = [(str(one["id"]), str(one["name"])) for one in providers.data.get("providers", ())]
        if found != self._providers:
            self._providers = found
            self._page.show_places(known, found, wanted)
            self._load_soon()

    def _load_soon(self) -> None:
        """One read at a time; changes that come meanwhile lead to one more."""
        if self._loading:
            self._again = True
        else:
            self._loading = True
            self.start(self._load(), "load")

    async def _load(self) -> None:
        try:
            place, agent = self._page.place(), self._page.agent()
            found = await self.backend.execute("mcp.servers.list", self._in_place())
            if found.ok:
                self._page.show_servers(ServerList.model_validate(found.data))
            else:
                self._page.show_problem(found.message)
            if place is None or agent is None:
                self._page.show_preview(None)
            else:
                seen = await self.backend.execute("mcp.preview", {"provider": agent, "workspace": place})
                if (place, agent) != (self._page.place(), self._page.agent()):
                    self._again = True
                elif seen.ok:
                    self._page.show_preview(ToolPreview.model_validate(seen.data))
                else:
                    self._page.preview.show_problem(seen.message)
        finally:
            self._loading = False
        if self._again:
            self._again = False
            self._load_soon()

    async def _detect(self) -> None:
        self._page.detected.show_loading()
        outcome = await self.backend.execute("mcp.servers.detect", self._in_place())
        if outcome.ok:
            self._page.detected.show_found(FoundServers.model_validate(outcome.data))
        else:
            self._page.detected.show_problem(outcome.message)

    # changing

    async def _change(self, action_id: str, input: Mapping[str, Any], **more: Any) -> Outcome:
        outcome = await self._confirmer.execute(action_id, input, **more)
        if outcome.status is Status.FAILED and outcome.message:
            self.report(outcome.message)
        self._load_soon()
        return outcome

    async def _bind(self, name: str, target: str, value: str) -> None:
        server = self._page.model.server(name)
        known = [b for b in server.bindings if b.target == target and not b.implied] if server is not None else []
        if value == UNSET:
            if known:
                await self._change("mcp.bindings.remove", {"binding": known[0].id})
        elif known:
            await self._change("mcp.bindings.edit", {"binding": known[0].id, "changes": {"enabled": value == ON}})
        else:
            await self._change("mcp.bindings.add", {"server": name, "target": target, "enabled": value == ON})

    async def _remove(self, server: str) -> None:
        await self._change("mcp.servers.delete", self._in_place(server=server, remove_bindings=True))

    async def _accept(self, server: str, tool: str, content_hash: str) -> None:
        await self._change("mcp.pin.accept", self._in_place(server=server, tool=tool, content_hash=content_hash))

    async def _retry(self, server: str) -> None:
        await self.run("mcp.servers.retry", **self._in_place(server=server))
        self._load_soon()

    def _start_test(self, server: str) -> None:
        """One test at a time: the page shows one, and whoever starts another has given up the one before."""
        self._cancel_test()
        self._page.detail.show_testing()
        self._testing = self.tasks.start(self._test(server), name="test")

    def _cancel_test(self, _server: str = "") -> None:
        """The host ends the server with the call."""
        if self._testing is not None and not self._testing.done():
            self._testing.cancel()

    async def _test(self, server: str) -> None:
        try:
            outcome = await self.backend.execute("mcp.servers.test", self._in_place(server=server), attached=True)
        except asyncio.CancelledError:
            if self._testing is asyncio.current_task():
                self._page.detail.show_test(server, None)
            raise
        test = ServerTest.model_validate(outcome.data) if outcome.ok else None
        self._page.detail.show_test(server, test, outcome.message)

    async def _take_over(self, inputs: list[dict[str, Any]], texts: list[str]) -> None:
        for input, text in zip(inputs, texts, strict=True):
            outcome = await self._change("mcp.servers.import", self._with_place(input), more=[text])
            if not outcome.ok:
                return
        await self._detect()

    def _with_place(self, input: Mapping[str, Any]) -> dict[str, Any]:
        """Another program's servers of a folder are read there, and are on there when taken."""
        return {**self._in_place(), **input}

    async def _trust(self) -> None:
        outcome = await self.run("mcp.trust.get", **self._in_place())
        if not outcome.ok:
            return
        review = TrustReview.model_validate(outcome.data)
        dialog = TrustDialog(self._theme, review, self._page.window())
        chosen: dict[str, Any] = {}
        dialog.accepted.connect(lambda: chosen.update(servers=dialog.servers(), allow_env=dialog.environment()))
        if await answered(dialog):
            await self._change("mcp.trust", self._in_place(content_hash=review.content_hash, **chosen), agreed=True)

    # logins

    async def _log_in(self, server: str) -> None:
        if server in self._logins:
            return
        self._logins.add(server)
        try:
            outcome = await self.backend.execute("mcp.servers.login", self._in_place(server=server))
            opened = False
            while (login := self._shown_login(server, outcome)) is not None and login.state == "waiting":
                if login.url and not opened:
                    opened = True
                    self._open_url(QUrl(login.url))
                more = self._in_place(server=server, wait_s=_LOGIN_WAIT_S)
                outcome = await self.backend.execute("mcp.servers.login", more)
                if server not in self._logins:
                    return
        finally:
            self._logins.discard(server)
        self._load_soon()

    def _shown_login(self, server: str, outcome: Outcome) -> LoginState | None:
        login = LoginState.model_validate(outcome.data) if outcome.ok else None
        self._page.detail.show_login(server, login, outcome.message)
        return login

    async def _cancel_login(self, server: str) -> None:
        self._logins.discard(server)
        outcome = await self.backend.execute("mcp.servers.login", self._in_place(server=server, cancel=True))
        self._shown_login(server, outcome)

    async def _log_out(self, server: str) -> None:
        outcome = await self._change("mcp.servers.logout", self._in_place(server=server))
        if outcome.ok:
            self._shown_login(server, outcome)

    # adding

    async def _add(self) -> None:
        dialog = self._dialog(None)
        presets = await self.backend.execute("mcp.presets.list", {})
        if presets.ok:
            dialog.show_presets([PresetView.model_validate(one) for one in presets.data.get("presets", ())])

    async def _edit(self, name: str) -> None:
        if self._page.model.server(name) is not None:
            self._dialog(name)

    def _dialog(self, name: str | None) -> AddDialog:
        server = self._page.model.server(name)
        dialog = AddDialog(self._theme, self._page.place(), self._page.window(), server)
        dialog.add_asked.connect(lambda input: self.start(self._create(dialog, input), "create"))
        dialog.change_asked.connect(lambda server, changes: self.start(self._update(dialog, server, changes), "update"))
        dialog.look_asked.connect(lambda text: self.start(self._look(dialog, text), "look"))
        dialog.take_asked.connect(lambda input: self.start(self._take(dialog, input), "take"))
        dialog.test_asked.connect(lambda definition: self._start_try(dialog, definition))
        dialog.open()
        return dialog

    async def _create(self, dialog: AddDialog, input: dict[str, Any]) -> None:
        outcome = await self._confirmer.execute("mcp.servers.create", self._in_place(**input))
        if outcome.ok:
            self._page.open_server(str(outcome.data["name"]))
        self._settle(dialog, outcome)

    async def _update(self, dialog: AddDialog, server: str, changes: dict[str, Any]) -> None:
        view = self._page.model.server(server)
        revision = {} if view is None else {"expected_revision": view.revision}
        input = self._in_place(server=server, changes=changes, **revision)
        self._settle(dialog, await self._confirmer.execute("mcp.servers.update", input))

    async def _look(self, dialog: AddDialog, text: str) -> None:
        """Read what was pasted. It changes nothing, and the person has just asked for it."""
        input = {"source": text, "dry_run": True}
        outcome = await self._confirmer.execute("mcp.servers.import", input, agreed=True)
        if outcome.ok:
            dialog.show_found(FoundServers.model_validate(outcome.data))
        else:
            dialog.show_message(outcome.message)

    async def _take(self, dialog: AddDialog, input: dict[str, Any]) -> None:
        """Take over what the dialog shows in full."""
        self._settle(dialog, await self._confirmer.execute("mcp.servers.import", input, agreed=True))

    def _start_try(self, dialog: AddDialog, definition: dict[str, Any]) -> None:
        """The test of a dialog ends with it, or when its person has waited enough."""
        trying = self.tasks.start(self._try(dialog, definition), name="try")
        dialog.test_cancelled.connect(lambda: trying.cancel() and dialog.show_cancelled())
        dialog.finished.connect(lambda _: trying.cancel())

    async def _try(self, dialog: AddDialog, definition: dict[str, Any]) -> None:
        input = self._in_place(draft=definition)
        outcome = await self._confirmer.execute("mcp.servers.test", input, agreed=True, attached=True)
        if outcome.ok:
            dialog.show_test(ServerTest.model_validate(outcome.data))
        else:
            dialog.show_errors(list(outcome.details.get("fields", ())), outcome.message)

    def _settle(self, dialog: AddDialog, outcome: Outcome) -> None:
        """Close the dialog when it is done; a no leaves it open as it was."""
        if outcome.ok:
            dialog.accept()
        elif outcome.status is Status.FAILED:
            dialog.show_errors(list(outcome.details.get("fields", ())), outcome.message)
        else:
            dialog.show_message("")
        self._load_soon()
