"""The frame of the settings: the pages' names on the left, the page on the right."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from desktop.theme.theme import Theme
from desktop.widgets.basics import column, frame, label, row

_NAME, _TITLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_WIDE, _WIDTH, _NARROW = 640, 168, 56


@runtime_checkable
class Searched(Protocol):
    """A page whose settings a search finds one by one."""

    def words(self) -> str: ...

    def reveal(self, query: str) -> None: ...


class SettingsPane(QFrame):
    """Shows one page at a time; ``shown`` is emitted with its name when it comes to the front."""

    shown = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self._theme = theme
        self._icons: list[str] = []
        self.list = QListWidget()
        self.list.setProperty("kind", "plain")
        self.list.setIconSize(QSize(16, 16))
        self.list.setAccessibleName(self.tr("Pages of the settings"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._on_row)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_search)
        self._pages = QStackedWidget()
        self._side = side = frame("sidebar")
        self._head = label(self.tr("Settings"), tone="group")
        inside = column(side, margin=(8, 14, 8, 8))
        inside.addWidget(self._head)
        inside.addWidget(self.search)
        inside.addWidget(self.list, 1)
        both = row(self, gap=0)
        both.addWidget(side)
        both.addWidget(self._pages, 1)
        theme.changed.connect(self._draw)

    def add_page(self, name: str, title: str, icon: str, page: QWidget) -> None:
        """A further page, below the others. ``name`` is what ``settings.<name>`` opens."""
        entry = QListWidgetItem(title)
        entry.setData(_NAME, name)
        entry.setData(_TITLE, title)
        entry.setData(Qt.ItemDataRole.AccessibleTextRole, title)
        self._icons.append(icon)
        self._pages.addWidget(page)
        self.list.addItem(entry)
        self._draw()
        self._fit()

    def names(self) -> list[str]:
        return [str(self.list.item(at).data(_NAME)) for at in range(self.list.count())]

    def open(self, name: str | None = None) -> None:
        """Bring a page to the front; without a name the one that was last there."""
        at = max(0, self.list.currentRow()) if name is None else self.names().index(name)
        if at == self.list.currentRow():
            self._on_row(at)
        else:
            self.list.setCurrentRow(at)

    def current(self) -> str | None:
        entry = self.list.currentItem()
        return None if entry is None else str(entry.data(_NAME))

    def take_focus(self) -> None:
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_row(self, at: int) -> None:
        if at >= 0:
            self._pages.setCurrentIndex(at)
            self.shown.emit(self.names()[at])

    def _on_search(self, text: str) -> None:
        """Only the pages stay that hold every word; the first of them comes to the front."""
        wanted = text.casefold().split()
        fitting: list[int] = []
        for at in range(self.list.count()):
            entry, page = self.list.item(at), self._pages.widget(at)
            words = page.words() if isinstance(page, Searched) else str(entry.data(_TITLE)).casefold()
            fits = all(word in words for word in wanted)
            entry.setHidden(not fits)
            if fits:
                fitting.append(at)
        if wanted and fitting:
            if self.list.currentRow() not in fitting:
                self.list.setCurrentRow(fitting[0])
            page = self._pages.currentWidget()
            if isinstance(page, Searched):
                page.reveal(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """Where there is little room the pages stand by their icons alone."""
        wide = self.width() >= _WIDE
        self._head.setVisible(wide)
        self.search.setVisible(wide)
        self._side.setFixedWidth(_WIDTH if wide else _NARROW)
        for at in range(self.list.count()):
            entry = self.list.item(at)
            title = str(entry.data(_TITLE))
            entry.setText(title if wide else "")
            entry.setToolTip("" if wide else title)

    def _draw(self) -> None:
        for at, icon in enumerate(self._icons):
            if (entry := self.list.item(at)) is not None:
                entry.setIcon(self._theme.icon(icon))
