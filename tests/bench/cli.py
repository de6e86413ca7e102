"""cli.*: whole runs of the `sayso` command against a process that makes one request with the standard library."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.bench.harness import Figure, in_turns, process

LIMIT = 1.5
SAYSO = str(Path(sys.executable).with_name("sayso"))
FLOOR = str(Path(__file__).with_name("floors") / "request.py")


class _Empty(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b'{"ok": true, "kind": "sessions", "data": []}\n'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def empty_server() -> Iterator[int]:
    """A loopback server that answers at once; gives its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Empty) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def running_host(home: str) -> Iterator[None]:
    """A host of this home, from ready until stopped by a signal."""
    host = subprocess.Popen(
        [SAYSO, "host", "--json"],
        env={**os.environ, "SAYSO_HOME": home},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert host.stdout is not None
        ready = host.stdout.readline()
        if not ready or not json.loads(ready)["ok"]:
            raise RuntimeError(f"the host did not start: {ready!r}")
        yield
    finally:
        host.send_signal(signal.SIGTERM)
        host.wait(timeout=10)


def figures() -> Iterator[Figure]:
    """``cli.help``, ``cli.call``, ``cli.tools_list`` and ``cli.tools_call``, in milliseconds from start to exit."""
    with tempfile.TemporaryDirectory() as home, empty_server() as port:
        floor = process([sys.executable, FLOOR, str(port)])
        env = {"SAYSO_HOME": home}
        pair = in_turns(process([SAYSO, "--help"], env), floor)
        yield Figure("cli.help", pair.subject_ms, "ms", LIMIT, pair.floor_ms)
        with running_host(home):
            pair = in_turns(process([SAYSO, "session", "list", "--json"], env), floor)
            yield Figure("cli.call", pair.subject_ms, "ms", LIMIT, pair.floor_ms)
            pair = in_turns(process([SAYSO, "tools", "list", "--json"], env), floor)
            yield Figure("cli.tools_list", pair.subject_ms, "ms", LIMIT, pair.floor_ms)
            call = ["tools", "call", "--source", "sayso", "--tool", "action_spec_get", "--args-json"]
            pair = in_turns(process([SAYSO, *call, '{"id": "review.start"}', "--json"], env), floor)
            yield Figure("cli.tools_call", pair.subject_ms, "ms", LIMIT, pair.floor_ms)
