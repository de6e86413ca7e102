"""The theme in force: who draws asks it for colours and hears when they change."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDir, QLocale, QObject, Qt, Signal
from PySide6.QtGui import QFont, QIcon
from PySide6.QtWidgets import QApplication

from desktop.theme import icons
from desktop.theme.colors import DARK, LIGHT, Scheme, SchemeName
from desktop.theme.fonts import code_font, text_font
from desktop.theme.palette import palette
from desktop.theme.stylesheet import stylesheet


class Theme(QObject):
    """Applies one scheme to the application; ``system`` follows the desktop while it runs."""

    changed = Signal()

    def __init__(self, app: QApplication, wanted: SchemeName = SchemeName.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._wanted = wanted
        self.code_font: QFont = code_font()
        QDir.setSearchPaths("saysotheme", [str(Path(__file__).parent / "assets")])
        app.setStyle("Fusion")
        app.setFont(text_font(chinese=QLocale().language() == QLocale.Language.Chinese))
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

    def icon(self, name: str, role: str = "muted") -> QIcon:
        """An icon in a colour role of the scheme in force."""
        return icons.icon(name, getattr(self.scheme, role), self.scheme.disabled)

    def _resolve(self) -> Scheme:
        if self._wanted is SchemeName.SYSTEM:
            dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
            return DARK if dark else LIGHT
        return DARK if self._wanted is SchemeName.DARK else LIGHT

    def _on_system(self) -> None:
        scheme = self._resolve()
        if scheme is not self.scheme:
            self.scheme = scheme
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        self._app.setPalette(palette(self.scheme))
        self._app.setStyleSheet(stylesheet(self.scheme))
