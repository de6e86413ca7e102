"""Search: the documented score, in both languages, always in the same order."""

from __future__ import annotations

from actions.catalog.registry import load
from actions.catalog.search import CatalogSearch, tokens

SEARCH = CatalogSearch(load())


def ids(query, limit=20):
    return [spec.id for spec in SEARCH.find(query, limit)]


def test_an_exact_id_beats_everything():
    assert ids("session.list")[0] == "session.list"


def test_an_exact_title_beats_words():
    assert ids("Rename a session")[0] == "session.title.set"


def test_words_in_any_order():
    assert ids("plan run")[0] == "subagents.plan.start"
    assert "review.start" in ids("review changes", 5)


def test_chinese_titles_and_phrases():
    assert ids("审查运行")[0] == "review.start"
    assert ids("收件箱")[:2] != []
    assert {"inbox.list", "ui.open"} <= set(ids("收件箱"))
    assert "session.title.set" in ids("改名")
    assert ids("重命名会话")[0] == "session.title.set"


def test_synonyms_slash_tokens_tool_names_and_option_labels_are_searched():
    assert "subagents.plan.start" in ids("规划")
    assert ids("/delegate")[0] == "subagents.delegate.start"
    assert ids("session_title_set")[0] == "session.title.set"
    assert "review.start" in ids("未提交的更改")


def test_nothing_found_is_nothing():
    assert ids("zzzzqqq") == []


def test_the_limit_is_between_one_and_a_hundred():
    assert len(ids("session", 3)) == 3
    assert len(ids("", 0)) == 1
    assert len(ids("", 1000)) <= 100


def test_an_empty_query_lists_by_title():
    found = SEARCH.find("", 100)
    assert [s.title.en.casefold() for s in found] == sorted(s.title.en.casefold() for s in found)


def test_chinese_tokens_are_pairs():
    assert tokens("打开会话 MCP") == ["打开", "开会", "会话", "mcp"]
    assert tokens("会") == ["会"]


def test_a_word_counts_from_its_beginning():
    """``review`` is a part of ``preview`` too, which is not what somebody looks for."""
    assert ids("review", 1) == ["review.start"]
    assert ids("预览", 1) == ["mcp.preview"]
