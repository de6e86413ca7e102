from PySide6.QtGui import QTextDocument, QTextTable
from pytestqt.qtbot import QtBot

from desktop.launcher.result import Words, readable

ENGLISH = Words("en", "yes", "no", "none", "Nothing was found.", "… and {0} more")


def test_single_values_are_a_list_and_things_are_a_table() -> None:
    text = readable({"ok": True, "version": "1.2", "sessions": [{"id": "s1", "title": "A"}, {"id": "s2"}]}, ENGLISH)
    assert text == (
        "- **Ok:** yes\n- **Version:** 1.2\n\n**Sessions** (2)\n\n| Title | Id |\n| --- | --- |\n| A | s1 |\n|  | s2 |"
    )


def test_text_of_others_stays_text(qtbot: QtBot) -> None:
    document = QTextDocument()
    nasty = "# a | *b* <img src=x> [l](u)"
    document.setMarkdown(readable([{"name": nasty, "n": 1}, {"name": "x", "n": 2}], ENGLISH))
    assert nasty in document.toPlainText()
    tables = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert [(table.rows(), table.columns()) for table in tables] == [(3, 2)]


def test_long_texts_are_set_apart_and_long_lists_cut() -> None:
    assert readable({"text": "a\n```\nb"}, ENGLISH) == "**Text**\n\n````\na\n```\nb\n````"
    assert readable(list(range(103)), ENGLISH).endswith("*… and 3 more*")


def test_what_a_tool_answers_is_its_text() -> None:
    text = readable({"content": [{"type": "text", "text": "two\nlines"}]}, ENGLISH)
    assert text == "**Content**\n\n```\ntwo\nlines\n```"


def test_nothing_is_said_to_be_nothing() -> None:
    for empty in ({}, [], None, {"runs": None}):
        assert readable(empty, ENGLISH) == "Nothing was found."
    assert readable({"runs": []}, ENGLISH) == "- **Runs:** none"


def test_wide_tables_keep_what_tells_their_rows_apart() -> None:
    rows = [{"a": 1, "b": at, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "title": f"t{at}", "run_id": at} for at in (1, 2)]
    head = readable(rows, ENGLISH).splitlines()[0]
    assert head.startswith("| Title | B |")
    assert "Run" not in head
    assert head.count("|") == 7


def test_times_are_read_as_times() -> None:
    assert "2026-" in readable({"created": 1_790_000_000_000}, ENGLISH)
