"""One configured server: what it is, where it is on, how its connection stands, and what can be done with it."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QProgressBar, QScrollArea, QWidget

from actions.catalog.server_use_views import LoginState, ServerState
from actions.catalog.server_views import BindingView, ServerTest, ServerView
from desktop.settings.server_reasons import outcome_text, reason_text
from desktop.settings.server_words import STATE_TONES, definition_text, json_text, scrolled, state_text
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock
from desktop.widgets.basics import Elided, button, chip, column, frame, label, restyle, row
from desktop.widgets.flow import Flow
from desktop.widgets.select import Select

UNSET, ON, OFF = "unset", "on", "off"
_BESIDE = 400


class BindingCard(QWidget):
    """Whether a server is on in one scope. ``changed`` carries unset, on or off."""

    changed = Signal(str)
    overrides_asked = Signal(str, dict)

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        panel = frame("panel")
        column(self).addWidget(panel)
        self._title = Elided(title, tone="strong")
        self.choice = Select(theme)
        self.choice.activated.connect(lambda: self.changed.emit(str(self.choice.currentData())))
        self._overrides = CodeBlock(theme)
        self._overrides.setAccessibleName(self.tr("What is different there"))
        self._note = label(tone="small", wrap=True)
        self.other = button(self.tr("What is different…"), kind="quiet")
        self.other.clicked.connect(self._on_other)
        self._binding: BindingView | None = None
        inside = column(panel, margin=12, gap=8)
        inside.addWidget(self._title)
        inside.addWidget(self.choice)
        inside.addWidget(self._overrides)
        inside.addWidget(self._note)
        inside.addWidget(self.other, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addStretch()

    def show_binding(self, title: str, unset: str, binding: BindingView | None, note: str) -> None:
        self._title.set_full(title)
        self.choice.clear()
        for value, text in ((UNSET, unset), (ON, self.tr("On")), (OFF, self.tr("Off"))):
            self.choice.addItem(text, value)
        self.choice.setAccessibleName(title)
        written = binding is not None and not binding.implied
        now = UNSET if binding is None or not written else ON if binding.enabled else OFF
        self.choice.setCurrentIndex(self.choice.findData(now))
        self._overrides.setVisible(binding is not None and bool(binding.overrides))
        if binding is not None and binding.overrides:
            self._overrides.show_text(json_text(binding.overrides))
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._binding = binding if written else None
        self.other.setVisible(written)
        self.other.setAccessibleName(f"{self.other.text()} {title}")

    def _on_other(self) -> None:
        if self._binding is not None:
            self.overrides_asked.emit(self._binding.id, dict(self._binding.overrides))


class ServerDetail(QScrollArea):
    """Signals say what the user wants; ``bind_asked`` carries server, target and unset, on or off."""

    bind_asked = Signal(str, str, str)
    overrides_asked = Signal(str, dict)
    """The binding whose overrides are to change, and what they are."""
    test_asked = Signal(str)
    cancel_test_asked = Signal(str)
    retry_asked = Signal(str)
    login_asked = Signal(str)
    cancel_login_asked = Signal(str)
    logout_asked = Signal(str)
    trust_asked = Signal()
    edit_asked = Signal(str)
    remove_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._server: ServerView | None = None
        self._workspace: str | None = None
        area = QWidget()
        inside = column(area, margin=(20, 14, 16, 16), gap=10)
        self._title = label(tone="heading", wrap=True)
        self._state = chip()
        head = row()
        head.addWidget(self._title, 1)
        head.addWidget(self._state)
        self._from = label(tone="small", wrap=True, selectable=True)
        self._problem = label(tone="danger", wrap=True, selectable=True)
        self._definition = CodeBlock(theme)
        self._definition.setAccessibleName(self.tr("What it runs"))
        self._warnings = label(tone="warning", wrap=True)
        self.device = BindingCard(theme, "")
        self.here = BindingCard(theme, "")
        self.device.changed.connect(lambda value: self._bind("device", value))
        self.here.changed.connect(lambda value: self._bind(self._workspace or "device", value))
        self._scopes = scopes = row(gap=12)
        for card in (self.device, self.here):
            card.overrides_asked.connect(self.overrides_asked)
        scopes.addWidget(self.device, 1)
        scopes.addWidget(self.here, 1)
        self._stderr_title = label(self.tr("What it wrote last"), tone="group")
        self._stderr = CodeBlock(theme)
        self._stderr.setAccessibleName(self._stderr_title.text())
        self.test = button(self.tr("Test"))
        self.cancel_test = button(self.tr("Cancel the test"))
        self.retry = button(self.tr("Try again"))
        self.login = button(self.tr("Log in"))
        self.logout = button(self.tr("Log out"))
        self.trust = button(self.tr("Review and trust"), kind="primary")
        self.edit = button(self.tr("Edit"))
        self.remove = button(self.tr("Remove"))
        buttons = Flow(gap=8)
        for control in (
            self.trust,
            self.test,
            self.cancel_test,
            self.retry,
            self.login,
            self.logout,
            self.edit,
            self.remove,
        ):
            buttons.addWidget(control)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        self._bar.setAccessibleName(self.tr("Test under way"))
        self._progress = label(tone="muted")
        self._result = label(wrap=True, selectable=True)
        self._result_text = CodeBlock(theme)
        self._result_text.setAccessibleName(self.tr("Result of the test"))
        self._login = label(tone="muted", wrap=True, selectable=True)
        self.cancel_login = button(self.tr("Give up the login"), kind="quiet")
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._tick)
        self._seconds = 0
        inside.addLayout(head)
        for part in (self._from, self._problem, self._definition, self._warnings):
            inside.addWidget(part)
        inside.addLayout(buttons)
        for part in (self._bar, self._progress, self._result, self._result_text, self._login, self.cancel_login):
            inside.addWidget(part)
        inside.addWidget(label(self.tr("Where it is on"), tone="group"))
        inside.addLayout(scopes)
        inside.addWidget(self._stderr_title)
        inside.addWidget(self._stderr)
        inside.addStretch()
        scrolled(area, self)
        for control, asked in (
            (self.test, self.test_asked),
            (self.cancel_test, self.cancel_test_asked),
            (self.retry, self.retry_asked),
            (self.login, self.login_asked),
            (self.cancel_login, self.cancel_login_asked),
            (self.logout, self.logout_asked),
            (self.edit, self.edit_asked),
            (self.remove, self.remove_asked),
        ):
            control.clicked.connect(lambda _=False, asked=asked: self._server and asked.emit(self._server.name))
        self.trust.clicked.connect(self.trust_asked)
        self._forget_results()

    def show_server(self, server: ServerView, state: ServerState | None, workspace: str | None) -> None:
        """Show a server, with what is known of its connection in ``workspace``."""
        if self._server is None or server.name != self._server.name:
            self._forget_results()
        self._server, self._workspace = server, workspace
        self._title.setText(server.title or server.name)
        known = state_text(state.state) if state is not None else self.tr("On") if server.enabled else self.tr("Off")
        self._state.setText(known)
        restyle(self._state, tone=STATE_TONES.get(state.state, "chip") if state is not None else "chip")
        self._from.setText(f"{server.name} · {server.transport} · {server.file}:{server.line}")
        problem = server.problem or ("" if state is None or state.state == "connected" else reason_text(state))
        bad = server.problem is not None or (state is not None and state.error is not None)
        restyle(self._problem, tone="danger" if bad else "muted")
        self._set(self._problem, problem)
        self._definition.show_text(definition_text(server))
        warnings = [*server.warnings, *(state.warnings if state is not None else ())]
        self._set(self._warnings, "\n".join(dict.fromkeys(warnings)))
        self._show_bindings(server)
        tail = (state.stderr or "").strip() if state is not None and state.state != "connected" else ""
        self._stderr_title.setVisible(bool(tail))
        self._stderr.setVisible(bool(tail))
        if tail:
            self._stderr.show_text(tail)
        untrusted = state is not None and state.trust not in (None, "own", "trusted")
        self.trust.setVisible(untrusted)
        self.retry.setVisible(state is not None and state.state in ("failed", "unauthorized"))
        remote = server.url is not None
        self.login.setVisible(remote and (state is None or state.can_log_in))
        self.logout.setVisible(remote and state is not None and state.auth == "login")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side where there is room for both scopes, else one below the other."""
        wide = self.viewport().width() >= _BESIDE
        self._scopes.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        super().resizeEvent(event)

    def show_testing(self) -> None:
        """A test is under way; how long it takes is shown while it does."""
        self._forget_results()
        self._seconds = -1
        self._tick()
        self._bar.show()
        self._progress.show()
        self._clock.start()
        self._show_cancel(running=True)

    def show_test(self, name: str, test: ServerTest | None, message: str = "") -> None:
        """What came of a test, or why there was none; neither where it was cancelled."""
        self._clock.stop()
        self._bar.hide()
        self._progress.hide()
        self._show_cancel(running=False)
        if self._server is None or self._server.name != name:
            return
        if test is None:
            restyle(self._result, tone="danger")
            self._set(self._result, message)
            return
        restyle(self._result, tone="success" if test.ok else "danger")
        if test.ok:
            parts = [self.tr("It works: {0} tools in {1} ms.").format(test.tool_count, test.ms), test.server_info or ""]
            self._set(self._result, " ".join(part for part in parts if part))
        else:
            self._set(self._result, outcome_text(test))
        skipped = [" ".join(entry.values()) for entry in test.skipped]
        lines = test.tools if test.ok else (test.stderr or "").strip().splitlines()
        self._result_text.setVisible(bool([*lines, *skipped, *test.warnings]))
        self._result_text.show_text("\n".join([*lines, *skipped, *test.warnings]))

    def show_login(self, name: str, login: LoginState | None, message: str = "") -> None:
        """How a login stands."""
        if self._server is None or self._server.name != name:
            return
        waiting = login is not None and login.state == "waiting"
        self.cancel_login.setVisible(waiting)
        self.login.setEnabled(not waiting)
        if login is None:
            self._set(self._login, message)
        elif waiting:
            text = self.tr("Finish the login in the browser; {0} seconds left.").format(login.seconds_left or 0)
            self._set(self._login, f"{text}\n{login.url}" if login.url else text)
        else:
            done = {"done": self.tr("You are logged in."), "logged_out": self.tr("You are logged out.")}
            self._set(self._login, done.get(login.state) or login.message or self.tr("The login failed."))

    def _show_bindings(self, server: ServerView) -> None:
        by_target = {binding.target: binding for binding in server.bindings}
        device = by_target.get("device")
        own = server.scope == "workspace"
        note = self.tr("It belongs to the workspace's own file.") if own else ""
        self.device.show_binding(self.tr("This device, every workspace"), self.tr("Not set"), device, note)
        self.device.setEnabled(not own)
        self.here.setVisible(self._workspace is not None)
        if self._workspace is not None:
            title = self.tr("Workspace {0}").format(PurePath(self._workspace).name)
            here = by_target.get(self._workspace)
            result = self.tr("Together: on here") if server.enabled else self.tr("Together: off here")
            unset = self.tr("As its file says") if own else self.tr("As on the device")
            self.here.show_binding(title, unset, here, result)

    def _bind(self, target: str, value: str) -> None:
        if self._server is not None:
            self.bind_asked.emit(self._server.name, target, value)

    def _tick(self) -> None:
        self._seconds += 1
        self._progress.setText(self.tr("Starting it and listing its tools… {0} s").format(self._seconds))

    def _forget_results(self) -> None:
        self._clock.stop()
        self._show_cancel(running=False)
        self.login.setEnabled(True)
        for part in (self._bar, self._progress, self._result, self._result_text, self._login, self.cancel_login):
            part.hide()

    def _show_cancel(self, *, running: bool) -> None:
        """One button in the other's place; who had the focus on one has it on the other."""
        shown, hidden = (self.cancel_test, self.test) if running else (self.test, self.cancel_test)
        focused = hidden.hasFocus()
        shown.show()
        if focused:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)
        hidden.hide()

    @staticmethod
    def _set(part: QLabel, text: str) -> None:
        part.setText(text)
        part.setVisible(bool(text))
