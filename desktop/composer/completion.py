"""What is offered while somebody types @ or / into a message: files of the workspace, commands of agent and app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from desktop.widgets.basics import restyle

_TOKEN = re.compile(r"(?:^|(?<=\s))@(\S*)$")
_COMMAND = re.compile(r"^/(\S*)$")
_ROWS = 6
_ROW = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Typed:
    """The word at the cursor: ``kind`` is ``@`` or ``/``, ``query`` what follows it, ``start`` where it begins."""

    kind: str
    query: str
    start: int


@dataclass(frozen=True)
class Offer:
    """``text`` takes the place of what was typed; with an ``action`` its form is opened instead."""

    text: str
    about: str = ""
    action: str = ""


def typed_at(text: str, cursor: int) -> Typed | None:
    """What is being typed at ``cursor``; a command only at the very beginning of a message."""
    before = text[:cursor]
    if (found := _COMMAND.search(before)) is not None:
        return Typed("/", found[1], 0)
    if (found := _TOKEN.search(before)) is not None:
        return Typed("@", found[1], found.start())
    return None


def mention(file: str) -> str:
    """A file as a message names it; one with spaces in quotes."""
    return f'@"{file}" ' if " " in file else f"@{file} "


class Offers(QListWidget):
    """The list over the message; the message keeps the keyboard."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "plain")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Suggestions"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(lambda item: self.chosen.emit(item.data(_ROW)))
        self.hide()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """The best first; none hides the list."""
        self.clear()
        for offer in offers:
            item = QListWidgetItem(f"{offer.text.strip()}    {offer.about}".rstrip())
            item.setData(_ROW, offer)
            item.setToolTip(offer.about)
            self.addItem(item)
        self.setVisible(bool(offers))
        if offers:
            self.setCurrentRow(0)
            self.setFixedHeight(min(len(offers), _ROWS) * max(20, self.sizeHintForRow(0)) + 6)
        restyle(self, kind="plain")

    def step(self, down: bool) -> None:
        """To the next or the one before, round and round."""
        if self.count():
            self.setCurrentRow((self.currentRow() + (1 if down else -1)) % self.count())

    def current(self) -> Offer | None:
        item = self.currentItem()
        return None if item is None else item.data(_ROW)
