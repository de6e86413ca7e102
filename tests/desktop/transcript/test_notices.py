"""Notices of the host in the language of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

from desktop.i18n.catalogue import FOLDER
from desktop.transcript.notices import NoticeWords

ENDED = {
    "text": "Review run by qwen failed: no answer",
    "code": "run_ended",
    "facts": {"run_kind": "review", "provider": "qwen", "state": "failed", "summary": "no answer"},
}


@pytest.fixture
def in_chinese(qapp: QApplication) -> Iterator[None]:
    translator = QTranslator()
    assert translator.load("sayso_zh_CN", str(FOLDER))
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


def test_the_end_of_a_run_in_english(qapp: QApplication) -> None:
    assert NoticeWords().text(ENDED) == "Review run by qwen failed: no answer"


def test_the_end_of_a_run_in_chinese(in_chinese: None) -> None:
    assert NoticeWords().text(ENDED) == "qwen 的审查运行失败：no answer"


def test_what_happened_unasked_in_chinese(in_chinese: None) -> None:
    data = {"text": "Kilo changed …", "code": "did_not_ask", "facts": {"provider": "Kilo"}}
    assert NoticeWords().text(data) == "Kilo 更改了文件或运行了命令，却没有询问。"


@pytest.mark.parametrize(
    "data",
    [
        {"text": "As it was.", "code": "not_known"},
        {"text": "As it was.", "code": "run_ended", "run_kind": "plan", "provider": "p"},
        {"text": "As it was.", "code": "did_not_ask", "facts": {"title": "x"}},
        {"text": "As it was.", "code": "run_ended", "facts": {"run_kind": "other", "state": "succeeded"}},
    ],
)
def test_what_the_window_does_not_know_is_shown_as_it_was_written(qapp: QApplication, data: dict[str, object]) -> None:
    assert NoticeWords().text(data) == "As it was."
