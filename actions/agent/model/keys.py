"""Keys of the vendors: from their usual variables, else from the store of secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from actions.agent.model.ref import ModelRef

if TYPE_CHECKING:
    from actions.storage.secrets import Secret, SecretStore

_KEYS = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": ("OLLAMA_API_KEY",),
}
_ADDRESSES = {
    "anthropic": "ANTHROPIC_BASE_URL",
    "google": "GOOGLE_GEMINI_BASE_URL",
    "ollama": "OLLAMA_BASE_URL",
}


def variables(provider: str) -> tuple[str, ...]:
    """The variables that may hold the key, first wins."""
    return _KEYS.get(provider, ("OPENAI_API_KEY",))


def secret_name(provider: str) -> str:
    """The name of the key in the store of secrets; all that speak as OpenAI does share one."""
    return f"agent.{provider.partition('-')[0]}.key"


def address(provider: str, environment: Mapping[str, str]) -> str | None:
    """The endpoint that the environment names for ``provider``, or None for the vendor's own."""
    return environment.get(_ADDRESSES.get(provider, "OPENAI_BASE_URL")) or None


def find_key(ref: ModelRef, environment: Mapping[str, str], secrets: SecretStore | None) -> Secret | None:
    """The key for ``ref``, or None. May block on the store. Raises SaysoError when the store cannot be read."""
    from actions.storage.secrets import Secret

    for name in variables(ref.provider):
        if value := environment.get(name, "").strip():
            return Secret(value)
    return secrets.get(secret_name(ref.provider)) if secrets is not None else None
