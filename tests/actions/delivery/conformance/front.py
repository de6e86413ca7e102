"""A front for a client that can show no token: adds one to each request, and passes everything else as it came.

``front.py URL``, the token in ``FRONT_TOKEN``; prints the url there and serves until it is ended.
"""

from __future__ import annotations

import asyncio
import os
import sys
from urllib.parse import urlsplit


class _Front:
    def __init__(self, host: str, port: int, token: str) -> None:
        self._host, self._port, self._token = host, port, token

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request and its answer, then the end: a client that wants more connects again."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            upstream, to_server = await asyncio.open_connection(self._host, self._port)
            to_server.write(self._head(head, writer.get_extra_info("sockname")[1]))
            body = asyncio.ensure_future(_copy(reader, to_server))
            try:
                await _copy(upstream, writer)
            finally:
                body.cancel()
                to_server.close()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _head(self, head: bytes, own_port: int) -> bytes:
        lines = [line for line in head.split(b"\r\n") if line and not line.lower().startswith(b"connection:")]
        # Its own name is the server's here; any other, such as an attacker's, stays as it is
        lines = [line.replace(b":%d" % own_port, b":%d" % self._port) for line in lines]
        lines += [b"Authorization: Bearer " + self._token.encode(), b"Connection: close"]
        return b"\r\n".join(lines) + b"\r\n\r\n"


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(65536):
        writer.write(piece)
        await writer.drain()


async def main(url: str, token: str) -> None:
    target = urlsplit(url)
    server = await asyncio.start_server(_Front(target.hostname or "", target.port or 0, token).answer, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{target.path}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], os.environ["FRONT_TOKEN"]))
