"""SearchWeb against a real server that speaks the JSON API of SearXNG."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from actions.agent.tools.needs import WebAccess
from actions.agent.tools.search_web import SearchParams, SearchWeb
from actions.agent.toolset.tool import SkipThisTool
from tests.actions.agent.tools.files_desk import call
from tests.actions.agent.tools.web_server import Web, serving


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as web:
        yield web


def test_without_a_service_it_is_left_out() -> None:
    with pytest.raises(SkipThisTool):
        SearchWeb(WebAccess())


async def test_results_in_order(web: Web) -> None:
    results = [
        {"title": "One\n result", "url": "https://a.example/", "content": "about  one", "engine": "x", "score": 1.0},
        {"title": "Two", "url": "https://b.example/", "content": None},
        {"title": "Three", "url": "https://c.example/"},
    ]
    web.pages["/search"] = (200, {}, json.dumps({"query": "q", "results": results}).encode())
    tool = SearchWeb(WebAccess(search_url=web.url("/search"), search_key="secret-key"))
    result = await call(tool, query="größe & 搜索", limit=2)
    assert result.output == "1. One result\n   https://a.example/\n   about one\n\n2. Two\n   https://b.example/"
    (path, headers), *_ = web.asked
    assert parse_qs(urlsplit(path).query) == {"q": ["größe & 搜索"], "format": ["json"]}
    assert headers["Authorization"] == "Bearer secret-key"
    assert "secret-key" not in repr(result)


async def test_an_address_that_has_parameters_keeps_them(web: Web) -> None:
    web.pages["/search"] = (200, {}, b'{"results": []}')
    tool = SearchWeb(WebAccess(search_url=web.url("/search?language=de")))
    assert (await call(tool, query="x")).message == "Nothing was found for x."
    assert web.asked[0][0] == "/search?language=de&q=x&format=json"


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b"{}", b'{"results": [{"title": 1}]}', b'{"results": 3}', b"[" * 100_000]
)
async def test_what_is_no_answer(web: Web, body: bytes) -> None:
    web.pages["/search"] = (200, {}, body)
    result = await call(SearchWeb(WebAccess(search_url=web.url("/search"))), query="x")
    assert "search.formats" in result.message


async def test_a_refusal_is_an_error(web: Web) -> None:
    web.pages["/search"] = (403, {}, b"")
    result = await call(SearchWeb(WebAccess(search_url=web.url("/search"))), query="x")
    assert "status 403" in result.message


async def test_the_question_names_the_service() -> None:
    ask = await SearchWeb(WebAccess(search_url="https://s.example/search")).prepare(SearchParams(query="x"))
    assert (ask.scope.kind, ask.scope.subject) == ("host", "s.example")
