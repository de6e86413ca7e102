"""One request after another to checked addresses, within limits of time and size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

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
    """The host of an http(s) address, in small letters. Raises CannotFetch for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise CannotFetch(f"{url!r} is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CannotFetch(f"{url!r} is no http or https address")
    if parts.username is not None or parts.password is not None:
        raise CannotFetch("an address with a user name or a password in it is not fetched")
    if port == 0:
        raise CannotFetch("port 0 is no port")
    return parts.hostname.lower()


async def fetch(url: str, *, private: bool, headers: Mapping[str, str] | None = None) -> Page:
    """GET ``url``. Redirects are followed within its host (with or without ``www.``), each hop checked anew.

    Raises:
        CannotFetch: the address is refused, leads to another host, or does not answer.
    """
    import httpx2

    home = _bare(host_of(url))
    async with httpx2.AsyncClient(
        follow_redirects=False, trust_env=False, timeout=httpx2.Timeout(20.0, connect=10.0)
    ) as client:
        for _ in range(_HOPS + 1):
            host = host_of(url)
            if _bare(host) != home:
                raise CannotFetch(f"it redirects to another host: {url} . Fetch that address if you want it")
            answer = await _hop(client, url, host, private, headers or {})
            if isinstance(answer, Page):
                return answer
            url = urljoin(url, answer)
    raise CannotFetch(f"it redirects more than {_HOPS} times")


async def _hop(
    client: httpx2.AsyncClient, url: str, host: str, private: bool, headers: Mapping[str, str]
) -> Page | str:
    """The page, or where it redirects to. Connects to the very address that was checked."""
    import httpx2

    target = httpx2.URL(url)
    try:
        addresses = await resolve(target.raw_host.decode(), target.port or _port(target), private=private)
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
            extensions={"sni_hostname": target.raw_host.decode()},
        )
        try:
            response = await client.send(request, stream=True)
        except httpx2.ConnectError as error:
            problem = error
            continue
        try:
            if response.is_redirect and "location" in response.headers:
                return response.headers["location"]
            return await _page(url, response)
        finally:
            await response.aclose()
    raise CannotFetch(f"{host} does not take the connection: {problem}")


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
