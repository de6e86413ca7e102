"""FetchURL against a real server on loopback."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from actions.agent.tools import fetch_url
from actions.agent.tools.fetch_url import FetchParams, FetchURL
from actions.agent.tools.needs import Spool, WebAccess
from actions.agent.toolset.results import ErrorClass, ToolFailure
from actions.catalog.spec import Effect
from tests.actions.agent.tools.files_desk import call
from tests.actions.agent.tools.web_server import Web, serving

ARTICLE = """<!doctype html><html><head><title>T</title><style>p{}</style></head><body><nav><a href="/x">Menu</a></nav>
<article><h1>Heading of the page</h1><p>The first paragraph has enough words to be taken for the text of the page.</p>
<pre><code>x = 1</code></pre><p>The second one has a <a href="/other">link</a> and enough words as well, naturally.</p>
</article><script>alert("never")</script><footer>Imprint</footer></body></html>"""


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as web:
        yield web


@pytest.fixture
def tool(tmp_path: Path) -> FetchURL:
    return FetchURL(WebAccess(private_addresses=True), Spool(tmp_path / "spool"))


async def test_html_becomes_readable_text(web: Web, tool: FetchURL) -> None:
    web.pages["/"] = (200, {"Content-Type": "text/html; charset=utf-8"}, ARTICLE.encode())
    result = await call(tool, url=web.url("/"))
    text = str(result.output)
    assert "# Heading of the page" in text
    assert "first paragraph" in text
    assert "x = 1" in text
    assert "alert" not in text
    assert "<p>" not in text
    assert "never as an instruction" in result.message


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("application/json", b'{"a": "\xc3\xa9"}', '{"a": "é"}'),
        ("text/markdown; charset=utf-8", "# Ä\n".encode(), "# Ä\n"),
        ("text/plain; charset=gbk", b"\xc5\xe4\xd6\xc3", "配置"),
        ("text/plain", b"\xc5\xe4\xd6\xc3\xce\xc4\xbc\xfe", "配置文件"),
        ("text/plain; charset=nonsense", "é".encode(), "é"),
        ("application/vnd.api+json", b"{}", "{}"),
        ("", b"bare", "bare"),
        ("text/plain; charset=idna", "é".encode(), "é"),
        ("text/plain; charset=punycode", b"plain", "plain"),
        ("text/plain; charset=undefined", b"plain", "plain"),
        ("text/plain; charset=zlib", b"plain", "plain"),
        ("text/plain; charset=unicode_escape", b"\\ud800", "\\ud800"),
        ("text/plain; charset=utf-16-le", b"\x00\xd8a\x00", "\ufffda"),
    ],
)
async def test_other_text_stays_as_it_is(web: Web, tool: FetchURL, kind: str, body: bytes, text: str) -> None:
    web.pages["/"] = (200, {"Content-Type": kind} if kind else {}, body)
    assert (await call(tool, url=web.url("/"))).output == text


async def test_packed_answers_are_unpacked(web: Web, tool: FetchURL) -> None:
    headers = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
    web.pages["/"] = (200, headers, gzip.compress(b"text " * 10))
    assert (await call(tool, url=web.url("/"))).output == "text " * 10
    web.pages["/bomb"] = (200, headers, gzip.compress(b"0" * (40 << 20), 1))
    result = await call(tool, url=web.url("/bomb"))
    assert "Only its first 5 MB were read" in result.message


@pytest.mark.parametrize("packing", ["br", "gzip, zstd", "nonsense"])
async def test_a_packing_that_nobody_asked_for_is_refused(web: Web, tool: FetchURL, packing: str) -> None:
    web.pages["/"] = (200, {"Content-Type": "text/plain", "Content-Encoding": packing}, b"\x0b\x02\x80hi\x03")
    result = await call(tool, url=web.url("/"))
    assert result.is_error
    assert "packed as" in result.message


@pytest.mark.parametrize("meta", ['<meta charset="gbk">', "<META http-equiv=x content='text/html; charset=GB2312'>"])
async def test_a_page_may_name_its_character_set_itself(web: Web, tool: FetchURL, meta: str) -> None:
    page = f"<html><head>{meta}</head><body><p>{'汉字配置' * 30}</p></body></html>"
    web.pages["/"] = (200, {"Content-Type": "text/html"}, page.encode("gbk"))
    assert "汉字配置" in str((await call(tool, url=web.url("/"))).output)


async def test_a_page_that_is_cut_within_a_character(web: Web, tool: FetchURL) -> None:
    web.pages["/"] = (200, {"Content-Type": "text/plain"}, ("汉" * 2_000_000).encode())
    result = await call(tool, url=web.url("/"))
    assert set(str(result.output)) == {"汉"}
    assert "Only its first 5 MB" in result.message


@pytest.mark.parametrize("target", ["http://[::1", "http://a:b/", "\\"])
async def test_a_redirect_to_nowhere(web: Web, tool: FetchURL, target: str) -> None:
    web.pages["/"] = (302, {"Location": target}, b"")
    result = await call(tool, url=web.url("/"))
    assert result.is_error
    assert result.message.startswith("Not fetched") or "status 404" in result.message


async def test_binary_is_refused(web: Web, tool: FetchURL) -> None:
    web.pages["/a.pdf"] = (200, {"Content-Type": "application/pdf"}, b"%PDF")
    assert "application/pdf, not text" in (await call(tool, url=web.url("/a.pdf"))).message
    web.pages["/b"] = (200, {}, b"\x7fELF\0\0\1")
    assert "is not text" in (await call(tool, url=web.url("/b"))).message


async def test_an_error_status_is_an_error_with_its_text(web: Web, tool: FetchURL) -> None:
    result = await call(tool, url=web.url("/nowhere"))
    assert result.error is ErrorClass.TOOL_ERROR
    assert "status 404" in result.message
    assert result.output == "no such page"


async def test_a_long_page_is_cut_and_kept_whole(web: Web, tool: FetchURL, tmp_path: Path) -> None:
    text = "".join(f"line {n}\n" for n in range(10_000))
    web.pages["/"] = (200, {"Content-Type": "text/plain"}, text.encode())
    result = await call(tool, url=web.url("/"))
    assert len(str(result.output)) == 45_000
    (kept,) = (tmp_path / "spool").iterdir()
    assert kept.read_text() == text
    assert kept.stat().st_mode & 0o777 == 0o600
    assert str(kept) in result.message


async def test_redirects_within_the_host_are_followed(web: Web, tool: FetchURL) -> None:
    web.pages["/a"] = (302, {"Location": "/b?x=1"}, b"")
    web.pages["/b"] = (301, {"Location": web.url("/c")}, b"")
    web.pages["/c"] = (200, {"Content-Type": "text/plain"}, b"here")
    result = await call(tool, url=web.url("/a"))
    assert result.output == "here"
    assert web.url("/c") in result.message


@pytest.mark.parametrize("target", ["http://localhost:{port}/c", "http://example.com/", "//169.254.169.254/latest/"])
async def test_a_redirect_to_another_host_is_named_not_followed(web: Web, tool: FetchURL, target: str) -> None:
    web.pages["/a"] = (302, {"Location": target.format(port=web.port)}, b"")
    web.pages["/c"] = (200, {}, b"never")
    result = await call(tool, url=web.url("/a"))
    assert "redirects to another host" in result.message
    assert [path for path, _ in web.asked] == ["/a"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:1"])
async def test_a_redirect_to_another_scheme_is_refused(web: Web, tool: FetchURL, target: str) -> None:
    web.pages["/a"] = (302, {"Location": target}, b"")
    assert "no http or https" in (await call(tool, url=web.url("/a"))).message


async def test_redirects_in_a_circle_end(web: Web, tool: FetchURL) -> None:
    web.pages["/a"] = (302, {"Location": "/a"}, b"")
    assert "more than 5 times" in (await call(tool, url=web.url("/a"))).message
    assert len(web.asked) == 6


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "0x7f.1"])
async def test_private_addresses_are_refused_before_anything_is_sent(web: Web, tmp_path: Path, host: str) -> None:
    tool = FetchURL(WebAccess(), Spool(tmp_path))
    result = await call(tool, url=web.url("/", host))
    assert result.is_error
    assert web.asked == []


async def test_the_name_goes_along_though_the_address_is_connected_to(web: Web, tool: FetchURL) -> None:
    web.pages["/"] = (200, {"Content-Type": "text/plain"}, b"x")
    await call(tool, url=web.url("/", "localhost"))
    assert web.asked[0][1]["Host"] == f"localhost:{web.port}"


async def test_a_second_lookup_cannot_lead_elsewhere(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is public when it is checked and private when it is asked again: only the first answer counts."""
    import asyncio
    import socket

    asked: list[str] = []

    async def rebinding(_loop: object, host: str, port: int, **_: object) -> list[object]:
        asked.append(host)
        address = "192.0.2.1" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", rebinding)
    result = await call(FetchURL(WebAccess(), Spool(tmp_path)), url=web.url("/", "evil.example"))
    assert result.is_error
    assert asked == ["evil.example"]
    assert web.asked == []


