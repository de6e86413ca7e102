"""Logging in to a server, staying logged in, and every way in which that ends."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest

from actions.servers.pool.definition import Http, Limits, OAuthClient, ServerDefinition
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import Reason, ServerError, ServerRow, State
from actions.servers.pool.surroundings import Surroundings
from actions.servers.pool.tokens import Tokens
from actions.storage.secrets import FileStore, Secret
from tests.actions.servers.pool.conftest import FIXTURES, until


@pytest.fixture(scope="module")
def guarded() -> Iterator[str]:
    """The base URL of a server with an OAuth provider."""
    with subprocess.Popen(
        [sys.executable, str(FIXTURES / "oauth_http.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.kill()


class Home:
    """One home with its secrets; each :meth:`open` is a process that starts anew."""

    def __init__(self, folder: Path, base: str) -> None:
        self.store = FileStore(folder / "secrets.enc")
        self.base = base
        self.definition = ServerDefinition("guarded", Http(f"{base}/mcp"), Limits(connect=50.0))
        self.tokens = Tokens(lambda: self.store, "guarded", f"{base}/mcp")
        self.pools: list[Pool] = []

    async def open(self) -> tuple[Pool, ServerRow]:
        pool = Pool(Surroundings(dict(os.environ), tokens=lambda: self.store))
        self.pools.append(pool)
        pool.start([self.definition])
        snapshot = await pool.wait_ready(50.0)
        return pool, snapshot.servers[0]

    async def control(self, word: str) -> str:
        async with httpx2.AsyncClient() as client:
            return (await client.get(f"{self.base}/control/{word}")).text

    def age(self, **changes: object) -> None:
        """Change the stored login, as time or another program would."""
        record = json.loads(self.store.get(self.tokens.name).reveal())
        self.store.set(self.tokens.name, Secret(json.dumps({**record, **changes})))


async def browse(url: str) -> None:
    """A person with a browser."""
    async with httpx2.AsyncClient(follow_redirects=True) as browser:
        await browser.get(url)


@pytest.fixture
async def home(tmp_path: Path, guarded: str) -> AsyncIterator[Home]:
    home = Home(tmp_path, guarded)
    await home.control("allow")
    await home.control("only:client_secret_post")
    yield home
    for pool in home.pools:
        await pool.close()


async def test_a_server_that_wants_a_login_is_unauthorized_and_registers_nobody(home: Home) -> None:
    before = await home.control("count")
    _, row = await home.open()
    assert (row.state, row.failure.login) == (State.UNAUTHORIZED, True)
    assert row.retry_in is None
    assert await home.control("count") == before


async def test_after_a_login_the_server_is_connected_and_stays_so_after_a_restart(home: Home) -> None:
    pool, _ = await home.open()
    row = await pool.log_in("guarded", browse)
    assert (row.state, [tool.name for tool in row.tools]) == (State.CONNECTED, ["ping"])
    assert (await pool.call("guarded", "ping", {})).content[0]["text"] == "pong"
    _, again = await home.open()
    assert again.state is State.CONNECTED


async def test_a_token_that_ran_out_is_renewed_without_anybody(home: Home) -> None:
    pool, _ = await home.open()
    await pool.log_in("guarded", browse)
    old = await asyncio.to_thread(home.store.get, home.tokens.name)
    home.age(expires_at=time.time() - 60.0)
    _, row = await home.open()
    assert row.state is State.CONNECTED
    assert home.store.get(home.tokens.name) != old


async def test_a_token_that_was_revoked_is_renewed_without_anybody(home: Home) -> None:
    pool, _ = await home.open()
    await pool.log_in("guarded", browse)
    await home.control("revoke")
    _, row = await home.open()
    assert row.state is State.CONNECTED


async def test_a_login_that_nothing_can_renew_is_unauthorized(home: Home) -> None:
    pool, _ = await home.open()
    await pool.log_in("guarded", browse)
    await home.control("forget")
    _, row = await home.open()
    assert (row.state, row.failure.reason, row.failure.login) == (State.UNAUTHORIZED, Reason.UNAUTHORIZED, True)


async def test_a_provider_that_forgot_us_gets_a_new_registration(home: Home) -> None:
    pool, _ = await home.open()
    await pool.log_in("guarded", browse)
    before = int(await home.control("count"))
    await home.control("forget")
    row = await pool.log_in("guarded", browse)
    assert row.state is State.CONNECTED
    assert int(await home.control("count")) == before + 1


async def test_a_second_login_uses_the_same_registration(home: Home) -> None:
    pool, _ = await home.open()
    await pool.log_in("guarded", browse)
    before = await home.control("count")
    assert (await pool.log_in("guarded", browse)).state is State.CONNECTED
    assert await home.control("count") == before


@pytest.mark.parametrize(
    ("told", "name", "secret"),
    [
        ("client_secret_basic", "by_basic", "s3:cr/et %"),
        ("", "by_basic", "s3:cr/et %"),  # RFC 8414, 2: a provider that tells nothing takes basic
        ("client_secret_post", "by_post", "s3:cr/et %"),
        ("none", "by_none", "a secret that nobody wants"),
        ("none", "by_none", None),
    ],
)
async def test_a_client_registered_by_hand_shows_its_secret_as_the_provider_wants(
    home: Home, told: str, name: str, secret: str | None
) -> None:
    await home.control(f"only:{told}")
    client = OAuthClient(name, None if secret is None else Secret(secret))
    home.definition = ServerDefinition("guarded", Http(f"{home.base}/mcp", oauth=client), Limits(connect=50.0))
    pool, _ = await home.open()
    assert (await pool.log_in("guarded", browse)).state is State.CONNECTED
    await home.control("revoke")
    _, renewed = await home.open()
    assert renewed.state is State.CONNECTED


async def test_a_no_in_the_browser_is_told(home: Home) -> None:
    pool, _ = await home.open()
    await home.control("deny")
    with pytest.raises(ServerError, match="the user said no"):
        await pool.log_in("guarded", browse)
    assert pool.snapshot().servers[0].state is State.UNAUTHORIZED


async def test_nobody_at_the_browser_ends_at_the_limit(home: Home) -> None:
    pool, _ = await home.open()
    shown: list[str] = []

    async def look(url: str) -> None:
        shown.append(url)

    with pytest.raises(ServerError, match="Nobody came back from the browser within 5 s"):
        await pool.log_in("guarded", look, limit=5.0)
    assert "code_challenge=" in shown[0]


async def test_a_login_can_be_given_up(home: Home) -> None:
    pool, _ = await home.open()
    shown = asyncio.Event()

    async def look(url: str) -> None:
        shown.set()

    login = asyncio.create_task(pool.log_in("guarded", look))
    await asyncio.wait_for(shown.wait(), 30.0)
    login.cancel()
    with pytest.raises(asyncio.CancelledError):
        await login
    assert pool.snapshot().servers[0].state is State.UNAUTHORIZED


async def test_a_logout_forgets_the_login(home: Home) -> None:
    pool, _ = await home.open()
    await pool.log_in("guarded", browse)
    await pool.log_out("guarded")
    await until(lambda: pool.snapshot().servers[0].state is State.UNAUTHORIZED)
    assert home.store.get(home.tokens.name) is None


async def test_52_an_unreadable_token_store_is_unauthorized(home: Home) -> None:
    """Case 52."""
    pool, _ = await home.open()
    await pool.log_in("guarded", browse)
    await asyncio.to_thread((Path(home.store._file)).with_suffix(".key").write_bytes, b"another key")
    _, row = await home.open()
    assert (row.state, row.failure.reason, row.failure.login) == (State.UNAUTHORIZED, Reason.UNAUTHORIZED, True)
    assert row.failure.message.startswith("The stored login cannot be read.")


async def test_a_damaged_login_is_unauthorized_and_replaced_by_the_next(home: Home) -> None:
    home.store.set(home.tokens.name, Secret("no json"))
    pool, row = await home.open()
    assert row.state is State.UNAUTHORIZED
    assert (await pool.log_in("guarded", browse)).state is State.CONNECTED


async def test_no_token_is_ever_shown(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="actions")
    pool, _ = await home.open()
    row = await pool.log_in("guarded", browse)
    await home.tokens.load()
    assert home.tokens.values
    for value in home.tokens.values:
        assert value not in repr((row, pool.snapshot()))
        assert value not in caplog.text
