"""Side by side, and remarks on lines."""

from pytestqt.qtbot import QtBot

from desktop.diff.comments import Comment, message, place_of
from desktop.diff.pane import DiffPane
from desktop.diff.sides import sides
from desktop.diff.unified import LineKind, read_diff
from desktop.theme.theme import Theme

TEXT = """--- a/one.py
+++ b/two.py
@@ -1,3 +1,4 @@
 same
-old
+new
+more
 end
"""


def test_what_replaces_each_other_stands_side_by_side() -> None:
    old, new = sides(read_diff(TEXT))
    pairs = [(one.text, other.text) for one, other in zip(old.lines, new.lines, strict=True)]
    assert pairs[2:] == [("same", "same"), ("old", "new"), ("", "more"), ("end", "end")]
    assert [(line.old, line.new) for line in old.lines[2:]] == [(1, None), (2, None), (None, None), (3, None)]
    assert [line.new for line in new.lines[2:]] == [1, 2, 3, 4]
    assert old.lines[4].kind is LineKind.NOTE  # a gap, which has no number and no colour
    assert new.files[0].path == "two.py"


def test_a_file_that_only_came_has_gaps_on_the_left() -> None:
    old, new = sides(read_diff("--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+x\n+y\n"))
    assert [line.text for line in old.lines[-2:]] == ["", ""]
    assert len(old.lines) == len(new.lines)


def test_a_remark_knows_its_line() -> None:
    diff = read_diff(TEXT)
    added = place_of(diff, next(at for at, line in enumerate(diff.lines) if line.text == "more"))
    assert added is not None
    assert (added.place(), added.quoted) == ("two.py:3", "more")
    gone = place_of(diff, next(at for at, line in enumerate(diff.lines) if line.text == "old"))
    assert gone is not None
    assert gone.place() == "two.py:2"
    assert place_of(read_diff(""), 0) is None


def test_the_message_has_place_line_and_words() -> None:
    text = message([Comment("a.py", 3, "x = 1", "Why?"), Comment("b.py", None, "", "Split it")])
    assert text.split("\n\n")[1:] == ["a.py:3\n> x = 1\nWhy?", "b.py\nSplit it"]


def test_remarks_are_written_taken_back_and_sent(qtbot: QtBot, theme: Theme) -> None:
    pane = DiffPane(theme)
    qtbot.addWidget(pane)
    sent: list[str] = []
    pane.commented.connect(sent.append)
    pane.show_diff("Edit", "", TEXT)
    strip = pane.comments
    assert not strip.send.isEnabled()
    pane.go_to("two.py", 3)
    strip.edit.setPlainText("Why two?")
    strip.add.click()
    assert [comment.place() for comment in strip.comments] == ["two.py:3"]
    strip._undo.click()
    assert strip.comments == []
    assert strip.edit.toPlainText() == "Why two?"
    strip.send.click()  # what is written and not added goes too
    assert len(sent) == 1
    assert "two.py:3\n> more\nWhy two?" in sent[0]


def test_both_columns_scroll_together(qtbot: QtBot, theme: Theme) -> None:
    pane = DiffPane(theme)
    qtbot.addWidget(pane)
    pane.resize(900, 300)
    lines = "".join(f"-old {n}\n+new {n}\n" for n in range(200))
    pane.show_diff("Edit", "", f"--- a/x\n+++ b/x\n@@ -1,200 +1,200 @@\n{lines}")
    pane.beside.setChecked(True)
    pane.show()
    pane.go_to("x", 150)
    assert pane.view.verticalScrollBar().value() > 100
    assert pane.old.verticalScrollBar().value() == pane.view.verticalScrollBar().value()
