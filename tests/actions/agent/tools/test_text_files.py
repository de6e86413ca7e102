"""Encodings and line endings. Every expected byte is written out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.agent.tools.text_files import (
    UTF8,
    Encoding,
    NotEncodable,
    NotText,
    Plain,
    decode,
    detect,
    encode,
    newline_of,
    same_style,
)

CHINESE = b"\xc5\xe4\xd6\xc3\xce\xc4\xbc\xfe"
"""The four characters of "configuration file" in GBK."""


@pytest.mark.parametrize(
    ("data", "text", "name", "mark"),
    [
        (b"", "", "utf-8", b""),
        (b"plain\n", "plain\n", "utf-8", b""),
        (b"\xe9\x85\x8d\r\n", "配\r\n", "utf-8", b""),
        (b"\xef\xbb\xbfa\n", "a\n", "utf-8", b"\xef\xbb\xbf"),
        (b"\xff\xfea\0\r\0\n\0", "a\r\n", "utf-16-le", b"\xff\xfe"),
        (b"\xfe\xff\0a\x91\x4d", "a配", "utf-16-be", b"\xfe\xff"),
        (b"\xff\xfe\0\0a\0\0\0", "a", "utf-32-le", b"\xff\xfe\0\0"),
        (b"h\0e\0y\0\n\0", "hey\n", "utf-16-le", b""),
        (CHINESE, "配置文件", "gbk", b""),
        (b"# " + CHINESE + b"\r\nx = 1\r\n", "# 配置文件\r\nx = 1\r\n", "gbk", b""),
        (CHINESE + b"\x94\x39\xfc\x36", "配置文件😀", "gb18030", b""),
        (b"caf\xe9\n", "café\n", "cp1252", b""),
    ],
)
def test_an_encoding_is_found_and_leads_back(data: bytes, text: str, name: str, mark: bytes) -> None:
    found = decode(data)
    assert found == (text, Encoding(name, mark))
    assert encode(*found) == data


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("中文注释，这是一个测试文件，用来检查编码识别是否正确。\n" * 3, "gbk"),
        ("這是一個測試檔案，用來檢查編碼是否正確。\n" * 3, "big5"),
        ("これはテストです。日本語のファイル。\n" * 3, "cp932"),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю\n" * 3, "cp1251"),
    ],
)
def test_longer_texts_in_old_encodings_are_told_apart(text: str, name: str) -> None:
    assert decode(text.encode(name)) == (text, Encoding(name))


@pytest.mark.parametrize(
    "data",
    [b"\x7fELF\x02\x01\x01\0\0\0", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\x80\x01\x02\x03\x04\x05\x06" * 40, b"a\0b"],
)
def test_what_is_no_text(data: bytes) -> None:
    with pytest.raises(NotText):
        detect(data, whole=True)


def test_a_sample_may_end_inside_a_character() -> None:
    assert detect("配".encode() * 10 + b"\xe9\x85", whole=False) == UTF8
    assert detect("配".encode() * 10 + b"\xe9\x85", whole=True) != UTF8


@given(st.binary(max_size=300))
def test_any_bytes_lead_back_or_are_no_text(data: bytes) -> None:
    try:
        text, encoding = decode(data)
    except NotText:
        return
    assert encode(text, encoding) == data


def test_a_character_that_does_not_fit_is_named_with_its_line() -> None:
    with pytest.raises(NotEncodable, match=r"'😀' \(U\+1F600, line 2 "):
        encode("a\n😀", Encoding("cp1252"))


def test_a_file_in_gbk_does_not_become_one_in_gb_18030() -> None:
    _, encoding = decode("中文注释，这是一个测试文件。\n".encode("gbk") * 3)
    with pytest.raises(NotEncodable, match="😀"):
        encode("中文注释😀\n", encoding)


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a", "\n"), ("a\nb\n", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\nb\nc\r\n", "\n"), ("a\rb\r", "\r")],
)
def test_the_usual_line_ending(text: str, newline: str) -> None:
    assert newline_of(text) == newline


def test_new_text_takes_the_style_of_the_old_unless_it_has_its_own() -> None:
    assert same_style("a\nb\n", "x\r\ny\r\n") == "a\r\nb\r\n"
    assert same_style("a\r\nb\n", "x\ny\n") == "a\r\nb\n"


@pytest.mark.parametrize(
    ("original", "old", "new", "expected"),
    [
        ("a\r\nb\r\nc\r\n", "b\n", "x\ny\n", "a\r\nx\r\ny\r\nc\r\n"),
        ("a\nb\r\nc\n", "a\nb\nc", "a\nB\nc", "a\nB\r\nc\n"),  # endings around the change stay, each its own
        ("a\nb\r\nc", "b\nc", "b\nx\nc", "a\nb\r\nx\r\nc"),  # new lines end as the one before them
        ("a\rb\r", "a\n", "x\ny\n", "x\ry\rb\r"),
        ("one", "one", "one\ntwo", "one\ntwo"),
        ("a\r\nb", "\n", "", "ab"),
        ("a\r\r\nb", "a\r\nb", "X", "X"),
    ],
)
def test_a_splice_keeps_the_line_endings_around_it(original: str, old: str, new: str, expected: str) -> None:
    plain = Plain.of(original)
    at = plain.text.find(old)
    if at < 0:
        pytest.skip("that text is not there as a model would write it")
    assert plain.spliced([(at, at + len(old))], new) == expected


@given(st.text("ab\r\n", max_size=30), st.data())
def test_what_no_splice_touches_stays(original: str, data: st.DataObject) -> None:
    plain = Plain.of(original)
    start = data.draw(st.integers(0, len(plain.text)))
    end = data.draw(st.integers(start, len(plain.text)))
    assert plain.spliced([(start, end)], plain.text[start:end]) == original
    marked = plain.spliced([(start, end)], "#")
    before, _, after = marked.partition("#")
    assert original.startswith(before)
    assert original.endswith(after)
