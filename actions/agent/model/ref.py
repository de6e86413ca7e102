"""A model by name: ``provider:name`` as pydantic-ai writes it, and where it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from actions.errors import InvalidInput

Origin = Literal["environment", "setting", "loopback"]
Wire = Literal["chat", "responses", "anthropic", "gemini"]
"""What the endpoint speaks: OpenAI chat completions, OpenAI responses, Anthropic messages, Gemini generateContent."""

PROVIDERS = ("openai", "openai-chat", "openai-responses", "openai-compatible", "anthropic", "google", "ollama")


@dataclass(frozen=True, slots=True)
class ModelRef:
    """One model. ``base_url`` None means the vendor's own endpoint; ``origin`` says who chose it."""

    provider: str
    name: str
    base_url: str | None = None
    origin: Origin = "setting"

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"

    @property
    def local(self) -> bool:
        """Whether the model answers on this machine: such a request needs no key and costs nothing."""
        return self.base_url is not None and is_loopback(self.base_url)

    @property
    def wire(self) -> Wire:
        """``openai:`` is the responses format at OpenAI itself; other servers of that name speak chat completions."""
        match self.provider:
            case "anthropic":
                return "anthropic"
            case "google":
                return "gemini"
            case "openai-responses":
                return "responses"
            case "openai" if self.base_url is None or _host(self.base_url).endswith(".openai.com"):
                return "responses"
            case _:
                return "chat"


def parse_ref(text: str, *, base_url: str | None = None, origin: Origin = "setting") -> ModelRef:
    """``provider:name`` or ``provider:name@http://host:port/v1`` as a reference.

    Raises:
        InvalidInput: no provider, no name, or a provider that this agent does not speak to.
    """
    provider, colon, name = text.strip().partition(":")
    name, at, address = name.partition("@http")
    if at:
        base_url = f"http{address}"
    if not colon or not name.strip():
        raise _bad(text, "is not a model: write it as provider:name, for example openai:gpt-5.2 or ollama:qwen3")
    if provider not in PROVIDERS:
        raise _bad(text, f"names a provider that the agent does not speak to; it knows {', '.join(PROVIDERS)}")
    return ModelRef(provider, name.strip(), base_url, origin)


def is_loopback(url: str) -> bool:
    """Whether ``url`` stays on this machine, by its host's name alone."""
    from ipaddress import ip_address

    host = _host(url)
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def _bad(text: str, why: str) -> InvalidInput:
    return InvalidInput(f"{text!r} {why}.", [{"field": "model", "message": why}])
