"""Model servers on this machine: looked for at the usual ports, offered, and used only after a yes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from actions.agent.model.facts import LIMIT
from actions.agent.model.ref import ModelRef

if TYPE_CHECKING:
    import httpx2

Server = Literal["Ollama", "llama.cpp", "LM Studio", "vLLM"]
_MOST = 1_000_000
"""Bytes of an answer that are read at most: what listens there may be anything."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a kind of server listens when nobody says otherwise, and the path that lists its models."""

    server: Server
    port: int
    path: str = "/v1/models"


PLACES = (
    Place("Ollama", 11434, "/api/tags"),
    Place("llama.cpp", 8080),
    Place("LM Studio", 1234),
    Place("vLLM", 8000),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A server that answered, and what it can run. ``base_url`` is where requests go."""

    server: Server
    base_url: str
    models: tuple[str, ...]

    def refs(self) -> tuple[ModelRef, ...]:
        """Each of its models as a reference."""
        provider = "ollama" if self.server == "Ollama" else "openai-compatible"
        return tuple(ModelRef(provider, name, self.base_url, "loopback") for name in self.models)


async def discover(places: tuple[Place, ...] = PLACES) -> list[Found]:
    """Ask every place at once, 0.3 s each. A server without a model counts as none. Never raises."""
    from actions.agent.model.vendors import http_client

    async with http_client() as client:
        answers = await asyncio.gather(*(_look(place, client) for place in places))
    return [found for found in answers if found is not None]


async def answers(ref: ModelRef) -> bool:
    """Whether something accepts connections where ``ref`` is; False for an endpoint that is not on this machine."""
    from urllib.parse import urlsplit

    if not ref.local or ref.base_url is None:
        return False
    place = urlsplit(ref.base_url)
    try:
        async with asyncio.timeout(LIMIT):
            _, writer = await asyncio.open_connection(place.hostname, place.port or 80)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


async def _look(place: Place, client: httpx2.AsyncClient) -> Found | None:
    root = f"http://127.0.0.1:{place.port}"
    try:
        async with asyncio.timeout(LIMIT):
            listed = await _read(client, root + place.path)
    except TimeoutError:
        return None
    names = _names(listed, "models", "name") if place.server == "Ollama" else _names(listed, "data", "id")
    return Found(place.server, f"{root}/v1", names) if names else None


async def _read(client: httpx2.AsyncClient, url: str) -> object:
    import json

    import httpx2

    read = bytearray()
    try:
        async with client.stream("GET", url, follow_redirects=False) as answer:
            if answer.status_code != 200:
                return None
            async for piece in answer.aiter_bytes():
                read += piece
                if len(read) > _MOST:
                    return None
        return json.loads(read)
    except (httpx2.HTTPError, ValueError, RecursionError):
        return None


def _names(listed: object, under: str, key: str) -> tuple[str, ...]:
    """The models of an answer that looks as it should; nothing of one that does not."""
    entries = cast("dict[str, Any]", listed).get(under) if isinstance(listed, dict) else None
    if not isinstance(entries, list):
        return ()
    found = [cast("dict[str, Any]", entry).get(key) for entry in cast("list[Any]", entries) if isinstance(entry, dict)]
    return tuple(name for name in found if isinstance(name, str) and name)