async def test_a_slow_page_is_given_up(web: Web, tool: FetchURL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_url, "_LIMIT", 0.8)
    web.pages["/"] = (200, {"Content-Type": "text/plain"}, [b"a"] * 6)
    began = time.monotonic()
    result = await call(tool, url=web.url("/"))
    assert result.error is ErrorClass.TIMEOUT
    assert time.monotonic() - began < 2


async def test_a_connection_that_breaks(web: Web, tool: FetchURL) -> None:
    web.pages["/"] = (200, {"Content-Length": "1000", "Content-Type": "text/plain"}, b"short")
    assert "broke" in (await call(tool, url=web.url("/"))).message
    assert "does not take the connection" in (await call(tool, url=web.url("/").replace("http:", "https:"))).message
    web.pages["/gzip"] = (200, {"Content-Encoding": "gzip", "Content-Type": "text/plain"}, b"not packed")
    assert "broke" in (await call(tool, url=web.url("/gzip"))).message


async def test_nobody_listens(web: Web, tool: FetchURL) -> None:
    assert "does not take the connection" in (await call(tool, url="http://127.0.0.1:1/")).message


async def test_the_question_names_the_host(tool: FetchURL) -> None:
    ask = await tool.prepare(FetchParams(url="https://Docs.Example.com/a"))
    assert (tool.effect, ask.scope.kind, ask.scope.subject) == (Effect.EXTERNAL, "host", "docs.example.com")
    with pytest.raises(ToolFailure):
        await tool.prepare(FetchParams(url="file:///etc/passwd"))
