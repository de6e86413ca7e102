import string
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTranslator
from pytestqt.qtbot import QtBot

from desktop.i18n import resolve
from desktop.i18n.catalogue import FOLDER, messages, sources, untranslated
from desktop.main_window import MainWindow
from desktop.theme.theme import Theme

CHINESE = FOLDER / "sayso_zh_CN.ts"


def test_every_text_of_the_source_is_translated(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.ts"
    tool = Path(sys.executable).parent / "pyside6-lupdate"
    subprocess.run([tool, *sources(), "-ts", fresh], check=True, capture_output=True)
    assert messages(fresh).keys() == messages(CHINESE).keys()  # else: python -m desktop.i18n
    assert untranslated(CHINESE) == []


def test_the_check_sees_a_text_without_translation(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ts"
    text = CHINESE.read_text(encoding="utf-8")
    broken.write_text(text.replace("<translation>收件箱</translation>", '<translation type="unfinished" />', 1))
    assert len(untranslated(broken)) == 1


def test_placeholders_survive() -> None:
    for (context, source), text in messages(CHINESE).items():
        wanted = sorted(name for _, name, _, _ in string.Formatter().parse(source) if name is not None)
        assert sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None) == wanted, context


def test_the_compiled_file_is_the_newest(qapp: QCoreApplication) -> None:
    translator = QTranslator()
    assert translator.load(str(CHINESE.with_suffix(".qm")))
    for (context, source), text in messages(CHINESE).items():
        assert translator.translate(context, source) == text


def test_the_window_speaks_chinese(qtbot: QtBot, qapp: QCoreApplication, theme: Theme) -> None:
    translator = QTranslator()
    assert translator.load(str(CHINESE.with_suffix(".qm")))
    qapp.installTranslator(translator)
    try:
        window = MainWindow(theme)
        qtbot.addWidget(window)
        assert window.sidebar.inbox.text() == "收件箱"
    finally:
        qapp.removeTranslator(translator)


def test_which_language() -> None:
    assert (resolve("zh"), resolve("zh_TW"), resolve("en"), resolve("de")) == ("zh", "zh", "en", "en")
