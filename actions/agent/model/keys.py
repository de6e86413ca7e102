"""Keys of the vendors: from their usual variables, else from the store of secrets.

A key goes only where it belongs: a vendor's key to the vendor, or to the address that the environment names beside it.
An endpoint with an address of its own has a key of its own in the store, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from actions.agent.model.ref import ModelRef

if TYPE_CHECKING:
    from actions.storage.secrets import Secret, SecretStore

OLLAMA = "http://127.0.0.1:11434/v1"
_OPENAI = ("OPENAI_API_KEY",)
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
    return _KEYS.get(provider, _OPENAI)


def secret_name(ref: ModelRef, environment: Mapping[str, str]) -> str:
    """The name of the key in the store: the vendor's, or that of an address of its own."""
    if _vendors_own(ref, environment):
        return f"agent.{ref.provider.partition('-')[0]}.key"
    return f"agent.{urlsplit(ref.base_url or '').netloc}.key"


def address(provider: str, environment: Mapping[str, str]) -> str | None:
    """The endpoint that the environment names for ``provider``, or None for the vendor's own."""
    named = environment.get(_ADDRESSES.get(provider, "OPENAI_BASE_URL"), "").strip()
    return named or (OLLAMA if provider == "ollama" else None)


def find_key(
    ref: ModelRef, environment: Mapping[str, str], open_store: Callable[[], SecretStore] | None = None
) -> Secret | None:
    """The key for ``ref``, or None. The store is opened only when it is needed; it may block.

    Raises:
        SaysoError: the store cannot be read.
    """
    from actions.storage.secrets import Secret

    if _vendors_own(ref, environment):
        for name in variables(ref.provider):
            if value := environment.get(name, "").strip():
                return Secret(value)
    if open_store is None or ref.origin == "loopback":
        return None
    return open_store().get(secret_name(ref, environment))


def _vendors_own(ref: ModelRef, environment: Mapping[str, str]) -> bool:
    return ref.base_url is None or (ref.origin != "loopback" and ref.base_url == address(ref.provider, environment))
