"""Both engines over one nasty tree: they find the same, and what they find is right."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from actions.agent.tools.searching.choice import choose
from actions.agent.tools.searching.dialect import BadPattern, literal, normal
from actions.agent.tools.searching.engine import Engine, Files, Found, Query, Stop
from tests.actions.agent.tools.nasty_tree import build

RG, OWN = choose("ripgrep"), choose("own")


@pytest.fixture(scope="module")
def tree() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield build(Path(folder).resolve() / "tree")


def _files(engine: Engine, root: Path, *, ignored: bool = False) -> Files:
    return engine.files(root, ignored=ignored, stop=Stop())


@pytest.fixture(scope="module")
def every(tree: Path) -> Tree:
    return Tree(tree, _files(OWN, tree, ignored=True).paths)


@dataclass(frozen=True)
class Tree:
    root: Path
    paths: tuple[str, ...]

    def search(self, engine: Engine, query: Query) -> list[Found]:
        return list(engine.search(self.root, self.paths, query, Stop()))


def test_the_files_are_the_right_ones(tree: Path) -> None:
    found = set(_files(OWN, tree).paths)
    for shown in (
        "plain.py keep.log sub/only_top.txt sub/debug.log sub/deeper/a.bak other/build docs/more/a.tmp .hidden "
        ".config/settings nested/file.txt .gitignore .ignore 名字.txt empty.txt"
    ).split():
        assert shown in found, shown
    for hidden in (
        "debug.log only_top.txt sub/secret.txt sub/a.bak build/out.py docs/a.tmp a/deep/x.txt deep/x.txt #odd "
        ".git/HEAD nested/.git/config link.txt pipe dangling loop/plain.py"
    ).split():
        assert hidden not in found, hidden
    assert "space " not in found
    assert "new\nline.txt" in found


@pytest.mark.parametrize("folder", [".", "sub", "sub/deeper", "build", "docs", "a", "nested", ".git", "empty_folder"])
@pytest.mark.parametrize("ignored", [False, True])
def test_both_list_the_same(tree: Path, folder: str, ignored: bool) -> None:
    root = tree / folder
    assert _files(RG, root, ignored=ignored) == _files(OWN, root, ignored=ignored)


def test_an_excluded_folder_that_is_named_is_searched(tree: Path) -> None:
    assert _files(OWN, tree / "build").paths == ("out.py",)


PATTERNS = [
    "needle", "Needle", "^needle", "needle$", "^needle$", "^$", "", ".", "^.{6}$", r"\bneedle\b", "needle.*needle",
    "[a-c]+x", "(?i)NEEDLE", "needle|搜索", "搜索", "^搜", "索$", r"\w+", r"\W{3}", r"\d{3}", r"^\d", r"\s$", r"^\s",
    r"[^\x00-\x7f]", "interface{}", "int{1", "{3}", r"a\[0\]", "[[]", "[]]", r"[\w.-]+@", "a|b|", "x{20}", "ne{2}dle",
    "caf.", "stra(ß|ss)e", r"\p{Han}+", "[[:alpha:]]{7}", r"\$x", r"\x41|\x{4e2d}", r"(?:needle )+k",
    "(?P<a>needle)", "(?<a>needle)", "needle.?$", r"\r", "e\\r", "[^e]$", "--", "-pattern", "ſ", "k", "σ", r"\t",
    r"n\S+e\b", "a&&b", "[a&&b]", "[a--b]", "[a~~b]", "[0-9a-fA-F]+;", "}", "]", r"\}", r"\/", "var a",
]  # fmt: skip


@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_both_find_the_same(every: Tree, pattern: str, ignore_case: bool) -> None:
    query = Query(normal(pattern, multiline=False), ignore_case)
    assert every.search(RG, query) == every.search(OWN, query)


@pytest.mark.parametrize(
    "text", ["needle", "interface{}", "a[0]", "$x", "中文", ".", "\\", "-", "--", "x := ", "'\"", "#"]
)
def test_both_find_the_same_plain_text(every: Tree, text: str) -> None:
    query = Query(literal(text, multiline=False))
    found = every.search(RG, query)
    assert found == every.search(OWN, query)
    assert all(text in line.text for one in found for line in one.lines)


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 0), (1, 1), (2, 3), (50, 50)])
def test_both_show_the_same_context(every: Tree, before: int, after: int) -> None:
    query = Query("needle", before=before, after=after)
    assert every.search(RG, query) == every.search(OWN, query)


def test_context_by_hand(tree: Path) -> None:
    (found,) = OWN.search(tree, ["context.txt"], Query("needle", before=1, after=1), Stop())
    assert [(line.number, line.hit) for line in found.lines] == [
        (2, False), (3, True), (4, False), (5, True), (6, False), (11, False), (12, True), (13, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "pattern", ["needle\n", r"needle\n\s*\n", r"e.*?n", r"first\nneedle", r"\n\n", "(?i)NEEDLE.line"]
)
def test_over_lines_there_is_one_engine(every: Tree, pattern: str) -> None:
    query = Query(normal(pattern, multiline=True), multiline=True)
    assert every.search(RG, query) == every.search(OWN, query)


def test_a_match_over_lines_finds_windows_line_ends(tree: Path) -> None:
    (found,) = OWN.search(tree, ["crlf.txt"], Query(normal(r"first\nneedle$", multiline=True), multiline=True), Stop())
    assert [(line.number, line.text) for line in found.lines] == [(1, "first"), (2, "needle")]


def test_old_encodings_are_read_as_text(tree: Path) -> None:
    for engine in (RG, OWN):
        found = {one.path: one for one in engine.search(tree, ["gbk.txt", "utf16be.txt"], Query("搜索"), Stop())}
        assert [line.text for line in found["gbk.txt"].lines] == ["第二行：搜索"]
        assert [line.text for line in found["utf16be.txt"].lines] == ["needle 搜索"]


def test_binary_files_have_no_hits(every: Tree) -> None:
    names = {one.path for one in every.search(RG, Query("needle"))}
    assert not {name for name in names if name.startswith(("binary", "utf32", "utf16_unmarked"))}


def test_folders_that_are_shut_are_counted_by_both(tree: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody who may not read")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        root.chmod(0o755)
        for shut in ("one", "two"):
            (root / shut).mkdir()
            (root / shut / "f.txt").write_text("needle\n")
        (root / "open.txt").write_text("needle\n")
        (root / "shut.txt").write_text("needle\n")
        (root / "shut.txt").chmod(0)
        (root / "one").chmod(0)
        (root / "two").chmod(0)
        os.seteuid(65534)
        try:
            listed = _files(RG, root)
            assert listed == _files(OWN, root)
            found = [list(engine.search(root, listed.paths, Query("needle"), Stop())) for engine in (RG, OWN)]
        finally:
            os.seteuid(0)
    assert listed == Files(("open.txt", "shut.txt"), 2)
    assert found[0] == found[1]
    assert [one.path for one in found[0]] == ["open.txt"]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(?=a)", "look-around"), ("(?<!a)b", "look-around"), (r"(a)\1", "refers back"), ("*a", "repeats nothing"),
        ("a**", "two ways"), ("a++", "two ways"), ("[a", "not closed"), (r"\Q", "not supported"), ("a\nb", "multiline"),
        (r"a\nb", "multiline"), (r"\<a", r"\b"), ("(?x)a", "not supported"), ("a(?i)b", "not supported"),
        ("a\\", "single backslash"), ("\0", "NUL"), (r"\x{110000}", "no character"), ("(?#c)", "not supported"),
        (r"\Aa", "not supported"), (r"\x0a", "no character"),
    ],
)  # fmt: skip
def test_what_one_engine_lacks_is_refused_with_words(pattern: str, words: str) -> None:
    with pytest.raises(BadPattern, match=re.escape(words)):
        normal(pattern, multiline=False)
