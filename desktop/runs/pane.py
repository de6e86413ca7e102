"""The runs: a list on the left, one run with its result on the right."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QScrollArea,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from actions.catalog.views import RunKind, RunState, RunView
from desktop.runs.facts import Receipt, read_findings, read_receipt
from desktop.runs.findings import FindingList
from desktop.runs.model import ROW, RunListModel
from desktop.runs.result import result_markdown
from desktop.sessions.delegate import age
from desktop.theme.spacing import COLUMN_WIDTH, RADIUS
from desktop.theme.theme import Theme
from desktop.transcript.markdown import MarkdownBody
from desktop.widgets.basics import EmptyState, button, chip, column, frame, label, restyle, row
from desktop.widgets.flow import Flow

ROLES = {
    RunState.QUEUED: "muted",
    RunState.RUNNING: "accent_text",
    RunState.SUCCEEDED: "success",
    RunState.FAILED: "danger",
    RunState.CANCELLED: "muted",
    RunState.INTERRUPTED: "warning",
}
_CHIPS = {
    RunState.RUNNING: "chip-accent",
    RunState.SUCCEEDED: "chip-success",
    RunState.FAILED: "chip-danger",
    RunState.INTERRUPTED: "chip-warning",
}


class RunDelegate(QStyledItemDelegate):
    """Kind and age; below, provider and state in its colour."""

    def __init__(self, theme: Theme, model: RunListModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, 2 * option.fontMetrics.height() + 22)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        run = index.data(ROW)
        if not isinstance(run, RunView):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color("selected" if selected else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(4, 2, -4, -2), RADIUS, RADIUS)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._color("accent_text"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(option.rect).adjusted(4.5, 2.5, -4.5, -2.5), RADIUS, RADIUS)
        small = QFont(option.font)
        small.setPointSizeF(small.pointSizeF() - 1)
        line = option.fontMetrics.height()
        left, right, top = option.rect.left() + 18, option.rect.right() - 16, option.rect.top() + 11
        since = age(run.created, int(datetime.now(UTC).timestamp() * 1000))
        painter.setFont(small)
        wide = painter.fontMetrics().horizontalAdvance(since)
        self._text(painter, small, "muted", QRect(right - wide, top, wide + 2, line), since)
        what = run.instructions.split("\n")[0] or self._model.kind_text(run.kind)
        self._text(painter, option.font, "text", QRect(left, top, right - left - wide - 8, line), what)
        state = self._model.state_text(run.state)
        painter.setFont(small)
        used = painter.fontMetrics().horizontalAdvance(state)
        self._text(painter, small, ROLES[run.state], QRect(left, top + line, used + 2, line), state)
        rest = QRect(left + used, top + line, right - left - used, line)
        self._text(painter, small, "muted", rest, f" · {self._model.kind_text(run.kind)} · {run.provider}")
        painter.restore()

    def _color(self, role: str) -> QColor:
        return QColor(getattr(self._theme.scheme, role))

    def _text(self, painter: QPainter, font: QFont, role: str, where: QRect, text: str) -> None:
        painter.setFont(font)
        painter.setPen(self._color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, where.width()))
        painter.drawText(where, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)


class RunDetail(QScrollArea):
    """One run: what it was asked, what it was about, where it stands, what came out."""

    stop_asked = Signal(str)
    findings_asked = Signal(str, str)
    """The findings of a run are to be sent to a session."""
    message_asked = Signal(str)
    session_asked = Signal(str)
    link_asked = Signal(QUrl)

    def __init__(self, theme: Theme, model: RunListModel) -> None:
        super().__init__()
        self._model = model
        self._run: RunView | None = None
        self.setProperty("kind", "plain")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        self._title = label(tone="heading", wrap=True)
        self._state = chip()
        self._who = label(tone="muted", wrap=True)
        self._asked = label(wrap=True, selectable=True)
        self._scope = label(tone="muted", wrap=True, selectable=True)
        self._stale = label(
            self.tr("The repository has moved on to another commit since. Review again to be sure."),
            tone="warning",
            wrap=True,
        )
        self._found = label(tone="strong", wrap=True)
        self._unread = label(tone="warning", wrap=True, selectable=True)
        self.findings = FindingList(theme)
        self._error = label(tone="danger", wrap=True, selectable=True)
        self.result = MarkdownBody(theme)
        self.result.setAccessibleName(self.tr("Result of the run"))
        self.result.link_asked.connect(self.link_asked)
        self.stop = button(self.tr("Stop the run"))
        self.stop.clicked.connect(lambda: self._run and self.stop_asked.emit(self._run.id))
        self.open = button(self.tr("Show the transcript"))
        self.open.clicked.connect(
            lambda: self._run and self._run.session_id and self.session_asked.emit(self._run.session_id)
        )
        self.hand_over = button(self.tr("Send the findings to the session"))
        self.hand_over.clicked.connect(self._on_hand_over)
        self.write = button(self.tr("Write to the run…"))
        self.write.clicked.connect(lambda: self._run and self.message_asked.emit(self._run.id))
        top = row()
        top.addWidget(self._title, 1)
        top.addWidget(self._state, 0, Qt.AlignmentFlag.AlignTop)
        buttons = Flow()
        for widget in (self.hand_over, self.open, self.write, self.stop):
            buttons.addWidget(widget)
        inside = column(canvas, margin=(32, 24, 32, 24), gap=12)
        inside.addLayout(top)
        for widget in (self._who, self._scope, self._asked):
            inside.addWidget(widget)
        inside.addLayout(buttons)
        for widget in (self._stale, self._error, self._found, self.findings, self._unread, self.result):
            inside.addWidget(widget)
        inside.addStretch()
        self.setWidget(canvas)
        theme.changed.connect(self._draw)

    def show_run(self, run: RunView | None) -> None:
        self._run = run
        self.setVisible(run is not None)
        self._draw()

    def _draw(self) -> None:
        run = self._run
        if run is None:
            return
        self._title.setText(self._model.kind_text(run.kind))
        self._state.setText(self._model.state_text(run.state))
        restyle(self._state, tone=_CHIPS.get(run.state, "chip"))
        self._who.setText(f"{run.provider} · {run.workspace}")
        self._asked.setText(run.instructions)
        self._asked.setVisible(bool(run.instructions))
        self._error.setText("" if run.error is None else run.error.message)
        self._error.setVisible(run.error is not None)
        receipt = read_receipt(run.scope)
        self._scope.setText("" if receipt is None else self._receipt_words(receipt))
        self._scope.setVisible(receipt is not None)
        self._stale.setVisible(run.stale)
        self._show_findings(run)
        self.write.setVisible(not run.state.ended or run.session_id is not None)
        self.stop.setVisible(not run.state.ended)
        self.open.setVisible(run.session_id is not None)
        text = result_markdown(run.result)
        self.result.setVisible(bool(text))
        if text:
            self.result.show_markdown(text, min(COLUMN_WIDTH, max(200, self.viewport().width() - 64)))

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()


class RunsPane(QFrame):
    """Composes list and detail."""

    def __init__(self, theme: Theme, model: RunListModel) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.model = model
        self._current: str | None = None
        self._wanted: str | None = None  # to be opened, and not read yet
        self.list = QListView()
        self.list.setProperty("kind", "plain")
        self.list.setAccessibleName(self.tr("Runs"))
        self.list.setModel(model)
        self._delegate = RunDelegate(theme, model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.detail = RunDetail(theme, model)
        self._empty = EmptyState(theme, "runs", "", "")
        side = frame("sidebar")
        side.setMinimumWidth(180)
        side.setMaximumWidth(320)
        column(side, margin=(4, 8, 4, 8)).addWidget(self.list)
        both = QFrame()
        inside = row(both, gap=0)
        inside.addWidget(side, 2)
        inside.addWidget(self.detail, 3)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(both)
        bar = frame("bar")
        row(bar, margin=(24, 14, 16, 14)).addWidget(label(self.tr("Runs"), tone="heading"))
        layout = column(self, gap=0)
        layout.addWidget(bar)
        layout.addWidget(self._pages, 1)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        model.modelReset.connect(self._on_rows)
        model.dataChanged.connect(lambda *_: self._show_current())
        theme.changed.connect(lambda: self.list.viewport().update())
        self.show_loading()

    def show_loading(self) -> None:
        self._empty.show_text("clock", self.tr("Loading…"), "")
        self._pages.setCurrentIndex(0)

    def show_problem(self, message: str) -> None:
        if not self.model.rowCount():
            self._empty.show_text("alert", self.tr("The runs could not be read"), message, "danger")
            self._pages.setCurrentIndex(0)

    def open(self, run_id: str) -> None:
        """Show a run, at once or when it has been read."""
        self._wanted = run_id
        self._on_rows()

    def _on_rows(self) -> None:
        if not self.model.rowCount():
            self._empty.show_text(
                "runs",
                self.tr("No runs yet"),
                self.tr("A run is an agent with one job: a plan, a review or a piece of work."),
            )
            self._pages.setCurrentIndex(0)
            return
        self._pages.setCurrentIndex(1)
        at = self.model.position(self._wanted) if self._wanted else None
        if at is not None:
            self._wanted = None
        elif self._current:
            at = self.model.position(self._current)
        index = self.model.index(0 if at is None else at)
        self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._on_current(index)

    def _on_current(self, index: QModelIndex, *_: object) -> None:
        run = index.data(ROW)
        if isinstance(run, RunView):
            self._current = run.id
            self.detail.show_run(run)

    def _show_current(self) -> None:
        if self._current is not None:
            self.detail.show_run(self.model.run(self._current))
