"""The theme in force: who draws asks it for colours and hears when they change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QDir, QLocale, QObject, Qt, Signal
from PySide6.QtGui import QFont, QIcon
from PySide6.QtWidgets import QApplication

from desktop.theme import icons
from desktop.theme.colors import DARK, DARK_HIGH, LIGHT, LIGHT_HIGH, Scheme, SchemeName
from desktop.theme.fonts import USUAL_SIZE, code_font, text_font
from desktop.theme.palette import palette
from desktop.theme.stylesheet import stylesheet


class Theme(QObject):
    """Applies one scheme to the application; ``system`` follows the desktop while it runs.

    ``size`` is the text size in points, 0 for the usual one. ``reduced_motion``: nothing moves by itself.
    """

    changed = Signal()

    def __init__(
        self,
        app: QApplication,
        wanted: SchemeName = SchemeName.SYSTEM,
        *,
        high_contrast: bool = False,
        size: float = 0,
        reduced_motion: bool = False,
    ) -> None:
        super().__init__(app)
        self._app = app
        self._wanted = wanted
        self._high = high_contrast
        self._size = size
        self._undressed = 0
        self._flash_ms = app.cursorFlashTime()
        self.set_motion(reduced=reduced_motion)
        self.code_font: QFont = code_font()
        QDir.setSearchPaths("saysotheme", [str(Path(__file__).parent / "assets")])
        app.setStyle("Fusion")
        self._set_fonts()
        self.scheme: Scheme = self._resolve()
        self._apply()
        app.styleHints().colorSchemeChanged.connect(self._on_system)

    @property
    def wanted(self) -> SchemeName:
        return self._wanted

    def choose(self, wanted: SchemeName) -> None:
        """Switch scheme; everything that listens draws itself anew."""
        self._wanted = wanted
        self._on_system()

    def set_contrast(self, *, high: bool) -> None:
        """Switch between the usual colours and those of high contrast."""
        self._high = high
        self._on_system()

    def set_size(self, size: float) -> None:
        """Another text size in points; 0 is the usual one."""
        if size != self._size:
            self._size = size
            self._set_fonts()
            self._apply()
            self.changed.emit()

    def set_motion(self, *, reduced: bool) -> None:
        """Whether anything may move or blink by itself."""
        self.reduced_motion = reduced
        self._app.setCursorFlashTime(0 if reduced else self._flash_ms)
        self._app.setEffectEnabled(Qt.UIEffect.UI_AnimateMenu, not reduced)

    @contextmanager
    def undressed(self) -> Iterator[None]:
        """Build many widgets in it: the sheet is applied once at its end, not whenever a layout takes one in."""
        self._undressed += 1
        if self._undressed == 1:
            self._app.setStyleSheet("")
        try:
            yield
        finally:
            self._undressed -= 1
            if not self._undressed:
                self._app.setStyleSheet(stylesheet(self.scheme, self._ratio()))

    def icon(self, name: str, role: str = "muted") -> QIcon:
        """An icon in a colour role of the scheme in force."""
        return icons.icon(name, getattr(self.scheme, role), self.scheme.disabled)

    def _resolve(self) -> Scheme:
        if self._wanted is SchemeName.SYSTEM:
            dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = self._wanted is SchemeName.DARK
        if self._high:
            return DARK_HIGH if dark else LIGHT_HIGH
        return DARK if dark else LIGHT

    def _set_fonts(self) -> None:
        font = text_font(chinese=QLocale().language() == QLocale.Language.Chinese)
        ratio = self._ratio()
        font.setPointSizeF(font.pointSizeF() * ratio)
        self._app.setFont(font)
        self.code_font.setPointSizeF(code_font().pointSizeF() * ratio)

    def _ratio(self) -> float:
        return self._size / USUAL_SIZE if self._size else 1.0

    def _on_system(self) -> None:
        scheme = self._resolve()
        if scheme is not self.scheme:
            self.scheme = scheme
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        self._app.setPalette(palette(self.scheme))
        if not self._undressed:
            self._app.setStyleSheet(stylesheet(self.scheme, self._ratio()))
