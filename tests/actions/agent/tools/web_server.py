"""A real web server on loopback, in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Web:
    """``pages`` by path: status, headers, body; a body may be a list of pieces that come half a second apart."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes | list[bytes]]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.port = 0

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


@contextmanager
def serving() -> Iterator[Web]:
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.asked.append((self.path, dict(self.headers.items())))
            status, headers, body = web.pages.get(self.path.partition("?")[0], (404, {}, b"no such page"))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                for piece in body if isinstance(body, list) else [body]:
                    self.wfile.write(piece)
                    self.wfile.flush()
                    if isinstance(body, list):
                        time.sleep(0.5)
            except OSError:
                pass  # the reader had enough

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
