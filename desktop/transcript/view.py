"""The transcript's viewport: any number of rows, a dozen live cards.

Row heights start as estimates and become true when a row comes into sight; the topmost row that stays in sight is the
anchor and does not move while others settle. The view follows the tail only while the user is at the bottom.
"""

from __future__ import annotations

from contextlib import ExitStack

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QPushButton, QWidget

from desktop.theme.spacing import COLUMN_WIDTH, WIDE
from desktop.theme.theme import Theme
from desktop.transcript.cards import CARDS, Card
from desktop.transcript.copying import as_markdown
from desktop.transcript.find import folded, mark, unmark
from desktop.transcript.heights import Heights
from desktop.transcript.model import Change, Item, Kind, TranscriptModel
from desktop.widgets.basics import button

GAP = 10
TOP = 16
FRAME_MS = 33
_LOOKED_AT = 200
_CHROME = {Kind.TOOL: 38, Kind.PERMISSION: 120, Kind.NOTICE: 26, Kind.THOUGHT: 30, Kind.PLAN: 60}


def estimate(item: Item) -> int:
    """A height for a row that was never drawn; it only has to be in the right order of magnitude."""
    if item.kind in (Kind.TOOL, Kind.THOUGHT, Kind.NOTICE):
        return _CHROME[item.kind] + GAP
    lines = item.text.count("\n") + len(item.text) // 90 + 1 + 2 * len(item.data.get("entries") or ())
    return _CHROME.get(item.kind, 24) + 18 * lines + GAP


