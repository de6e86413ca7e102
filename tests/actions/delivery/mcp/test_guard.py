"""Who gets in: the right Host, no foreign Origin, the session's own token; and what is refused tells nothing."""

from __future__ import annotations

import httpx2

from tests.actions.delivery.mcp.clients import bearer
from tests.actions.delivery.mcp.conftest import ACCEPT, INITIALIZE, Served, editor


async def ask(url: str, token: str | None, **headers: str) -> httpx2.Response:
    shown = bearer(token) if token is not None else {}
    async with httpx2.AsyncClient(timeout=30) as client:
        return await client.post(url, json=INITIALIZE, headers={**ACCEPT, **shown, **headers})


async def test_the_sessions_own_token_opens_its_endpoint(served: Served) -> None:
    address = await served.session()
    answer = await ask(address.url, address.token)
    assert answer.status_code == 200
    assert '"serverInfo":{"name":"sayso"' in answer.text
    assert address.token not in address.url
    assert address.token not in repr(address)


async def test_another_host_is_misdirected(served: Served) -> None:
    address = await served.session()
    for host in ("evil.example.com", "evil.example.com:80", "127.0.0.1", "127.0.0.1:1", "localhost"):
        assert (await ask(address.url, address.token, Host=host)).status_code == 421, host


async def test_another_origin_is_refused(served: Served) -> None:
    address = await served.session()
    for origin in ("http://evil.example.com", "null", "http://localhost", "https://127.0.0.1", ""):
        answer = await ask(address.url, address.token, Origin=origin)
        assert answer.status_code == 403, origin
        assert "access-control-allow-origin" not in answer.headers


async def test_its_own_names_are_taken(served: Served) -> None:
    address = await served.session()
    port = await served.gateway.port()
    for name in ("127.0.0.1", "localhost", "[::1]"):
        own = f"{name}:{port}"
        assert (await ask(address.url, address.token, Host=own, Origin=f"http://{own}")).status_code == 200


async def test_no_token_or_anothers_is_nobody(served: Served) -> None:
    mine, other = await served.session("s1"), await served.session("s2")
    external = await served.gateway.admit(editor())
    nowhere = mine.url.replace("s1", "s9")
    answers = [
        await ask(mine.url, None),
        await ask(mine.url, "Bearer"),
        await ask(mine.url, "wrong"),
        await ask(mine.url, other.token),
        await ask(mine.url, external.token),
        await ask(external.url, mine.token),
        await ask(nowhere, served.keys.issue("s9")),
        await ask(mine.url.replace("/mcp/session/s1", "/rpc"), mine.token),
        await ask(f"{mine.url}?token={mine.token}", None),
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert {answer.text for answer in answers} == {answers[0].text}, "nobody learns which sessions there are"
    assert served.behind.requests == []


async def test_a_preflight_of_a_browser_gets_no_permission(served: Served) -> None:
    address = await served.session()
    headers = {"Origin": "http://evil.example.com", "Access-Control-Request-Method": "POST"}
    async with httpx2.AsyncClient() as client:
        answer = await client.options(address.url, headers=headers)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_a_lease_ends_with_its_dismissal(served: Served) -> None:
    address = await served.gateway.admit(editor())
    assert (await ask(address.url, address.token)).status_code == 200
    assert served.gateway.connected == 1
    await served.gateway.dismiss(address)
    assert (await ask(address.url, address.token)).status_code == 401
    assert served.gateway.connected == 0


async def test_a_large_request_is_refused(served: Served) -> None:
    address = await served.session()
    async with httpx2.AsyncClient(timeout=30) as client:
        big = {**INITIALIZE, "params": {**INITIALIZE["params"], "x": "y" * (5 * 1024 * 1024)}}
        answer = await client.post(address.url, json=big, headers={**ACCEPT, **bearer(address.token)})
    assert answer.status_code == 413
