"""What reviews found, beside their change: who said what, where it is, and which of it goes to the session."""

from __future__ import annotations

from collections.abc import Container, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from actions.catalog.run_views import FindingView, Reviewer, ReviewFindings
from actions.catalog.views import RunState
from desktop.diff.marks import Mark
from desktop.theme.theme import Theme
from desktop.widgets.basics import button, column, label, row

_ID = Qt.ItemDataRole.UserRole
_LOOKS = {"error": ("alert", "danger"), "warning": ("alert", "warning"), "note": ("question", "muted")}
_LONGEST = 600
_BESIDE = 76
"""Pixels of a row that are not for its words: mark, icon, and what is around them."""
_PADDING = 16
WIDTH = 320


class FindingsPanel(QFrame):
    """A list that says all that the drawn lines say. ``gone_to`` is a finding's id, ``entered`` one to go on from."""

    gone_to = Signal(str)
    entered = Signal(str)
    sent = Signal(list)
    """Ids of the findings that were chosen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "side")
        self.setMinimumWidth(250)
        self._theme = theme
        self._review: ReviewFindings | None = None
        self._on_change: Container[str] = ()
        self._count = label(tone="strong", wrap=True)
        self._who = label(tone="small", wrap=True, selectable=True)
        self.stale = label(tone="warning", wrap=True, selectable=True)
        self.list = QListWidget()
        self.list.setProperty("kind", "plain")
        self.list.setAccessibleName(self.tr("Findings"))
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.list.setIconSize(QSize(14, 14))
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = _Rows(self.list)
        self.list.setItemDelegate(self._rows)
        self.list.currentItemChanged.connect(self._on_current)
        self.list.itemClicked.connect(self._on_current)
        self.list.itemActivated.connect(lambda item: self.entered.emit(item.data(_ID) or ""))
        self.list.itemChanged.connect(lambda _: self._show_chosen())
        self.all = button("", kind="inline")
        self.all.clicked.connect(self._choose_all)
        self.send = button("", kind="primary")
        self.send.clicked.connect(lambda: self.sent.emit(self.chosen()))
        foot = row()
        foot.addWidget(self.all)
        foot.addStretch(1)
        foot.addWidget(self.send)
        head = column(margin=(16, 12, 16, 8), gap=4)
        for widget in (self._count, self._who, self.stale):
            head.addWidget(widget)
        inside = column(self, gap=0)
        inside.addLayout(head)
        inside.addWidget(self.list, 1)
        below = column(margin=(12, 8, 12, 10))
        below.addLayout(foot)
        inside.addLayout(below)
        theme.changed.connect(self._draw_icons)

    def marks(self, review: ReviewFindings) -> list[Mark]:
        """The findings as they are written at their lines."""
        return [
            Mark(one.id, one.file, one.line, one.severity, f"{self._gravity(one.severity)} · {_words(one)}")
            for one in review.findings
        ]

    def show_review(self, review: ReviewFindings, on_change: Container[str]) -> None:
        """List the findings, those outside of the change apart; what was chosen and where one stood stays."""
        kept = set(self.unchosen()) if self._review is not None else set[str]()
        stood = self.current()
        self._review, self._on_change = review, on_change
        count = len(review.findings)
        one, many = self.tr("1 finding"), self.tr("{0} findings").format(count)
        none = self.tr("Nothing was found") if any(who.findings is not None for who in review.reviewers) else ""
        self._count.setText(one if count == 1 else many if count else none)
        self._count.setVisible(bool(self._count.text()))
        self._who.setText("\n".join(self._reviewer(who) for who in review.reviewers))
        self.stale.setText(self._stale(review))
        self.stale.setVisible(review.stale)
        self.list.blockSignals(True)
        self.list.clear()
        inside = [one for one in review.findings if one.id in on_change]
        outside = [one for one in review.findings if one.id not in on_change]
        for one in inside:
            self.list.addItem(self._item(one, kept))
        if outside:
            apart = QListWidgetItem(self.tr("Not on a line of this change"))
            apart.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(apart)
        for one in outside:
            self.list.addItem(self._item(one, kept))
        self.list.blockSignals(False)
        self._draw_icons()
        self.select(stood or "")
        self._show_chosen()

    def chosen(self) -> list[str]:
        """The ids that are to be sent."""
        return [str(item.data(_ID)) for item in self._items() if item.checkState() is Qt.CheckState.Checked]

    def unchosen(self) -> list[str]:
        return [str(item.data(_ID)) for item in self._items() if item.checkState() is not Qt.CheckState.Checked]

    def current(self) -> str | None:
        """The id of the finding that the list stands at."""
        item = self.list.currentItem()
        return None if item is None else item.data(_ID)

    def select(self, finding_id: str) -> None:
        """Stand at a finding without going to its line: the line is where somebody is."""
        item = next((item for item in self._items() if item.data(_ID) == finding_id), None)
        if item is not None:
            self.list.blockSignals(True)
            self.list.setCurrentItem(item)
            self.list.blockSignals(False)

    def _items(self) -> Sequence[QListWidgetItem]:
        items = (self.list.item(at) for at in range(self.list.count()))
        return [item for item in items if item.data(_ID) is not None]

    def _item(self, one: FindingView, unchosen: Container[str]) -> QListWidgetItem:
        place = one.file if one.line is None else f"{one.file}:{one.line}"
        others = [f"{said.provider}: {_short(said.text)}" for said in one.said if said.text != one.text]
        lines = [f"{place} · {self._gravity(one.severity)}", _short(one.text), ", ".join(one.found_by), *others]
        item = QListWidgetItem("\n".join(line for line in lines if line))
        item.setData(_ID, one.id)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Unchecked if one.id in unchosen else Qt.CheckState.Checked)
        spoken = f"{self._gravity(one.severity)}, {place}: {one.text} ({', '.join(one.found_by)})"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        return item

    def _draw_icons(self) -> None:
        icons = {severity: self._theme.icon(*look) for severity, look in _LOOKS.items()}
        looks = {one.id: icons[one.severity] for one in self._review.findings} if self._review is not None else {}
        self.list.blockSignals(True)
        for item in self._items():
            item.setIcon(looks[str(item.data(_ID))])
        self.list.blockSignals(False)

    def _show_chosen(self) -> None:
        chosen, count = len(self.chosen()), len(self._items())
        to_session = self._review is not None and self._review.session_id is not None
        if to_session:
            one, many = self.tr("Send 1 finding"), self.tr("Send {0} findings").format(chosen)
        else:
            one, many = self.tr("Send 1 finding to…"), self.tr("Send {0} findings to…").format(chosen)
        self.send.setText(one if chosen == 1 else many)
        self.send.setEnabled(chosen > 0)
        self.all.setText(self.tr("Choose none") if chosen == count else self.tr("Choose all"))
        for widget in (self.send, self.all):
            widget.setVisible(count > 0)

    def _choose_all(self) -> None:
        state = Qt.CheckState.Unchecked if len(self.chosen()) == len(self._items()) else Qt.CheckState.Checked
        self.list.blockSignals(True)
        for item in self._items():
            item.setCheckState(state)
        self.list.blockSignals(False)
        self._show_chosen()

    def _on_current(self, item: QListWidgetItem | None, *_: object) -> None:
        if item is not None and item.data(_ID) is not None:
            self.gone_to.emit(str(item.data(_ID)))

    def _gravity(self, severity: str) -> str:
        return {"error": self.tr("error"), "warning": self.tr("warning")}.get(severity, self.tr("note"))

    def _reviewer(self, who: Reviewer) -> str:
        """Who reviewed, and what became of it."""
        if who.findings is not None:
            return f"{who.provider}: {who.findings}"
        if not who.state.ended:
            return self.tr("{0} is still reviewing").format(who.provider)
        if who.state is RunState.CANCELLED:
            return self.tr("{0} was stopped").format(who.provider)
        if who.state is RunState.SUCCEEDED:
            return self.tr("{0} gave no list that can be read; its text is in the run").format(who.provider)
        return self.tr("{0} failed: {1}").format(who.provider, who.problem or "")

    def _stale(self, review: ReviewFindings) -> str:
        nothing = self.tr("no commit")
        then = str(review.scope.get("head") or "")[:8] or nothing
        return self.tr("Stale: HEAD moved from {0} to {1} since. Lines may have moved.").format(
            then, (review.head_now or "")[:8] or nothing
        )


class _Rows(QStyledItemDelegate):
    """Rows that are high enough for their words: the usual ones do not know of the padding of the style sheet."""

    def __init__(self, view: QListWidget) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        room = max(40, self._view.viewport().width() - _BESIDE)
        words = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        box = option.fontMetrics.boundingRect(QRect(0, 0, room, 1 << 20), int(Qt.TextFlag.TextWordWrap), words)
        return QSize(room, box.height() + _PADDING)


def _words(one: FindingView) -> str:
    """What is written at the line: everyone's own words where they differ."""
    if all(said.text == one.text for said in one.said):
        return f"{', '.join(one.found_by)}: {one.text}"
    return " · ".join(f"{said.provider}: {said.text}" for said in one.said)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
