"""The running app: builds window and presenters around one backend, and ends them in order."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication

from actions.catalog.views import SessionView
from actions.client.aio import Handler
from desktop.app.backend import Backend, ConnectionChange, HostEvent, Outcome, Status
from desktop.app.for_agents import ForAgents
from desktop.app.pane import Presenter
from desktop.app.preferences import obey_look
from desktop.app.showing import ShowingPresenter
from desktop.composer.completing import CompletingPresenter
from desktop.inbox.presenter import InboxPresenter
from desktop.keys.shortcuts import PREFIX
from desktop.launcher.presenter import LauncherPresenter
from desktop.main_window import MainWindow
from desktop.notifications.outlet import Outlet
from desktop.notifications.presenter import NotificationsPresenter
from desktop.progress.watched import WatchedBackend
from desktop.runs.child import ChildTranscript
from desktop.runs.facts import Finding
from desktop.runs.presenter import RunsPresenter
from desktop.runs.review import ReviewPresenter
from desktop.sessions.menu import SessionMenu
from desktop.sessions.presenter import SessionsPresenter
from desktop.settings.presenter import SettingsPresenter
from desktop.status import Connection
from desktop.theme.theme import Theme
from desktop.transcript.events import change_of
from desktop.voicebar.state import VoiceService
from desktop.welcome.presenter import WelcomePresenter

_SPAWN = "session.spawn_new"


class Application:
    """One window on one host. ``closed`` is done when the user, a signal or the host ended it.

    ``outlets`` are where notifications are shown, the best first; where none can, they are shown in the window.
    """

    def __init__(self, theme: Theme, backend: Backend, outlets: Sequence[Outlet] = ()) -> None:
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.window = MainWindow(theme)
        backend = self._backend = WatchedBackend(backend, self.window.calls)
        window, report = self.window, self.window.banner.show_error
        self.sessions = SessionsPresenter(
            backend,
            window.sessions,
            window.session_page,
            window.transcript,
            report,
            self._show_session,
            self._on_session_done,
        )
        self.completing = CompletingPresenter(backend, window.session_page.composer, report)
        self.showing = ShowingPresenter(backend, window, report, self.session_in_front)
        self.inbox = InboxPresenter(backend, window.inbox, window.requests, report, self._open_run, self._show_waiting)
        self.runs = RunsPresenter(backend, window.runs, window.run_list, report, self.sessions.open)
        self.child = ChildTranscript(backend, window.runs.detail, report, window.session_page.words())
        self.notifications = NotificationsPresenter(
            backend, (*outlets, window.toasts), report, self._sessions_seen, self._open_session, self._open_request
        )
        self.launcher = LauncherPresenter(backend, window.launcher, report, self._on_done, self.session_in_front)
        with theme.undressed():
            self.settings = SettingsPresenter(
                backend, window.settings, theme, report, self.workspace_in_front, self._obey
            )
        self.welcome = WelcomePresenter(backend, window.start_page, report, lambda: window.page() == "start")
        self.for_agents = ForAgents(window, self._turn_to)
        self.review = ReviewPresenter(
            backend,
            window.diff,
            report,
            show=self.for_agents.turn_to_review,
            shown=self.notifications.look,
            sent=self.sessions.open,
            choose=self.launcher.open_form,
            in_front=lambda: window.page() == "diff",
        )
        self._handles = ExitStack()
        self._voice: VoiceService | None = None
        self._connect()

    def open(self) -> None:
        """Show the window; everything is read when the connection stands."""
        self.window.show()
        self._handles.enter_context(self._backend.subscribe_connection(self._on_connection))

    def attach_voice(self, voice: VoiceService) -> None:
        """Show a voice path in the bar; it belongs to the caller."""
        self._voice = voice
        self.window.voice.attach(voice)
        self.settings.voice.attach(voice.trial)
        show = self.window.start_page.show_voice
        self._handles.enter_context(voice.subscribe(lambda view: show(view.state, view.message)))

    def end(self) -> None:
        """Leave; harmless when it is over already."""
        if not self.closed.done():
            self.closed.set_result(None)

    async def close(self) -> None:
        """End what runs for the window, then the window. The host and its sessions go on."""
        self._handles.close()
        self.window.close_panes()
        for presenter in self._presenters():
            await presenter.close()
        self.window.hide()
        self.window.deleteLater()

    def open_pane(self, target: str, id: str | None = None) -> None:
        """Bring a pane to the front, and the window: the ``ui.open`` of the catalog."""
        self._turn_to(target, id)
        self._bring_to_front()

    def _turn_to(self, target: str, id: str | None = None) -> None:
        match target:
            case "session" | "sessions":
                if id is not None:
                    self.sessions.open(id)
                self.window.show_page("session" if self.sessions.current else "start")
            case "workspace":
                first = next((s for s in self.window.sessions.listed() if s.workspace_id == id), None)
                if first is not None:
                    self._turn_to("session", first.id)
            case "inbox" | "approval":
                self.window.show_page("inbox")
                if id is not None:
                    self.window.inbox.open(id)
            case "runs" | "run":
                self._open_run(id)
            case "settings":
                self._open_settings()
            case _ if target.startswith("settings."):
                self._open_settings(target)
            case "launcher":
                self.window.launcher.open()
            case _:
                self.window.show_unknown_page(target)

    def offers(self) -> dict[str, Handler]:
        """What the host may ask of this window, by name."""
        return {
            "ui.open": self.answer_open,
            "show_diff": self.for_agents.answer_show_diff,
            "open_in_desktop": self.for_agents.answer_open,
        }

    async def answer_open(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The host asks this window to open a pane."""
        target, id = str(arguments.get("target") or ""), arguments.get("id")
        if target == "settings.mcp" and (workspace := arguments.get("workspace")):
            self._open_settings(target, str(workspace))
            self._bring_to_front()
        else:
            self.open_pane(target, None if id is None else str(id))
        return {"opened": target}

    async def answer_raise(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Sayso was started once more: come to the front instead."""
        self._bring_to_front()
        return {"pid": os.getpid()}

    def _bring_to_front(self) -> None:
        if self.window.isMinimized():
            self.window.showNormal()
        self.window.raise_()
        self.window.activateWindow()

    def _presenters(self) -> tuple[Presenter, ...]:
        return (
            self.notifications,
            self.launcher,
            self.review,
            self.child,
            self.runs,
            self.inbox,
            self.sessions,
            self.completing,
            self.showing,
            self.settings,
            self.welcome,
        )

    def _connect(self) -> None:
        window = self.window
        window.closed.connect(self.end)
        window.new_asked.connect(lambda: self.launcher.open_form(_SPAWN, self._here()))
        self.settings.servers_page.detail.overrides_asked.connect(self._change_overrides)
        window.settings_asked.connect(self._open_settings)
        window.shortcuts_asked.connect(lambda: self._open_settings("settings.keys"))
        window.recent_asked.connect(self.sessions.open_recent)
        window.theme_chosen.connect(lambda name: self.settings.preferences.change("appearance.theme", name))
        self.settings.privacy.action_asked.connect(self.launcher.open_form)
        window.session_page.composer.action_asked.connect(self.launcher.open_form)
        window.sidebar.archived_asked.connect(self.sessions.show_archived)
        window.session_page.side.action_asked.connect(self._on_side_action)
        window.session_page.side.run_asked.connect(self._open_run)
        window.session_page.transcript.run_asked.connect(self._open_run)
        window.session_page.transcript.diff_asked.connect(self._show_change)
        window.diff.commented.connect(self._send_comments)
        window.session_page.find_bar.opened.connect(self.sessions.read_all)
        window.sidebar.session_chosen.connect(self.sessions.open)
        window.sidebar.menu_asked.connect(self._open_menu)
        window.session_page.header.menu_asked.connect(self._open_header_menu)
        window.runs.detail.session_asked.connect(self.sessions.open)
        window.runs.detail.message_asked.connect(self._write_to_run)
        window.runs.detail.change_asked.connect(self._show_review)
        window.runs.detail.transcript_shown.connect(self.notifications.look)
        window.voice.edit_asked.connect(self.launcher.open_form)
        window.voice.setup.clicked.connect(lambda: self._open_settings("settings.voice"))
        window.banner.retry_asked.connect(self._refresh)
        window.front_changed.connect(self.notifications.look)
        page = window.start_page
        page.folder_asked.connect(lambda: self.launcher.open_form("workspace.add"))
        page.agents_asked.connect(lambda: self._open_settings("settings.providers"))
        page.voice_asked.connect(lambda: self._open_settings("settings.voice"))
        self._handles.enter_context(self._backend.subscribe(self._on_event))

    def _obey(self, values: Mapping[str, Any], changed: bool) -> None:
        """Settings were read, or changed: the keys hold at once; the look was taken at the start, and follows changes.

        What the command line said about it beats the settings for as long as nobody changes them.
        """
        window = self.window
        window.shortcuts.change({k.removeprefix(PREFIX): str(v) for k, v in values.items() if k.startswith(PREFIX)})
        if changed:
            obey_look(window.theme, values)

    def _show_waiting(self, count: int) -> None:
        """How many requests wait: in the side bar, and on the app's icon where the desktop shows numbers there."""
        self.window.sidebar.show_waiting(count)
        badge = QGuiApplication.instance()
        if isinstance(badge, QGuiApplication):
            badge.setBadgeNumber(count)

    def _show_change(self, item_id: str) -> None:
        if (at := self.window.transcript.row_of(item_id)) is not None:
            item = self.window.transcript[at]
            here = self.sessions.current
            session = None if here is None else self.window.sessions.session(here)
            self.for_agents.show_change(session, item.text, change_of(item.data))

    def _send_comments(self, message: str) -> None:
        if (session_id := self.for_agents.shown_for()) is not None:
            self.sessions.send(session_id, message)
            self.window.diff.comments.clear()
            self._turn_to("session", session_id)

    def _on_side_action(self, action_id: str, given: Mapping[str, Any]) -> None:
        if action_id == "session.mcp.set":
            self.launcher.open_form(action_id, given)
        else:
            self.sessions.act(action_id, given)

    def session_in_front(self) -> str | None:
        """The session that "this session" means: the one that is open."""
        return self.sessions.current

    def _sessions_seen(self) -> frozenset[str]:
        """Whom a person is looking at, itself or its run: on the screen, and the window has the keyboard."""
        window = self.window
        if not (window.isVisible() and window.isActiveWindow()):
            return frozenset()
        match window.page():
            case "session":
                return frozenset() if self.sessions.current is None else frozenset({self.sessions.current})
            case "runs":
                runs = [window.runs.detail.run]
            case "diff":
                runs = [window.run_list.run(run_id) for run_id in self.review.run_ids]
            case _:
                runs = []
        return frozenset(run.session_id for run in runs if run is not None and run.session_id is not None)

    def _open_session(self, session_id: str) -> None:
        self.open_pane("session", session_id)

    def _open_request(self, request_id: str) -> None:
        self.open_pane("inbox", request_id)

    def workspace_in_front(self) -> str | None:
        """The directory of the session that is open."""
        session = None if self.sessions.current is None else self.window.sessions.session(self.sessions.current)
        return None if session is None else session.workspace

    def _here(self) -> Mapping[str, Any]:
        """What a new session takes from the one that is open."""
        workspace = self.workspace_in_front()
        return {} if workspace is None else {"workspace": workspace}

    def _on_connection(self, change: ConnectionChange) -> None:
        window = self.window
        window.banner.show_connection(change.state, change.reason)
        window.sidebar.show_connection(change.state)
        self.showing.on_connection(change)
        if change.state is Connection.CONNECTED and change.missed:
            self._refresh()

    def _refresh(self) -> None:
        self.sessions.refresh()
        self.inbox.refresh()
        self.runs.refresh()
        self.settings.preferences.refresh()
        self.welcome.refresh()
        self.settings.refresh()

    def _on_event(self, event: HostEvent) -> None:
        if event.type == "host_will_stop":
            self.window.banner.show_connection(Connection.LOST)
        elif event.type == "inbox_did_change" and self._voice is not None and event.data.get("status") != "open":
            self._voice.request_settled(str(event.data.get("id")))

    def _show_session(self, session: SessionView | None) -> None:
        if session is None:
            if self.window.page() == "session":
                self.window.show_page("start")
        else:
            self.window.show_page("session")
            self.window.sidebar.select(session.id)
            self.showing.look()
            self.notifications.look()

    def _open_menu(self, session_id: str, where: QPoint) -> None:
        session = self.window.sessions.session(session_id)
        if session is not None:
            menu = SessionMenu(session, self.sessions.act, self._rename, self.window, self.window.sessions.targets)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(where)

    def _open_header_menu(self, session_id: str) -> None:
        more = self.window.session_page.header.more
        self._open_menu(session_id, more.mapToGlobal(more.rect().bottomLeft()))

    def _show_review(self, run_id: str, finding: Finding | None) -> None:
        run = self.window.run_list.run(run_id)
        self.review.open(run_id, finding, None if run is None else run.host_session_id)

    def _write_to_run(self, run_id: str) -> None:
        run = self.window.run_list.run(run_id)
        ended = run is not None and run.state.ended
        self.launcher.open_form("execution.run.send", {"run_id": run_id, "resume": ended})

    def _open_settings(self, target: str = "settings", workspace: str | None = None) -> None:
        """A page that is not there yet is said to be missing; nothing else is shown in its place."""
        _, _, name = target.partition(".")
        if name and not self.settings.has(name):
            self.window.show_unknown_page(target)
            return
        self.window.show_page("settings")
        self.settings.open(name or None, workspace)
        self.window.settings.take_focus()

    def _change_overrides(self, binding: str, overrides: Mapping[str, Any]) -> None:
        given = {"binding": binding, "changes": {"overrides": dict(overrides)}}
        self.launcher.open_form("mcp.bindings.edit", given)

    def _rename(self, session_id: str) -> None:
        session = self.window.sessions.session(session_id)
        title = "" if session is None else session.title
        self.launcher.open_form("session.title.set", {"session_id": session_id, "title": title})

    def _on_session_done(self, action_id: str, outcome: Outcome) -> None:
        """Something was done to a session from its menu or its page: show what came of it."""
        if outcome.status is Status.PENDING:
            self._on_done(action_id, outcome)
        elif action_id == "session.fork":
            self.sessions.refresh()
            self.sessions.open(str(outcome.data.get("id")))
        elif action_id == "session.archive":
            self.sessions.refresh()
        elif action_id == "session.export":
            self.window.copy(str(outcome.data.get("text") or ""))
        elif action_id == "worktree.merge":
            merged = outcome.data.get("merge") or {}
            self.window.banner.show_notice(self.window.merged_words(str(merged.get("into"))))
        elif action_id == "session.wirelog.set" and outcome.data.get("on"):
            self.window.banner.show_notice(self.window.wire_log_words(str(outcome.data.get("path"))))

    def _open_run(self, run_id: str | None) -> None:
        self.window.show_page("runs")
        if run_id is not None:
            self.window.runs.open(run_id)

    def _on_done(self, action_id: str, outcome: Outcome) -> None:
        """Something was run from the launcher: show what came of it."""
        if outcome.status is Status.PENDING:
            self.inbox.refresh()
            self.open_pane("inbox", outcome.approval_id)
        elif action_id == _SPAWN:
            session = outcome.data.get("session", outcome.data)
            self.sessions.refresh()
            self.sessions.open(str(session.get("id")))
            self.window.session_page.composer.edit.setFocus()
        elif action_id.endswith(".start") and "results" in outcome.data:
            self.runs.refresh()
            started = next((entry.get("run_id") for entry in outcome.data["results"] if entry.get("ok")), None)
            self._open_run(started)
        else:
            self.window.note_done()
