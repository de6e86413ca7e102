"""Where findings are drawn in a change, in one column and in two."""

from desktop.diff.marks import Mark, gapped, marked, places
from desktop.diff.sides import sides
from desktop.diff.unified import LineKind, read_diff

CHANGE = """diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -10,3 +10,4 @@ def f():
 ten
-old
+eleven
+twelve
 thirteen
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1,1 +0,0 @@
-bye
"""


def mark(id: str, path: str, line: int | None, words: str = "w", severity: str = "error") -> Mark:
    return Mark(id, path, line, severity, words)


def test_a_finding_stands_below_its_line_and_elsewhere_it_is_left_out() -> None:
    diff = read_diff(CHANGE)
    marks = [
        mark("line", "a.py", 12, "twelve is wrong"),
        mark("same", "a.py", 12, "and slow", "warning"),
        mark("file", "a.py", None, "no test", "note"),
        mark("outside", "a.py", 40),
        mark("other", "b.py", 1),
        mark("gone", "gone.py", 1, "it was used"),
    ]
    rows = places(diff, marks)
    assert set(rows) == {"line", "same", "file", "gone"}
    shown = marked(diff, marks, rows)
    assert [(line.kind, line.text) for line in shown.diff.lines] == [
        (LineKind.FILE, "a.py"),
        (LineKind.REMARK, "no test"),
        (LineKind.HUNK, "def f():"),
        (LineKind.CONTEXT, "ten"),
        (LineKind.DELETED, "old"),
        (LineKind.ADDED, "eleven"),
        (LineKind.ADDED, "twelve"),
        (LineKind.ERROR, "twelve is wrong"),
        (LineKind.WARNING, "and slow"),
        (LineKind.CONTEXT, "thirteen"),
        (LineKind.FILE, "gone.py"),
        (LineKind.ERROR, "it was used"),
        (LineKind.NOTE, "deleted file mode 100644"),
        (LineKind.HUNK, ""),
        (LineKind.DELETED, "bye"),
    ]
    texts = [line.text for line in shown.diff.lines]
    assert (texts[shown.stands["line"]], texts[shown.stands["same"]]) == ("twelve", "twelve")
    assert [texts[file.at] for file in shown.diff.files] == ["a.py", "gone.py"]
    assert {texts[row]: id for row, id in shown.drawn.items()} == {
        "no test": "file",
        "twelve is wrong": "line",
        "and slow": "same",
        "it was used": "gone",
    }


def test_two_columns_stay_line_beside_line_also_below_a_long_finding() -> None:
    was, now = sides(read_diff(CHANGE))
    marks = [mark("long", "a.py", 11, "word " * 60), mark("end", "a.py", 13)]
    rows = places(now, marks)
    shown, old = marked(now, marks, rows).diff, gapped(was, marks, rows)
    assert len(shown.lines) == len(old.lines)
    beside = {new.text: left.text for left, new in zip(old.lines, shown.lines, strict=True)}
    assert (beside["ten"], beside["eleven"], beside["thirteen"]) == ("ten", "old", "thirteen")
    words = [line for line in shown.lines if line.kind is LineKind.ERROR and line.new == 11]
    assert len(words) == 4
    assert " ".join(line.text.strip() for line in words) == ("word " * 60).strip()
    assert [file.at for file in old.files] == [file.at for file in shown.files]
