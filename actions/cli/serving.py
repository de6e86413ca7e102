"""`sayso mcp serve`: the catalog for an editor, over standard input and output or over loopback HTTP.

The host speaks MCP; this process carries its lines, so that it starts at once and loads no library for it. It ends with
its input, with a signal, and with the host: nothing may be left of it when the editor is gone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any
from urllib.parse import urlencode

from actions.cli.answer import Answer
from actions.cli.invocation import Invocation
from actions.client.pipe import Pipe, open_pipe
from actions.client.wire import Malformed
from actions.errors import HostUnavailable

GRACE_S = 3.0
"""Seconds that answers under way have after the end of the input."""
_PIECE = 64 * 1024

_GONE = "Sayso's host went away. Start the server again."


def serve(call: Invocation) -> Answer:
    """Serve until the input ends, a signal comes or the host is gone (exit 1)."""
    if call.value("http"):
        return _http(call)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, frame: os._exit(128 + received))
    pipe = _open(call, "/mcp/stdio", "POST")
    ended = threading.Event()
    threading.Thread(target=_carry_input, args=(pipe, ended), name="input", daemon=True).start()
    try:
        for content in pipe.response.chunks():
            _write(content)
    except BrokenPipeError:
        os._exit(0)  # the editor reads no more
    except (Malformed, OSError) as error:
        if ended.is_set():
            os._exit(0)
        raise HostUnavailable(_GONE) from error
    if not ended.is_set():
        raise HostUnavailable(_GONE)
    return Answer("mcp", None, printed=True)


def _carry_input(pipe: Pipe, ended: threading.Event) -> None:
    """In a thread: the input to the host; after its end the process has a short while, whatever it waits for."""
    try:
        while content := os.read(0, _PIECE):
            pipe.send(content)
        ended.set()
        pipe.end()
    except OSError:
        return  # the host is gone; whoever reads from it notices
    watchdog = threading.Timer(GRACE_S, os._exit, (0,))
    watchdog.daemon = True
    watchdog.start()


def _http(call: Invocation) -> Answer:
    """Print url and token, then hold the endpoint open until a signal or the end of the host."""
    pipe = _open(call, "/mcp/http", "GET")
    lines = pipe.response.lines()
    _show(call, next(lines))
    try:
        for _ in lines:
            pass
    except (Malformed, OSError) as error:
        raise HostUnavailable(_GONE) from error
    raise HostUnavailable(_GONE)  # nothing else ends it


def _show(call: Invocation, line: bytes) -> None:
    import json

    found: dict[str, Any] = json.loads(line)
    if call.flags.as_json:
        _write(line + b"\n")
        return
    data = found["data"]
    _write(f"{data['url']}\nAuthorization: Bearer {data['token']}\n".encode())
    sys.stderr.write("Ends with Ctrl+C; the token is good for as long.\n")


def _open(call: Invocation, path: str, method: str) -> Pipe:
    host = call.host()
    call.checked("hello", host=host)  # starts one where there is none
    asked = {
        "surface": "mcp",
        "label": call.said,
        "session_id": call.value("session_id") or call.environ.get("SAYSO_SESSION_ID"),
        "workspace": call.flags.workspace,
    }
    query = urlencode({name: value for name, value in asked.items() if value})
    return open_pipe(host.socket_file, f"{path}?{query}", method=method, token=host.token)


def _write(content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(1, view) :]
