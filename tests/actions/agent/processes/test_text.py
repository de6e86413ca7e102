"""What of a command's output a model reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.agent.processes.output import HEAD, TAIL, Output
from actions.agent.processes.text import LINE, MOST, begun_escape, plain, shown, whole_or_ends


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain\n", "plain\n"),
        ("käse 奶酪\n".encode(), "käse 奶酪\n"),
        (b"\x1b[1;31mred\x1b[0m", "red"),
        (b"\x1b[38;2;1;2;3mrgb\x1b[K\x1b[2J", "rgb"),
        (b"\x1b]0;title\x07text", "text"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"\x1b(Bset\x1b=", "set"),
        (b"10%\r50%\r100%\ndone", "100%\ndone"),
        (b"50%\r\n", "50%\n"),
        (b"back\r", "back"),
        (b"b\x08bo\x08ol\x08ld\x08d", "bold"),
        (b"bell\x07 nul\x00 tab\t", "bell nul tab\t"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        # A title that never ends does not swallow the rest.
        (b"\x1b]0;never ended " + b"x" * 5000, "0;never ended " + "x" * 5000),
    ],
)
def test_plain(data: bytes, text: str) -> None:
    assert plain(data) == text


@pytest.mark.parametrize(
    ("text", "at"), [("a", 1), ("a\x1b", 1), ("a\x1b[3", 1), ("a\x1b[31m", 6), ("a\x1b]0;tit", 1), ("", 0)]
)
def test_a_control_sequence_that_is_not_all_there(text: str, at: int) -> None:
    assert begun_escape(text) == at


@given(st.binary(max_size=3000))
def test_plain_text_has_no_control_characters(data: bytes) -> None:
    assert not [c for c in plain(data) if (c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f"]


def fed(file: Path, *pieces: bytes, cap: int = 64 * 1024**2, early: bool = False) -> Output:
    output = Output(file, cap=cap, early=early)
    for piece in pieces:
        output.feed(piece)
    output.close()
    return output


@pytest.mark.parametrize("size", [0, 1, HEAD - 1, HEAD, HEAD + 1, HEAD + TAIL, HEAD + TAIL + 1, HEAD + 2 * TAIL + 7])
@pytest.mark.parametrize("piece", [1024, 65536, 10_000_000])
def test_beginning_and_end_and_what_is_between_are_all_of_it(tmp_path: Path, size: int, piece: int) -> None:
    data = bytes(number % 251 for number in range(size))
    output = fed(tmp_path / "out", *(data[at : at + piece] for at in range(0, size, piece)))
    head, tail, between = output.parts()
    assert (output.total, len(head) + len(tail) + between) == (size, size)
    assert data.startswith(head)
    assert data.endswith(tail)
    assert between == 0 or len(tail) == TAIL
    assert (tmp_path / "out").exists() == (size > HEAD)
    if size > HEAD:
        assert (tmp_path / "out").read_bytes() == data
    assert output.save() == tmp_path / "out"
    assert (tmp_path / "out").read_bytes() == data


def test_beyond_the_cap_the_file_has_the_beginning_a_mark_and_the_end(tmp_path: Path) -> None:
    data = b"".join(b"%09d\n" % number for number in range(100_000))
    fed(tmp_path / "out", data[:300_000], data[300_000:], cap=200_000)
    written = (tmp_path / "out").read_bytes()
    mark = b"\n[%d bytes are left out here: the file keeps 200000 and the end]\n" % (1_000_000 - 200_000 - TAIL)
    assert written == data[:200_000] + mark + data[-TAIL:]


def test_just_beyond_the_cap_all_of_it_is_there_once(tmp_path: Path) -> None:
    data = b"x" * 200_000 + b"y" * 100
    fed(tmp_path / "out", data, cap=200_000)
    assert (tmp_path / "out").read_bytes() == data


def test_a_disk_that_is_full_ends_the_writing_only() -> None:
    output = fed(Path("/dev/full"), b"x" * 100_000, b"y" * 100_000)
    assert "No space left" in output.trouble
    assert output.total == 200_000
    text, note = whole_or_ends(output)
    assert "could not be kept" in note
    assert len(text) <= MOST


def test_a_folder_that_is_gone_ends_the_writing_only(tmp_path: Path) -> None:
    output = fed(tmp_path / "gone" / "out", b"x" * 100_000)
    assert output.trouble
    assert output.save() is None


def test_early_means_at_once(tmp_path: Path) -> None:
    output = Output(tmp_path / "out", early=True)
    output.feed(b"so far")
    assert (tmp_path / "out").read_bytes() == b"so far"
    output.close()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x" * LINE, None),
        ("x" * (LINE + 1), 1),
        ("a\nb\n" + "x" * (LINE + 1), 3),
        ("a\n" * (MOST // 2), None),
    ],
)
def test_what_fits_comes_whole(text: str, line: int | None) -> None:
    came, cut = shown(text.encode(), b"", 0)
    assert cut == line
    if line is None:
        assert came == text
    assert max(len(one) for one in came.split("\n")) <= LINE


@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=30),
    st.integers(1, 3000),
    st.booleans(),
)
def test_never_more_than_the_limits(lines: list[str], times: int, between: bool) -> None:
    data = ("\n".join(lines) * times).encode()[:300_000]
    text, cut = shown(data[:HEAD], data[HEAD:], int(between))
    assert len(text) <= MOST
    assert max(len(one) for one in text.split("\n")) <= LINE
    assert (cut is not None) or not between
