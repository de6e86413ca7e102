"""One run: what it was asked, what it was about, where it stands, what came out, and what its agent says meanwhile."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QTabBar, QWidget

from actions.catalog.views import RunKind, RunState, RunView
from desktop.runs.errors import ErrorWords
from desktop.runs.facts import Finding, Receipt, read_findings, read_receipt
from desktop.runs.findings import FindingList
from desktop.runs.model import RunListModel
from desktop.runs.result import result_markdown
from desktop.theme.spacing import COLUMN_WIDTH
from desktop.theme.theme import Theme
from desktop.transcript.markdown import MarkdownBody
from desktop.transcript.model import TranscriptModel
from desktop.transcript.view import TranscriptView
from desktop.widgets.basics import Elided, EmptyState, button, chip, column, label, restyle, row
from desktop.widgets.flow import Flow

_CHIPS = {
    RunState.RUNNING: "chip-accent",
    RunState.SUCCEEDED: "chip-success",
    RunState.FAILED: "chip-danger",
    RunState.INTERRUPTED: "chip-warning",
}
_SIDES = 64
_OVERVIEW, _TRANSCRIPT = 0, 1


class RunDetail(QFrame):
    """Two pages: the overview, and the transcript of the run's own session."""

    stop_asked = Signal(str)
    findings_asked = Signal(str, str)
    """The findings of a run are to be sent to a session."""
    change_asked = Signal(str, object)
    """The change of a review is to be shown, at a :class:`Finding` or at none."""
    message_asked = Signal(str)
    session_asked = Signal(str)
    link_asked = Signal(QUrl)
    transcript_shown = Signal()

    def __init__(self, theme: Theme, model: RunListModel) -> None:
        super().__init__()
        self._model = model
        self._run: RunView | None = None
        self._errors = ErrorWords(self)
        self.setProperty("kind", "page")
        self._title = label(tone="heading", wrap=True)
        self._state = chip()
        self._who = Elided(tone="muted")
        self.change = button(self.tr("Show in the change"))
        self.change.clicked.connect(lambda: self._run and self.change_asked.emit(self._run.id, None))
        self.stop = button(self.tr("Stop the run"))
        self.stop.clicked.connect(lambda: self._run and self.stop_asked.emit(self._run.id))
        self.open = button(self.tr("Open its session"))
        self.open.clicked.connect(
            lambda: self._run and self._run.session_id and self.session_asked.emit(self._run.session_id)
        )
        self.hand_over = button(self.tr("Send the findings to the session"))
        self.hand_over.clicked.connect(self._on_hand_over)
        self.write = button(self.tr("Write to the run…"))
        self.write.clicked.connect(lambda: self._run and self.message_asked.emit(self._run.id))
        self.tabs = QTabBar()
        self.tabs.addTab(self.tr("Overview"))
        self.tabs.addTab(self.tr("Transcript"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(self.tr("Overview or transcript of the run"))
        self.transcript_model = TranscriptModel()
        self.transcript = TranscriptView(self.transcript_model, theme)
        self.transcript.link_asked.connect(self.link_asked)
        self._note = EmptyState(theme, "sessions", "", "")
        self._said = QStackedWidget()
        self._said.addWidget(self._note)
        self._said.addWidget(self.transcript)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._overview(theme))
        self._pages.addWidget(self._said)
        self.tabs.currentChanged.connect(self._on_tab)
        top = row()
        top.addWidget(self._title, 1)
        top.addWidget(self._state, 0, Qt.AlignmentFlag.AlignTop)
        buttons = Flow()
        for widget in (self.change, self.hand_over, self.open, self.write, self.stop):
            buttons.addWidget(widget)
        head = column(margin=(32, 20, 32, 4), gap=10)
        head.addLayout(top)
        head.addWidget(self._who)
        head.addLayout(buttons)
        head.addWidget(self.tabs)
        inside = column(self, gap=0)
        inside.addLayout(head)
        inside.addWidget(self._pages, 1)
        self.show_said("loading")
        theme.changed.connect(self._draw)

    def _overview(self, theme: Theme) -> QWidget:
        self._asked = label(wrap=True, selectable=True)
        self._scope = label(tone="muted", wrap=True, selectable=True)
        self._stale = label(tone="warning", wrap=True, selectable=True)
        self._found = label(tone="strong", wrap=True)
        self._unread = label(tone="warning", wrap=True, selectable=True)
        self.findings = FindingList(theme)
        self.findings.place_asked.connect(self._on_place)
        self._error = label(tone="danger", wrap=True, selectable=True)
        self._quiet = label(tone="muted", wrap=True)
        self.result = MarkdownBody(theme)
        self.result.setAccessibleName(self.tr("Result of the run"))
        self.result.link_asked.connect(self.link_asked)
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        inside = column(canvas, margin=(32, 12, 32, 24), gap=12)
        for widget in (self._scope, self._asked, self._stale, self._error, self._quiet, self._found, self.findings):
            inside.addWidget(widget)
        for widget in (self._unread, self.result):
            inside.addWidget(widget)
        inside.addStretch()
        self._scroll = QScrollArea()
        self._scroll.setProperty("kind", "plain")
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(canvas)
        return self._scroll

    def show_run(self, run: RunView | None) -> None:
        """Show a run, or the one that is shown as it now is; another one begins where there is most to see."""
        other = run is not None and (self._run is None or self._run.id != run.id)
        self._run = run
        self.setVisible(run is not None)
        if other and run is not None:
            self._scroll.verticalScrollBar().setValue(0)
            self.tabs.setCurrentIndex(_OVERVIEW if run.state.ended else _TRANSCRIPT)
        self._draw()
        self.transcript_shown.emit()

    @property
    def run(self) -> RunView | None:
        """The run that is shown."""
        return self._run

    @property
    def watched(self) -> str | None:
        """The session whose transcript is on the screen."""
        return self._run.session_id if self._run is not None and self.tabs.currentIndex() == _TRANSCRIPT else None

    def show_said(self, state: str, message: str = "") -> None:
        """The transcript is ``loading``, ``shown``, ``empty``, or there is none: ``missing`` or ``problem``."""
        self._said.setCurrentIndex(1 if state == "shown" else 0)
        match state:
            case "loading":
                self._note.show_text("clock", self.tr("Loading…"), "")
            case "empty":
                self._note.show_text("sessions", self.tr("Nothing was said yet"), "")
            case "missing":
                self._note.show_text(
                    "sessions", self.tr("It has no session: it did not start, or its session was deleted"), ""
                )
            case "problem":
                self._note.show_text("alert", self.tr("The transcript could not be read"), message, "danger")

    def close_view(self) -> None:
        """End what the transcript listens to."""
        self.transcript.close_view()

    def _on_tab(self, at: int) -> None:
        self._pages.setCurrentIndex(at)
        self.transcript_shown.emit()

    def _draw(self) -> None:
        run = self._run
        if run is None:
            return
        self._title.setText(self._model.kind_text(run.kind))
        self._state.setText(self._model.state_text(run.state))
        restyle(self._state, tone=_CHIPS.get(run.state, "chip"))
        self._who.set_full(f"{run.provider} · {run.workspace}")
        self._asked.setText(run.instructions)
        self._asked.setVisible(bool(run.instructions))
        self._error.setText(self._errors.text(run))
        self._error.setVisible(run.error is not None)
        receipt = read_receipt(run.scope)
        self._scope.setText("" if receipt is None else self._receipt_words(receipt))
        self._scope.setVisible(receipt is not None)
        self._stale.setVisible(run.stale)
        if run.stale and receipt is not None:
            nothing = self.tr("no commit")
            now = (run.head_now or "")[:8] or nothing
            moved = self.tr("Stale: HEAD moved from {0} to {1} since. Review again to be sure.")
            self._stale.setText(moved.format(receipt.head or nothing, now))
        self._show_findings(run)
        self.change.setVisible(run.kind is RunKind.REVIEW and run.scope is not None)
        self.write.setVisible(not run.state.ended or run.session_id is not None)
        self.stop.setVisible(not run.state.ended)
        self.open.setVisible(run.session_id is not None)
        text = result_markdown(run.result)
        self._quiet.setText(self._quiet_words(run))
        self._quiet.setVisible(not run.result and run.error is None)
        self.result.setVisible(bool(text))
        if text:
            room = self._scroll.viewport().width() - _SIDES
            self.result.show_markdown(text, min(COLUMN_WIDTH, max(200, room)))

    def _quiet_words(self, run: RunView) -> str:
        return {
            RunState.QUEUED: self.tr("Its agent is being started."),
            RunState.RUNNING: self.tr("It is at work; its result will be here."),
            RunState.CANCELLED: self.tr("It was stopped before it had a result."),
        }.get(run.state, self.tr("It has no result."))

    def _show_findings(self, run: RunView) -> None:
        found = read_findings(run.result)
        reviewed = run.kind is RunKind.REVIEW and run.state is RunState.SUCCEEDED
        if found is None or not reviewed:
            self._found.hide()
        else:
            one, many = self.tr("1 finding"), self.tr("{0} findings").format(len(found))
            self._found.setText(self.tr("Nothing was found") if not found else one if len(found) == 1 else many)
            self._found.show()
        self.findings.setVisible(bool(found))
        self.findings.show_findings(found or [])
        self.hand_over.setVisible(bool(found) and run.host_session_id is not None)
        problem = (run.result or {}).get("findings_problem")
        self._unread.setVisible(bool(problem))
        self._unread.setText(
            self.tr("Its findings could not be read as a list ({0}); they are in its text.").format(problem)
        )

    def _receipt_words(self, receipt: Receipt) -> str:
        size = self.tr("{0} files, +{1} −{2}").format(receipt.files, receipt.added, receipt.deleted)
        if receipt.change == "branch":
            what = self.tr("{0} commits on {1}, from {2} to {3}").format(
                receipt.commits, receipt.branch or self.tr("no branch"), receipt.base, receipt.head
            )
        else:
            at = receipt.head or self.tr("no commit yet")
            what = self.tr("Uncommitted changes on {0} at {1}").format(receipt.branch or self.tr("no branch"), at)
            parts = self.tr("{0} staged, {1} unstaged, {2} untracked").format(
                receipt.staged, receipt.unstaged, receipt.untracked
            )
            size = f"{size} ({parts})"
        return f"{what}: {size}"

    def _on_hand_over(self) -> None:
        if self._run is not None and self._run.host_session_id is not None:
            self.findings_asked.emit(self._run.id, self._run.host_session_id)

    def _on_place(self, finding: Finding | None) -> None:
        if self._run is not None:
            self.change_asked.emit(self._run.id, finding)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()
