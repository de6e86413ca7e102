"""The local endpoint: ``POST /rpc`` for calls and ``GET /events`` for the stream, as thin JSON over a Unix socket."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from actions.catalog.context import Progress
from actions.delivery.events import EventHub
from actions.errors import InvalidInput, SaysoError
from actions.policy.presence import Claim, Peer
from actions.tasks import TaskOwner

_log = logging.getLogger(__name__)
MAX_BODY = 16 * 1024 * 1024
NDJSON = "application/x-ndjson"


class Calls(Protocol):
    """What the endpoint hands calls to: ``method`` with its parameters, from a peer with its claim and token.

    A call with ``progress`` is cancelled when its client hangs up.
    """

    def __call__(
        self,
        method: str,
        params: Mapping[str, Any],
        peer: Peer,
        claim: Claim,
        token: str | None,
        progress: Progress | None = None,
        /,
    ) -> Awaitable[dict[str, Any]]: ...


class PeerOf(Protocol):
    """What is known of the process behind a request."""

    def __call__(self, request: Request, /) -> Peer: ...


def local_app(
    calls: Calls, hub: EventHub, peer_of: PeerOf, touch: Callable[[], None], more: Sequence[BaseRoute] = ()
) -> Starlette:
    """The app. ``touch`` is told of every sign of life of a client; ``more`` are routes that bring their own."""

    async def answered(request: Request, body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
        who = (peer_of(request), claim_of(body["params"]), token_of(request))
        try:
            if progress is None:
                return await calls(body["method"], body["params"], *who)
            return await calls(body["method"], body["params"], *who, progress)
        except SaysoError as error:
            return {"ok": False, "outcome": "failed", "error": error.as_json()}
        except Exception:  # noqa: BLE001  # the last line of defence: a mistake is an answer, not a dropped call
            _log.exception("a call failed in an unexpected way")
            problem = SaysoError("The host made a mistake; its log says which.")
            return {"ok": False, "outcome": "failed", "error": problem.as_json()}
        finally:
            touch()

    async def rpc(request: Request) -> Response:
        touch()
        try:
            body = await _body(request)
        except SaysoError as error:
            return JSONResponse({"ok": False, "outcome": "failed", "error": error.as_json()})
        except ClientDisconnect:
            return Response(status_code=499)
        if body["params"].get("attached") is True:
            lines = attached_lines(lambda progress: answered(request, body, progress))
            return StreamingResponse(lines, media_type=NDJSON)
        return JSONResponse(await answered(request, body, None))

    async def events(request: Request) -> Response:
        touch()
        query = request.query_params
        after = query.get("after")
        subscription = hub.subscribe(
            after=int(after) if after is not None and after.isdecimal() else None,
            epoch=query.get("epoch"),
            offers=frozenset(part for part in query.get("offers", "").split(",") if part),
            surface=query.get("surface", ""),
            window=query.get("window", ""),
        )

        async def stream() -> AsyncIterator[bytes]:
            try:
                async for line in subscription.lines():
                    yield line
            finally:
                subscription.close()
                touch()

        return StreamingResponse(stream(), media_type=NDJSON)

    own = [Route("/rpc", rpc, methods=["POST"]), Route("/events", events, methods=["GET"])]
    return Starlette(routes=[*own, *more])


async def attached_lines(call: Callable[[Progress], Coroutine[Any, Any, dict[str, Any]]]) -> AsyncIterator[bytes]:
    """A line ``{"progress": text}`` for each word of it, then the envelope. The call ends with whoever reads."""
    said: asyncio.Queue[str | None] = asyncio.Queue()
    owner = TaskOwner("attached call")

    async def run() -> dict[str, Any]:
        try:
            return await call(lambda done, total, message: said.put_nowait(message or ""))
        finally:
            said.put_nowait(None)

    try:
        answer = owner.start(run(), name="call")
        while (words := await said.get()) is not None:
            yield json.dumps({"progress": words}).encode() + b"\n"
        yield json.dumps(await answer).encode() + b"\n"
    finally:
        await owner.close()


async def _body(request: Request) -> dict[str, Any]:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_BODY:
            raise InvalidInput("The call is larger than 16 MiB. Send less, or name a file.")
        chunks.append(chunk)
    try:
        body = json.loads(b"".join(chunks) or b"null")
    except (ValueError, RecursionError):
        raise InvalidInput("The call is not JSON.") from None
    if not isinstance(body, dict):
        raise InvalidInput('A call is {"method": ..., "params": {...}}.')
    method, params = body.get("method"), body.get("params", {})  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if not isinstance(method, str) or not isinstance(params, dict):
        raise InvalidInput('A call is {"method": ..., "params": {...}}.')
    return {"method": method, "params": params}


def claim_of(params: Mapping[str, Any]) -> Claim:
    """What a caller says of itself, in the parameters of a call or of a query."""

    def text(name: str) -> str | None:
        value = params.get(name)
        return value if isinstance(value, str) else None

    return Claim(surface=text("surface"), session_id=text("session_id"), label=text("label") or "")


def token_of(request: Request) -> str | None:
    """The bearer token that a request shows."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None
