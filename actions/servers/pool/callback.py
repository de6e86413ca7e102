"""Where the browser comes back to after a login: one request on a loopback port (RFC 8252, 7.3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

HOST = "127.0.0.1"
PATH = "/callback"
_PAGE = "<!doctype html><meta charset=utf-8><title>Sayso</title><p style='font:16px sans-serif;margin:3em'>{}</p>"
_DONE = "You are logged in. You can close this page."
_FAILED = "The login did not work. Go back to Sayso for the reason."


class Callback:
    """Waits for the one answer. ``url`` is what the provider is told to come back to."""

    def __init__(self, port: int) -> None:
        self.url = f"http://{HOST}:{port}{PATH}"
        self.answer: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    def take(self, target: str) -> bool | None:
        """Look at a request's target: None when it is something else, else whether it brings a code."""
        parts = urlsplit(target)
        if parts.path != PATH:
            return None
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if not self.answer.done():
            self.answer.set_result(query)
        return "code" in query


@asynccontextmanager
async def listening(port: int = 0) -> AsyncGenerator[Callback]:
    """Listen on ``port``, or a free one when it is 0 or taken."""
    callback: Callback | None = None

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(10.0):
                line = await reader.readline()
                while (await reader.readline()).strip():
                    pass
            words = line.decode("latin-1").split(" ")
            good = callback.take(words[1]) if callback is not None and len(words) > 1 else None
            status = "404 Not Found" if good is None else "200 OK"
            page = _PAGE.format(_DONE if good else _FAILED).encode()
            head = (
                f"HTTP/1.1 {status}",
                "Content-Type: text/html",
                f"Content-Length: {len(page)}",
                "Connection: close",
            )
            writer.write("\r\n".join((*head, "", "")).encode() + page)
            await writer.drain()
        except (OSError, ValueError, TimeoutError):
            pass  # a browser that went away, or a request that is none
        finally:
            writer.close()

    try:
        server = await asyncio.start_server(answer, HOST, port)
    except OSError:
        server = await asyncio.start_server(answer, HOST, 0)
    async with server:
        callback = Callback(server.sockets[0].getsockname()[1])
        yield callback
