"""The first words of a connection, answered before the SDK is loaded.

Loading the SDK's schema takes most of a start; a client waits for the answer to ``initialize`` (ACP 1,
"Initialization"). So this module answers it with the standard library, and only then loads the rest. Until a client has
said ``initialize`` every other request gets an error.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any, cast

from actions.agent.wire import Wire

PROTOCOL_VERSION = 1
NAME = "sayso-scout"


async def serve(*, asks: bool) -> None:
    """Serve standard input and output until the end of input. ``asks``: ask before the agent's own writes."""
    wire = Wire(sys.stdin.fileno(), sys.stdout.fileno())
    if not await greet(wire):
        return
    from actions.agent.acp.server import run

    await run(wire, asks=asks)


async def greet(wire: Wire) -> bool:
    """Answer until a client has initialized the connection. False at the end of input."""
    while (message := await wire.receive()) is not None:
        if "method" not in message or "id" not in message:
            continue
        answer, opened = _answer(message)
        try:
            await wire.send({"jsonrpc": "2.0", "id": message["id"], **answer})
        except ConnectionError:
            return False
        if opened:
            return True
    return False


def introduction() -> dict[str, Any]:
    """The result of ``initialize``: what this agent is and can do."""
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "agentCapabilities": {
            "loadSession": True,
            "promptCapabilities": {"embeddedContext": True, "image": False, "audio": False},
            "mcpCapabilities": {"http": False, "sse": False},
            "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
        },
        "authMethods": [],
        "agentInfo": {"name": NAME, "title": "Sayso scout", "version": _version()},
    }


def _answer(message: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    if message["method"] != "initialize":
        text = "Not initialized: the first request has to be `initialize`"
        return {"error": {"code": -32600, "message": text, "data": {"method": message["method"]}}}, False
    params: object = message.get("params")
    asked = cast("dict[str, Any]", params).get("protocolVersion") if isinstance(params, dict) else None
    if not isinstance(asked, int) or isinstance(asked, bool) or not 0 <= asked <= 65535:
        text = "Invalid params: `protocolVersion` has to be an integer, 1 for this agent"
        return {"error": {"code": -32602, "message": text, "data": {"protocolVersion": asked}}}, False
    return {"result": introduction()}, True


def _version() -> str:
    try:
        return version("sayso")
    except PackageNotFoundError:
        return "0"
