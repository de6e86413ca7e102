"""How much a model reads at once, and what besides text: from the library's tables, or from a server here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from actions.agent.model.ref import ModelRef
from actions.agent.tools.needs import ModelSenses

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model as LibraryModel

Facts = tuple[int, ModelSenses]
LIMIT = 0.3
"""Seconds for one question to a server on this machine."""

_WINDOWS = {"anthropic": 200_000, "gemini": 200_000, "responses": 128_000, "chat": 32_000}
_LOCAL_WINDOW = 8_192
_OLLAMA_WINDOW = 4_096
"""What Ollama gives a model when nobody says more; it cuts a longer prompt without a word."""


def known(ref: ModelRef, library: LibraryModel) -> Facts:
    """What the tables say; a careful guess for a model that is not in them."""
    window = library.context_window or (_LOCAL_WINDOW if ref.local else _WINDOWS[ref.wire])
    profile = library.profile
    # A model behind somebody's own server that no table knows may not see: an image would make it refuse the request.
    strange = ref.wire == "chat" and ref.base_url is not None and library.context_window is None
    sees = bool(profile.get("supports_image_input", True)) and not strange
    hears = ref.wire == "gemini"
    return window, ModelSenses(image=sees, audio=hears, video=hears)


async def ask_local(ref: ModelRef, client: httpx2.AsyncClient) -> Facts | None:
    """What a server on this machine says of its model; None where it says nothing."""
    root = (ref.base_url or "").removesuffix("/").removesuffix("/v1")
    if ref.provider == "ollama":
        shown = await _json(client, f"{root}/api/show", {"model": ref.name})
        return (_ollama_window(shown), _senses_of(shown.get("capabilities"))) if shown else None
    if ref.wire != "chat":
        return None
    if (props := await _json(client, f"{root}/props")) and (window := _llama_window(props)):
        modalities = props.get("modalities")
        there = cast("dict[str, Any]", modalities) if isinstance(modalities, dict) else {}
        return window, _senses_of([kind for kind, yes in there.items() if yes])
    for path in ("api/v0/models", "v1/models"):
        listed = (await _json(client, f"{root}/{path}")).get("data")
        for entry in cast("list[object]", listed if isinstance(listed, list) else []):
            match entry:
                case {"id": ref.name, "loaded_context_length": int(window)} if window > 0:  # LM Studio
                    kind = cast("dict[str, Any]", entry).get("type")
                    return window, ModelSenses(image=kind == "vlm")
                case {"id": ref.name, "max_model_len": int(window)} if window > 0:  # vLLM
                    return window, ModelSenses()
                case _:
                    pass
    return None


async def _json(client: httpx2.AsyncClient, url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    import httpx2

    try:
        answer = await client.request("GET" if body is None else "POST", url, json=body, timeout=LIMIT)
        found: object = answer.json() if answer.status_code == 200 else {}
    except (httpx2.HTTPError, ValueError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _llama_window(props: dict[str, Any]) -> int | None:
    match props:
        case {"default_generation_settings": {"n_ctx": int(window)}} if window > 0:
            return window
        case _:
            return None


def _ollama_window(shown: dict[str, Any]) -> int:
    """``num_ctx`` of the model file; what the model was trained for is not what the server gives it."""
    for line in str(shown.get("parameters") or "").splitlines():
        name, _, value = line.strip().partition(" ")
        if name == "num_ctx" and value.strip().isdigit():
            return int(value)
    return _OLLAMA_WINDOW


def _senses_of(kinds: object) -> ModelSenses:
    said = {str(kind) for kind in cast("list[Any]", kinds)} if isinstance(kinds, list) else set[str]()
    return ModelSenses(image=bool(said & {"vision", "image"}), audio="audio" in said, video="video" in said)
