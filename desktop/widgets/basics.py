"""Labels, buttons and layouts in the house's look. Text is always plain: nothing guesses rich text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.theme import icons
from desktop.theme.theme import Theme

_BUTTON_SIDES = 28


def restyle(widget: QWidget, **properties: object) -> None:
    """Set dynamic properties and let the style sheet look again."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def label(text: str = "", *, tone: str | None = None, wrap: bool = False, selectable: bool = False) -> QLabel:
    """A label that draws ``text`` as it is."""
    result = QLabel(text)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setWordWrap(wrap)
    if tone is not None:
        result.setProperty("tone", tone)
    if selectable:
        result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return result


def chip(text: str = "", tone: str = "chip") -> QLabel:
    """A small rounded label for a state."""
    result = label(text, tone=tone)
    result.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return result


def key(text: str) -> QLabel:
    """The name of a key, as a small cap."""
    result = label(text, tone="key")
    result.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return result


def button(text: str, *, kind: str = "normal", name: str | None = None) -> QPushButton:
    """A push button; ``name`` is what a screen reader says when the text alone does not tell."""
    result = QPushButton(text)
    result.setProperty("kind", kind)
    result.setAutoDefault(True)  # Enter presses it too, not only the space bar
    result.setCursor(Qt.CursorShape.PointingHandCursor)
    if name is not None:
        result.setAccessibleName(name)
    return result


class FittingButton(QPushButton):
    """A push button whose words end in an ellipsis where there is no room for them; all of them are its tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "normal")
        self.setAutoDefault(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._full = ""
        self._about = ""

    def show_words(self, words: str, about: str = "") -> None:
        """``about`` is more for the tooltip."""
        self._full, self._about = " ".join(words.split()), about
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self._metrics().horizontalAdvance(self._full) + _BUTTON_SIDES + 4, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(64, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _metrics(self) -> QFontMetrics:
        """Of the widest look: the style sheet draws the main button bold."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        return QFontMetrics(bold)

    def _fit(self) -> None:
        room = max(self.width() - _BUTTON_SIDES, 24)
        shown = self._metrics().elidedText(self._full, Qt.TextElideMode.ElideRight, room)
        self.setText(shown.replace("&", "&&"))
        lines = (self._full if shown != self._full else "", self._about)
        self.setToolTip("\n".join(line for line in lines if line))


class IconButton(QToolButton):
    """A button that shows only an icon, so it must have a name."""

    def __init__(self, theme: Theme, icon: str, name: str, *, kind: str = "quiet", role: str = "muted") -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self._role = role
        self.setProperty("kind", kind)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setIconSize(QSize(16, 16))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.rename(name)
        self._draw()
        theme.changed.connect(self._draw)

    def rename(self, name: str) -> None:
        self.setAccessibleName(name)
        self.setToolTip(name)

    def set_icon(self, icon: str, role: str | None = None) -> None:
        self._icon = icon
        self._role = role or self._role
        self._draw()

    def _draw(self) -> None:
        self.setIcon(self._theme.icon(self._icon, self._role))


class IconLabel(QLabel):
    """An icon beside text; it says nothing to a screen reader, the text does."""

    def __init__(self, theme: Theme, icon: str, role: str = "muted") -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self._role = role
        self.setFixedSize(16, 16)
        self._draw()
        theme.changed.connect(self._draw)

    def set_icon(self, icon: str, role: str = "muted") -> None:
        if (icon, role) != (self._icon, self._role):
            self._icon, self._role = icon, role
            self._draw()

    def _draw(self) -> None:
        self.setPixmap(icons.cached(self._icon, getattr(self._theme.scheme, self._role)))


class Elided(QLabel):
    """One line of plain text that ends in an ellipsis when there is no room; the whole text is its tooltip."""

    def __init__(self, text: str = "", tone: str | None = None) -> None:
        super().__init__()
        self._full = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if tone is not None:
            self.setProperty("tone", tone)
        self.set_full(text)

    def set_full(self, text: str) -> None:
        self._full = " ".join(text.split())
        self.setAccessibleName(self._full)
        self._elide()

    def full(self) -> str:
        return self._full

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def resizeEvent(self, event: object) -> None:
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, max(self.width(), 24))
        if shown != self.text():
            self.setText(shown)


def line() -> QFrame:
    """A hairline."""
    result = QFrame()
    result.setProperty("kind", "line")
    return result


def frame(kind: str) -> QFrame:
    """A frame that the style sheet draws by its kind."""
    result = QFrame()
    result.setProperty("kind", kind)
    return result


def column(parent: QWidget | None = None, *, margin: int | tuple[int, int, int, int] = 0, gap: int = 8) -> QVBoxLayout:
    """A vertical layout on the grid."""
    result = QVBoxLayout(parent) if parent is not None else QVBoxLayout()
    result.setContentsMargins(*(margin if isinstance(margin, tuple) else (margin,) * 4))
    result.setSpacing(gap)
    return result


def row(parent: QWidget | None = None, *, margin: int | tuple[int, int, int, int] = 0, gap: int = 8) -> QHBoxLayout:
    """A horizontal layout on the grid."""
    result = QHBoxLayout(parent) if parent is not None else QHBoxLayout()
    result.setContentsMargins(*(margin if isinstance(margin, tuple) else (margin,) * 4))
    result.setSpacing(gap)
    return result


class EmptyState(QWidget):
    """What a pane shows when it has nothing to show, and what to do about it."""

    def __init__(self, theme: Theme, icon: str, title: str, hint: str) -> None:
        super().__init__()
        self._icon = IconLabel(theme, icon)
        self._title = label(title, tone="strong", wrap=True)
        self._hint = label(hint, tone="muted", wrap=True)
        self._button: QWidget | None = None
        for text in (self._title, self._hint):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout = column(self, margin=24, gap=8)
        self._layout.addStretch(2)
        self._layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        self._layout.addWidget(self._title)
        self._layout.addWidget(self._hint)
        self._layout.addStretch(3)

    def show_text(self, icon: str, title: str, hint: str, role: str = "muted") -> None:
        self._icon.set_icon(icon, role)
        self._title.setText(title)
        self._hint.setText(hint)

    def offer(self, text: str, pressed: Callable[[], object]) -> None:
        """Add the one button that leads on."""
        action = button(text, kind="primary")
        action.clicked.connect(lambda: pressed())
        self._layout.insertWidget(4, action, 0, Qt.AlignmentFlag.AlignHCenter)
        self._layout.insertSpacing(4, 8)
        self._button = action
