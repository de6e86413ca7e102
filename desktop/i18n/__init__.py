"""The languages of the window. English is the source; a translation is a compiled ``.qm`` beside this file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

_FOLDER = Path(__file__).parent
SYSTEM = "system"


def resolve(wanted: str) -> str:
    """``en`` or ``zh`` for a setting: a language, or ``system`` for the desktop's."""
    if wanted != SYSTEM:
        return "zh" if wanted.startswith("zh") else "en"
    return "zh" if QLocale.system().language() == QLocale.Language.Chinese else "en"


def install(app: QApplication, wanted: str = SYSTEM) -> list[QTranslator]:
    """Translate from now on; call it before the first widget. Returns the translators, empty for English."""
    if resolve(wanted) != "zh":
        return []
    QLocale.setDefault(QLocale(QLocale.Language.Chinese, QLocale.Country.China))
    places = ((_FOLDER, "sayso_zh_CN"), (QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), "qtbase_zh_CN"))
    installed: list[QTranslator] = []
    for folder, name in places:
        translator = QTranslator(app)
        if translator.load(name, str(folder)) and app.installTranslator(translator):
            installed.append(translator)
    return installed