def estimates(model: TranscriptModel) -> list[int]:
    """A height for every row. Of a long transcript only the newest are looked at one by one: the others get what is
    usual among them, for they become true when they come into sight, and reading all of them is felt."""
    size = len(model)
    if size <= 2 * _LOOKED_AT:
        return [estimate(model[row]) for row in range(size)]
    newest = [estimate(model[row]) for row in range(size - _LOOKED_AT, size)]
    sample = [estimate(model[row]) for row in range(0, size - _LOOKED_AT, max(1, size // _LOOKED_AT))]
    return [sum(sample) // len(sample)] * (size - _LOOKED_AT) + newest


class TranscriptView(QAbstractScrollArea):
    """Draws a :class:`TranscriptModel`. Signals carry the item's id, never a row: rows move, ids stay."""

    answered = Signal(str, str)
    link_asked = Signal(QUrl)
    run_asked = Signal(str)
    diff_asked = Signal(str)
    top_near = Signal()
    """The oldest rows are in sight, or nearly: what is older may be wanted."""

    def __init__(self, model: TranscriptModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._theme = theme
        self._heights = Heights()
        self._live: dict[int, Card] = {}
        self._pool: dict[type[Card], list[Card]] = {}
        self._dirty: set[int] = set()
        self._placing = False
        self.follow = True
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A bar that comes and goes would change the width, and with it every height, in the middle of a layout.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setAutoFillBackground(True)
        self.viewport().setBackgroundRole(self.backgroundRole().Base)
        self.setAccessibleName(self.tr("Transcript"))
        self.verticalScrollBar().setSingleStep(48)
        self.newest = button(self.tr("Jump to newest"))
        self.newest.setParent(self)
        self.newest.hide()
        self.newest.clicked.connect(self.jump_to_newest)
        self._frame = QTimer(self, interval=FRAME_MS, singleShot=True)
        self._frame.timeout.connect(self.flush)
        self._handles = ExitStack()
        self._handles.enter_context(model.subscribe(self._on_change))
        theme.changed.connect(self._on_theme)
        self._on_theme_icon()
        self._reset()

    def close_view(self) -> None:
        """End the subscriptions; the view draws nothing new after it."""
        self._frame.stop()
        self._handles.close()

    @property
    def live_cards(self) -> int:
        return len(self._live)

    def card(self, row: int) -> Card | None:
        """The card that shows ``row``, while it is in sight."""
        return self._live.get(row)

    def jump_to_newest(self) -> None:
        self.follow = True
        self._place()

    def show_item(self, item_id: str) -> None:
        """Bring an item to the top of the view."""
        row = self._model.row_of(item_id)
        if row is not None:
            self.flush()
            self.follow = False
            self.verticalScrollBar().setValue(self._heights.offset(row))

    def show_words(self, item_id: str, words: str) -> None:
        """Bring a row to the top, unfolded where it has to be, and select the first place of ``words`` in it."""
        for card in self._live.values():
            unmark(card)
        row = self._model.row_of(item_id)
        if row is None:
            return
        if folded(self._model[row], words):
            self._model.set_expanded(item_id, True)
        self.show_item(item_id)
        if (card := self._live.get(row)) is not None:
            mark(card, words)

    def open_permission(self) -> str | None:
        """The newest permission that nobody has answered."""
        rows = (self._model[row] for row in reversed(range(len(self._model))))
        open_ones = (i for i in rows if i.kind is Kind.PERMISSION and i.data.get("answer") is None)
        return next((item.id for item in open_ones), None)

    def focus_permission(self) -> bool:
        """Bring the open permission into sight with the keyboard on its first answer; False where there is none."""
        item_id = self.open_permission()
        row = None if item_id is None else self._model.row_of(item_id)
        if item_id is None or row is None:
            return False
        self.show_item(item_id)
        if (card := self._live.get(row)) is not None:
            first = next((b for b in card.findChildren(QPushButton) if b.isVisibleTo(card)), None)
            if first is not None:
                first.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def flush(self) -> None:
        """Draw what changed since the last frame."""
        self._frame.stop()
        dirty, self._dirty = self._dirty, set()
        for row in dirty:
            if row in self._live:
                self._bind(row)
            elif row < len(self._heights):
                self._heights[row] = estimate(self._model[row])
        for row in range(len(self._heights), len(self._model)):
            self._heights.append(estimate(self._model[row]))
        self._place()

    # what changed

    def _on_change(self, change: Change) -> None:
        if change.reset:
            self._reset()
            return
        if change.prepended:
            self._make_room(change.prepended)
        self._dirty |= change.rows
        if not self._frame.isActive():
            self._frame.start()

    def _reset(self) -> None:
        self._recycle(keep_held=False)
        self._dirty.clear()
        self._heights = Heights(estimates(self._model))
        self.follow = True
        self._place()

    def _make_room(self, count: int) -> None:
        """Older rows came: every row is further down by ``count``, and what is in sight stays where it is."""
        known = [self._heights[row] for row in range(len(self._heights))]
        self._heights = Heights([*(estimate(self._model[row]) for row in range(count)), *known])
        self._live = {row + count: card for row, card in self._live.items()}
        self._dirty = {row + count for row in self._dirty}
        self._place()

    def _on_theme(self) -> None:
        self._on_theme_icon()
        self._dirty |= self._live.keys()  # link colours are fixed when markdown is parsed
        self.flush()

    def _on_theme_icon(self) -> None:
        self.newest.setIcon(self._theme.icon("arrow-down"))

    # cards

    def _column(self) -> tuple[int, int]:
        """Left edge and width of the text column."""
        width = min(COLUMN_WIDTH, self.viewport().width() - 2 * WIDE)
        return max(WIDE, (self.viewport().width() - width) // 2), max(width, 120)

    def _bind(self, row: int) -> bool:
        """Draw a row into its card; True when its height is not what was thought."""
        item = self._model[row]
        height = self._live[row].bind(item, self._model.is_expanded(item.id), self._column()[1]) + GAP
        changed = height != self._heights[row]
        self._heights[row] = height
        return changed

    def _ensure(self, row: int) -> bool:
        kind = CARDS[self._model[row].kind]
        card = self._live.get(row)
        if card is not None and type(card) is kind:
            return False
        if card is not None:
            self._give_back(row)
        spare = self._pool.get(kind)
        self._live[row] = spare.pop() if spare else self._make(kind)
        changed = self._bind(row)
        self._live[row].show()
        return changed

    def _make(self, kind: type[Card]) -> Card:
        card = kind(self._theme)
        card.setParent(self.viewport())
        card.toggled.connect(self._on_toggle)
        card.answered.connect(self.answered)
        card.link_asked.connect(self.link_asked)
        card.resized.connect(self._on_resized)
        card.diff_asked.connect(self.diff_asked)
        card.run_asked.connect(self.run_asked)
        card.menu_asked.connect(self._open_menu)
        return card

    def _open_menu(self, item_id: str, where: QPoint, selected: str) -> None:
        row = self._model.row_of(item_id)
        if row is None:
            return
        item = self._model[row]
        menu = QMenu(self)
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(bool(selected))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(selected))
        whole = menu.addAction(self.tr("Copy as Markdown"))
        whole.triggered.connect(lambda: QGuiApplication.clipboard().setText(as_markdown(item)))
        if item.kind in (Kind.TOOL, Kind.THOUGHT):
            expanded = self._model.is_expanded(item_id)
            fold = menu.addAction(self.tr("Hide details") if expanded else self.tr("Show details"))
            fold.triggered.connect(lambda: self._on_toggle(item_id, not expanded))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    def _on_toggle(self, item_id: str, expanded: bool) -> None:
        self.follow = False
        self._model.set_expanded(item_id, expanded)
        self.flush()

    def _on_resized(self, item_id: str) -> None:
        row = self._model.row_of(item_id)
        if row is not None:
            self.follow = False
            self._dirty.add(row)
            self.flush()

    def _give_back(self, row: int) -> None:
        card = self._live.pop(row)
        card.hide()
        self._pool.setdefault(type(card), []).append(card)

    def _recycle(self, *, keep_held: bool) -> None:
        for row in list(self._live):
            if not (keep_held and self._live[row].is_held()):
                self._give_back(row)

    # places

    def _place(self, moved: int = 0) -> None:
        if self._placing or not self.viewport().width():
            return
        self._placing = True
        try:
            self._lay_out(moved)
        finally:
            self._placing = False
        at_end = self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - 2
        self.newest.setVisible(not self.follow and not at_end)
        if self.verticalScrollBar().value() < 2 * self.viewport().height():
            self.top_near.emit()

    def _lay_out(self, moved: int) -> None:
        height = self.viewport().height()
        left, width = self._column()
        seen = {row: card.y() + moved for row, card in self._live.items() if row < len(self._heights)}
        kept = [row for row, y in seen.items() if -self._heights[row] < y < height]
        anchor = min(kept, default=None)
        wanted: list[int] = []
        while True:
            self._set_range(None if anchor is None else (anchor, seen[anchor]))
            wanted, settled = self._cover(self.verticalScrollBar().value() - TOP, height)
            if settled:
                break
        for row in self._live.keys() - set(wanted):
            if row >= len(self._heights) or not self._live[row].is_held():
                self._give_back(row)
        top = TOP - self.verticalScrollBar().value()
        if anchor is not None and (shift := self._heights.offset(anchor) + top - seen[anchor] + moved):
            self.viewport().scroll(
                0, shift
            )  # what is drawn moves with its cards: only what comes into sight is painted
        for row, card in self._live.items():
            card.setGeometry(left, self._heights.offset(row) + top, width, self._heights[row] - GAP)

    def _cover(self, y: int, height: int) -> tuple[list[int], bool]:
        """Give a card to each row between ``y`` and ``y + height``; False when a height changed on the way."""
        rows: list[int] = []
        settled = True
        row = self._heights.row_at(y)
        bottom = y + height
        offset = self._heights.offset(row) if row >= 0 else 0
        while 0 <= row < len(self._heights) and offset < bottom:
            settled &= not self._ensure(row)
            rows.append(row)
            offset += self._heights[row]
            row += 1
        return rows, settled

    def _set_range(self, anchor: tuple[int, int] | None) -> None:
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setRange(0, max(0, self._heights.total + TOP + GAP - self.viewport().height()))
        if self.follow:
            bar.setValue(bar.maximum())
        elif anchor is not None:
            row, y = anchor
            bar.setValue(self._heights.offset(row) + TOP - y)

    # what the user does

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        if not self._placing:
            bar = self.verticalScrollBar()
            self.follow = bar.value() >= bar.maximum() - 2
            self._place(dy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        first = min(self._live, default=None)
        anchor = None if first is None else (first, self._live[first].y())
        self._dirty.clear()
        if event.oldSize().width() != event.size().width():
            for row in list(self._live):
                if self._live[row].is_held():
                    self._bind(row)
            self._recycle(keep_held=True)
        if anchor is not None and not self.follow:
            self._placing = True
            self._set_range(anchor)
            self._placing = False
        for row in range(len(self._heights), len(self._model)):
            self._heights.append(estimate(self._model[row]))
        self._place()
        self.newest.adjustSize()
        self.newest.move((self.width() - self.newest.width()) // 2, self.height() - self.newest.height() - WIDE)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.verticalScrollBar().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        moves = {
            Qt.Key.Key_Home: -bar.maximum(),
            Qt.Key.Key_End: bar.maximum(),
            Qt.Key.Key_PageUp: -bar.pageStep() + 48,
            Qt.Key.Key_PageDown: bar.pageStep() - 48,
            Qt.Key.Key_Up: -bar.singleStep(),
            Qt.Key.Key_Down: bar.singleStep(),
        }
        move = moves.get(Qt.Key(event.key()))
        if move is None:
            super().keyPressEvent(event)
        else:
            bar.setValue(bar.value() + move)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_live"):
            self._dirty |= self._live.keys()
            self.flush()
