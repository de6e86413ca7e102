"""The order in which Tab goes through a page with a form: as it is read, also for what was added later."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QStackedWidget, QWidget


def order_tabs(form: QWidget) -> None:
    """Let Tab go through the page that ``form`` is laid out in as its layouts are read. Qt puts each new widget behind
    all others of the window: what is added to a form would come after its last button."""
    for before, after in pairwise(controls(_page_of(form))):
        if before.nextInFocusChain() is not after:
            QWidget.setTabOrder(before, after)


def controls(widget: QWidget) -> Iterator[QWidget]:
    """What takes the focus inside, in the order in which it is read."""
    if widget.isHidden():
        return
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    scrolled = widget.widget() if isinstance(widget, QScrollArea) else None
    if scrolled is not None:
        yield from controls(scrolled)
    elif not widget.focusPolicy() & Qt.FocusPolicy.TabFocus and (layout := widget.layout()) is not None:
        yield from _inside(layout)


def _inside(layout: QLayout) -> Iterator[QWidget]:
    for at in range(layout.count()):
        item = layout.itemAt(at)
        inner = None if item is None else item.layout()
        widget = None if item is None else item.widget()
        if inner is not None:
            yield from _inside(inner)
        elif widget is not None:
            yield from controls(widget)


def _page_of(widget: QWidget) -> QWidget:
    """The outermost widget that this one is laid out in."""
    page = widget
    while (parent := page.parentWidget()) is not None and _lays_out(parent, page):
        page = parent
    return page


def _lays_out(parent: QWidget, child: QWidget) -> bool:
    if isinstance(parent, QStackedWidget):
        return True
    scrolled = parent.parentWidget()
    if isinstance(scrolled, QScrollArea) and scrolled.viewport() is parent:
        return True
    if isinstance(parent, QScrollArea):
        return parent.viewport() is child
    layout = parent.layout()
    return layout is not None and any(child is one for one in _widgets(layout))


def _widgets(layout: QLayout) -> Iterator[QWidget]:
    for at in range(layout.count()):
        item = layout.itemAt(at)
        if item is not None and (inner := item.layout()) is not None:
            yield from _widgets(inner)
        elif item is not None and (widget := item.widget()) is not None:
            yield widget
