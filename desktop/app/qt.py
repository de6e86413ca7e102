"""The Qt application object. Window grouping, icons and the accessible name follow from the names it is given."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication


def qt_application() -> QApplication:
    """The one application of this process. Closing its last window does not end it."""
    QApplication.setApplicationName("Sayso")
    QApplication.setDesktopFileName("dev.sayso.Sayso")
    QApplication.setOrganizationDomain("sayso.dev")
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    return app
