"""One request after another to checked addresses, within limits of time and size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from actions.agent.tools.web.addresses import Refused, resolve

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 5 << 20
_HOPS = 5
_NAME = "Mozilla/5.0 (compatible; Sayso)"


class CannotFetch(Exception):
    """No page came; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Page:
    """What came. ``cut``: there was more than 5 MB."""

    url: str
    status: int
    kind: str
    charset: str | None
    data: bytes
    cut: bool


def host_of(url: str) -> str:
    """The host of an http(s) address as it is looked up: small letters, IDNA. Raises CannotFetch for anything else."""
    return _host(_parsed(url))


def _parsed(url: str) -> httpx2.URL:
    """Read once, by the library that connects: a second reader could see another host."""
    import httpx2

    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, TypeError) as error:
        raise CannotFetch(f"that is no web address: {error}") from error
    if parsed.scheme not in ("http", "https") or not parsed.raw_host:
        raise CannotFetch("that is no http or https address")
    if parsed.userinfo:
        raise CannotFetch("an address with a user name or a password in it is not fetched")
    if parsed.port is not None and not 0 < parsed.port < 65_536:
        raise CannotFetch(f"there is no port {parsed.port}")
    return parsed


def _joined(at: httpx2.URL, to: str) -> httpx2.URL:
    try:
        return _parsed(urljoin(str(at), to))
    except ValueError as error:
        raise CannotFetch(f"it redirects to {to[:200]!r}, which is no web address") from error


def _host(url: httpx2.URL) -> str:
    return url.raw_host.decode("ascii").lower().rstrip(".")


async def fetch(url: str, *, private: bool, headers: Mapping[str, str] | None = None) -> Page:
    """GET ``url``. Redirects are followed within its host (with or without ``www.``), each hop checked anew.

    Raises:
        CannotFetch: the address is refused, leads to another host, or does not answer.
    """
    import httpx2

    target = _parsed(url)
    home = _bare(_host(target))
    async with httpx2.AsyncClient(
        follow_redirects=False,
        trust_env=False,  # a proxy would look the name up again
        verify=httpx2.create_ssl_context(trust_env=True),
        timeout=httpx2.Timeout(20.0, connect=10.0),
    ) as client:
        for _ in range(_HOPS + 1):
            try:
                answer = await _hop(client, target, private, headers or {})
            except httpx2.HTTPError as error:
                raise CannotFetch(
                    f"the connection to {_host(target)} broke: {error or type(error).__name__}"
                ) from error
            if isinstance(answer, Page):
                return answer
            before, target = target, _joined(target, answer)
            if _bare(_host(target)) != home:
                raise CannotFetch(f"it redirects to another host: {target} . Fetch that address if you want it")
            if before.scheme == "https" and target.scheme == "http":
                raise CannotFetch(f"it redirects from https to {target} , which anybody on the way could read")
    raise CannotFetch(f"it redirects more than {_HOPS} times")


async def _hop(client: httpx2.AsyncClient, target: httpx2.URL, private: bool, headers: Mapping[str, str]) -> Page | str:
    """The page, or where it redirects to. Connects to the very address that was checked."""
    import httpx2

    host = _host(target)
    try:
        addresses = await resolve(host, target.port or _port(target), private=private)
    except Refused as error:
        raise CannotFetch(f"{error}; such addresses are not fetched unless the settings allow it") from error
    except (OSError, UnicodeError) as error:
        raise CannotFetch(f"the host {host} is not found") from error
    problem: Exception | None = None
    for address in addresses:
        request = client.build_request(
            "GET",
            target.copy_with(host=address, fragment=None),
            headers={"User-Agent": _NAME, "Accept": "text/html,text/*,application/json;q=0.9,*/*;q=0.5", **headers}
            | {"Host": target.netloc.decode()},
            extensions={"sni_hostname": host},
        )
        try:
            response = await client.send(request, stream=True)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            problem = error
            continue
        try:
            if response.is_redirect and "location" in response.headers:
                return response.headers["location"]
            _check_packing(response, client)
            return await _page(str(target), response)
        finally:
            await response.aclose()
    raise CannotFetch(f"{host} does not take the connection: {problem}")


def _check_packing(response: httpx2.Response, client: httpx2.AsyncClient) -> None:
    """What nobody asked for nobody unpacks: its bytes would be taken for the text."""
    known = {name.strip() for name in client.headers["accept-encoding"].lower().split(",")} | {"identity", "x-gzip"}
    said = [name.strip() for name in response.headers.get("content-encoding", "").lower().split(",")]
    if strange := [name for name in said if name and name not in known]:
        raise CannotFetch(f"it is packed as {strange[0][:40]}, which cannot be read")


async def _page(url: str, response: httpx2.Response) -> Page:
    data = bytearray()
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > MOST_BYTES:
            break
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Page(
        url, response.status_code, kind, response.charset_encoding, bytes(data[:MOST_BYTES]), len(data) > MOST_BYTES
    )


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def _port(url: httpx2.URL) -> int:
    return 443 if url.scheme == "https" else 80
