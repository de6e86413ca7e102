"""The first words of a connection, answered before the rest of the agent is loaded.

Loading it takes most of a start, and a client waits for the answer to ``initialize`` (ACP 1, "Initialization"). So this
module answers with the standard library, and only then is the rest loaded. Until a client has said ``initialize`` every
other request gets an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, cast

from actions.agent.acp.hello import Hello
from actions.agent.wire import Wire

if TYPE_CHECKING:
    from actions.agent.acp.clienttools import ClientTools

PROTOCOL_VERSION = 1
NAME = "sayso-agent"
_SESSIONS = ("list", "resume", "close", "fork", "delete", "additionalDirectories")
_INVALID_REQUEST, _INVALID_PARAMS = -32600, -32602


@dataclass(frozen=True)
class Greeting:
    """What a client and the agent agreed on in ``initialize``. ``tools`` is None until a client offers some."""

    hello: Hello
    tools: ClientTools | None = None


class NotAgreed(Exception):
    """``initialize`` cannot be answered; the message says what would do."""


async def greet(wire: Wire) -> Greeting | None:
    """Answer until a client has initialized the connection. None at the end of input."""
    while (message := await wire.receive()) is not None:
        if "method" not in message or "id" not in message:
            continue
        greeting: Greeting | None = None
        try:
            greeting, answer = _answer(message)
        except NotAgreed as error:
            code = _INVALID_PARAMS if message["method"] == "initialize" else _INVALID_REQUEST
            answer = {"error": {"code": code, "message": str(error), "data": {"supported": [PROTOCOL_VERSION]}}}
        try:
            await wire.send({"jsonrpc": "2.0", "id": message["id"], **answer})
        except ConnectionError:
            return None
        if greeting is not None:
            return greeting
    return None


def agree(params: object, tools: ClientTools | None = None) -> tuple[Greeting, dict[str, Any]]:
    """What to keep of an ``initialize``, and its result. ``tools`` are those of an earlier one.

    The version is the highest that both speak. Raises NotAgreed where there is none.
    """
    said = cast("dict[str, Any]", params) if isinstance(params, dict) else {}
    asked: object = said.get("protocolVersion")
    if not isinstance(asked, int) or isinstance(asked, bool) or not 0 <= asked <= 65535:
        raise NotAgreed("Invalid params: `protocolVersion` has to be an integer, 1 for this agent")
    if asked < PROTOCOL_VERSION:
        raise NotAgreed(
            f"This agent speaks version {PROTOCOL_VERSION} of the protocol, not {asked}: use a client that speaks "
            f"version {PROTOCOL_VERSION}"
        )
    hello = Hello.read(said)
    result = introduction()
    if hello.tools is not None:
        from actions.agent.acp.clienttools import ClientTools

        tools = tools or ClientTools()
        result["_meta"] = {"sayso": {"client_tools": tools.register(hello.tools)}}
    return Greeting(hello, tools), result


def introduction() -> dict[str, Any]:
    """What this agent is and can do; the same for every client."""
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "agentCapabilities": {
            "loadSession": True,
            "promptCapabilities": {"embeddedContext": True, "image": True, "audio": False},
            "mcpCapabilities": {"http": True, "sse": True},
            "sessionCapabilities": {name: {} for name in _SESSIONS},
            "_meta": {"sayso": {"steer": True}},
        },
        "authMethods": [],
        "agentInfo": {"name": NAME, "title": "Sayso agent", "version": _version()},
    }


def _answer(message: dict[str, Any]) -> tuple[Greeting, dict[str, Any]]:
    if message["method"] != "initialize":
        raise NotAgreed(f"Not initialized: the first request has to be `initialize`, not `{message['method']}`")
    greeting, result = agree(message.get("params"))
    return greeting, {"result": result}


def _version() -> str:
    try:
        return version("sayso")
    except PackageNotFoundError:
        return "0"
