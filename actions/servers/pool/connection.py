"""One try at a connection: the process or the URL, the handshake, the list of tools, and the way out of it all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx2
from mcp.client._transport import TransportStreams

from actions.servers.pool import environment
from actions.servers.pool.definition import Http, ServerDefinition, Stdio, Value
from actions.servers.pool.failures import Failed, start_failure
from actions.servers.pool.http import http_streams
from actions.servers.pool.link import Link, open_link
from actions.servers.pool.process import Process
from actions.servers.pool.redaction import Redactor
from actions.servers.pool.schemas import ToolReader
from actions.servers.pool.secrets import resolve
from actions.servers.pool.states import SkippedTool, ToolInfo
from actions.servers.pool.stderr import Stderr
from actions.servers.pool.surroundings import Surroundings

if TYPE_CHECKING:
    from actions.servers.pool.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Tools:
    """What a server's list came to."""

    tools: tuple[ToolInfo, ...]
    skipped: tuple[SkippedTool, ...]
    warnings: tuple[str, ...]


class Attempt:
    """One try. ``stage`` says how far it came; ``process``, ``noise`` and ``stderr`` are there for the post-mortem."""

    def __init__(self, definition: ServerDefinition, surroundings: Surroundings, *, renew: bool = False) -> None:
        self.definition = definition
        self.stage = "start"
        self.process: Process | None = None
        self.noise: list[str] = []
        self.redact = Redactor()
        self.over = asyncio.Event()
        self.tokens: Tokens | None = None
        self._surroundings = surroundings
        self._renew = renew
        self._reader = ToolReader()
        self.stderr = Stderr(self.redact, surroundings.stderr_file(definition.name))

    @asynccontextmanager
    async def open(
        self, answered: Callable[[], None], on_changed: Callable[[], None], *, modern: bool, patient: bool
    ) -> AsyncGenerator[tuple[Link, Tools]]:
        """A session with its tools read; ``answered`` is called as soon as the server spoke. The era is settled as
        :meth:`Link.negotiate` says.

        Raises Failed, NotModern, and what :func:`failures.classify` knows.
        """
        around = self._surroundings
        async with (
            self._streams() as streams,
            open_link(
                streams, client=around.client, roots=around.roots, on_changed=on_changed, on_closed=self.over.set
            ) as link,
        ):
            self.stage = "initialize"
            await link.negotiate(modern=modern, patient=patient)
            answered()
            self.stage = "list"
            tools = await self.list(link)
            self.stage = "call"
            yield link, tools

    async def list(self, link: Link) -> Tools:
        """Ask for the tools and read them."""
        return Tools(*await asyncio.to_thread(self._reader.read, await link.entries()))

    async def end(self, *, patient: bool) -> None:
        """End the process, if there is one; ``patient`` gives it the time to end by itself."""
        if self.process is not None:
            await self.process.end(**({} if patient else {"eof_wait": 0.0}))
        else:
            self.stderr.close()

    @asynccontextmanager
    async def _streams(self) -> AsyncGenerator[TransportStreams]:
        transport = self.definition.transport
        if isinstance(transport, Http):
            headers = await self._values(transport.headers, every=True)
            async with http_streams(transport, headers, await self._auth(transport)) as streams:
                yield streams
            return
        from actions.servers.pool.stdio import stdio_streams

        self.process = await self._spawn(transport)
        async with stdio_streams(self.process, noise=self._heard) as streams:
            yield streams

    async def _auth(self, http: Http) -> httpx2.Auth | None:
        """The stored login, where there is one; a header of the user's own goes before it. Raises Unreadable."""
        store = self._surroundings.tokens
        if store is None or "authorization" in map(str.lower, http.headers):
            return None
        from actions.servers.pool.login import background_auth
        from actions.servers.pool.tokens import Tokens

        self.tokens = Tokens(store, self.definition.name, http.url)
        if not await self.tokens.load():
            return None
        self.redact.know(self.tokens.values)
        return background_auth(http, self.tokens, renew=self._renew)

    async def _spawn(self, stdio: Stdio) -> Process:
        env = environment.base(self._surroundings.environ) | await self._values(stdio.env)
        try:
            return await Process.spawn(
                stdio.command, stdio.args, env=env, cwd=stdio.cwd or self._surroundings.cwd, stderr=self.stderr
            )
        except (OSError, ValueError) as error:
            raise Failed(start_failure(stdio, error)) from error

    async def _values(self, values: Mapping[str, Value], *, every: bool = False) -> dict[str, str]:
        """The values in the clear; the secret ones are taken out of all that is shown from now on."""
        clear, secret = await resolve(values, self._surroundings.secrets)
        self.redact.know(secret)
        self.redact.know(value for name, value in clear.items() if every or environment.looks_secret(name))
        return clear

    def _heard(self, line: str) -> None:
        if len(self.noise) < 20:
            self.noise.append(self.redact(line))
