"""The Qt application object. Window grouping, icons and the accessible name follow from the names it is given."""

from __future__ import annotations

import logging
import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

_log = logging.getLogger("qt")
_LEVELS = {
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_HARMLESS = ("This plugin does not support",)  # what a platform without windows says to raise() and the like


def qt_application() -> QApplication:
    """The one application of this process. Closing its last window does not end it."""
    qInstallMessageHandler(_to_log)
    QApplication.setApplicationName("Sayso")
    QApplication.setDesktopFileName("dev.sayso.Sayso")
    QApplication.setOrganizationDomain("sayso.dev")
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    return app


def _to_log(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Qt's own messages go where all others go."""
    harmless = message.startswith(_HARMLESS)
    _log.log(logging.DEBUG if harmless else _LEVELS.get(kind, logging.DEBUG), "%s", message)
