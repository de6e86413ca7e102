"""From a reference to the library's model. Only the one vendor's modules are imported: each costs 10 to 40 MB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from actions.agent.model.errors import ModelError, ModelErrorKind
from actions.agent.model.keys import OLLAMA, variables
from actions.agent.model.lazily import lazily, stand_in
from actions.agent.model.lean import customize_once, lean_anthropic, lean_openai
from actions.agent.model.ref import ModelRef

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model as LibraryModel

    from actions.storage.secrets import Secret

_NO_KEY = "none"
"""Servers on loopback want no key; the clients insist on one."""


def http_client(*, local: bool = False) -> httpx2.AsyncClient:
    """A client that reads nothing from its surroundings: no proxy variables, no ``.netrc``.

    What the vendors' libraries add about this machine (system, architecture, Python) is taken out of each request.
    ``local``: a connection for each request. On this machine a new one costs nothing, while a small server that keeps
    one open and writes in small pieces stalls for 40 ms at a time, waiting for delayed acknowledgements.
    """
    import httpx2

    async def discreet(request: httpx2.Request) -> None:
        for name in [
            name for name in request.headers if name.startswith("x-stainless-") or name == "x-goog-api-client"
        ]:
            del request.headers[name]
        request.headers["User-Agent"] = "sayso"

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(600, connect=10),
        limits=httpx2.Limits(max_connections=100, max_keepalive_connections=0 if local else 20),
        trust_env=False,
        event_hooks={"request": [discreet]},
    )


def library_model(ref: ModelRef, key: Secret | None, client: httpx2.AsyncClient) -> LibraryModel:
    """The library's model for ``ref`` on our HTTP client, with the vendor's own retries switched off.

    Raises:
        ModelError: kind ``auth`` when a remote endpoint has no key.
    """
    if key is None and not ref.local and ref.provider not in ("ollama", "openai-compatible"):
        raise ModelError(
            ModelErrorKind.AUTH,
            f"There is no key for {ref}. Set {variables(ref.provider)[0]} where Sayso is started, then start it again.",
        )
    secret = key.reveal() if key is not None else _NO_KEY
    match ref.wire:
        case "anthropic":
            return customize_once(_anthropic(ref, secret, client))
        case "gemini":
            return customize_once(_google(ref, secret, client))
        case _:
            return customize_once(_openai(ref, secret, client))


def _openai(ref: ModelRef, key: str, client: httpx2.AsyncClient) -> LibraryModel:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    base_url = ref.base_url or (OLLAMA if ref.provider == "ollama" else "https://api.openai.com/v1")
    sdk = lean_openai(AsyncOpenAI(api_key=key, base_url=base_url, http_client=client, max_retries=0), ref.wire)
    provider: Any
    if ref.provider == "ollama":
        from pydantic_ai.providers.ollama import OllamaProvider

        provider = OllamaProvider(openai_client=sdk)
    elif ref.base_url is None or ref.wire == "responses":
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(openai_client=sdk)
    else:
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        provider = OpenAICompatibleProvider("openai-compatible", openai_client=sdk)
    if ref.wire == "responses":
        return OpenAIResponsesModel(ref.name, provider=provider)
    # An answer that just stops is half an answer: half a call must never run
    whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return OpenAIChatModel(ref.name, provider=provider, profile=whole)


def _anthropic(ref: ModelRef, key: str, client: httpx2.AsyncClient) -> LibraryModel:
    # The client for one cloud of another vendor, which imports all that Anthropic sells
    foundry = stand_in("anthropic.lib.foundry", "AnthropicFoundry", "AsyncAnthropicFoundry")
    with lazily("anthropic.types", "anthropic.resources"), foundry:
        from anthropic import AsyncAnthropic
        from anthropic.resources.beta.messages import AsyncMessages
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

    base_url = ref.base_url or "https://api.anthropic.com"
    sdk = AsyncAnthropic(api_key=key, base_url=base_url, http_client=client, max_retries=0)
    lean_anthropic(sdk, AsyncMessages(sdk))
    return AnthropicModel(ref.name, provider=AnthropicProvider(anthropic_client=sdk))


def _google(ref: ModelRef, key: str, client: httpx2.AsyncClient) -> LibraryModel:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(ref.name, provider=GoogleProvider(api_key=key, base_url=ref.base_url, http_client=client))
