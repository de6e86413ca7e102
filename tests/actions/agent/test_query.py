"""Instructions become terms."""

from __future__ import annotations

import time

import pytest

from actions.agent.scout.query import parse_query
from actions.agent.scout.words import split_identifier, stem


@pytest.mark.parametrize(
    "family",
    [
        ("retry", "retries", "retried"),
        ("cancel", "cancels", "cancelled", "canceled", "cancelling"),
        ("validate", "validates", "validation", "validator", "validating"),
        ("session", "sessions"),
        ("stop", "stopped", "stopping", "stops"),
        ("close", "closed", "closes", "closing"),
    ],
)
def test_forms_of_a_word_share_a_stem_that_is_a_prefix_of_each(family: tuple[str, ...]) -> None:
    stems = {stem(word) for word in family}
    assert len(stems) == 1
    assert all(word.startswith(stems.copy().pop()) for word in family)


@pytest.mark.parametrize(("a", "b"), [("start", "art"), ("port", "report"), ("mode", "modern"), ("user", "use")])
def test_different_words_keep_different_stems(a: str, b: str) -> None:
    assert stem(a) != stem(b)


def test_identifiers_split_at_case_underscore_and_digits() -> None:
    assert split_identifier("HTTPServer_getURL2") == ("HTTP", "Server", "get", "URL", "2")


def test_stop_words_and_repeats_fall_away() -> None:
    query = parse_query("Please fix the refund of the payment, because the refund is wrong")
    assert [term.word for term in query.said] == ["refund", "payment"]


def test_names_and_paths_given_as_such_are_kept() -> None:
    query = parse_query("Rename TaskOwner in actions/tasks.py, save_plan and `close` too; see README.md")
    assert query.names == ("TaskOwner", "save_plan", "close")
    assert query.paths == ("actions/tasks.py", "README.md")


def test_words_side_by_side_are_pairs() -> None:
    assert (stem("list"), stem("sessions")) in parse_query("list sessions").pairs


def test_a_related_word_counts_less_than_the_word() -> None:
    terms = {term.word: term.weight for term in parse_query("delete a user").terms}
    assert terms["delete"] == 1
    assert 0 < terms["remove"] < 1


def test_chinese_words_bring_the_english_that_code_uses() -> None:
    query = parse_query("修复会话取消时的超时")
    words = {term.word for term in query.said}
    assert {"会话", "session", "取消", "cancel", "超时", "timeout"} <= words
    assert not any("的" in term.stem or "修复" in term.stem for term in query.terms)


def test_unknown_chinese_becomes_pairs_of_characters() -> None:
    assert [term.stem for term in parse_query("宽度表").terms] == ["宽度", "度表"]


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "a-" * 100_000, "/" * 200_000, "中" * 200_000, ".a" * 100_000, "`" * 9999]
)
def test_long_nonsense_is_read_quickly(text: str) -> None:
    before = time.process_time()
    parse_query(text)
    assert time.process_time() - before < 1.0
