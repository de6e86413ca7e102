"""What a login left behind: the client that was registered, its tokens, and where they are renewed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any, cast

from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken
from pydantic import ValidationError

from actions.errors import SaysoError
from actions.servers.pool.login_name import login_name
from actions.storage.secrets import Secret, SecretStore


class Unreadable(SaysoError):
    """The stored login cannot be read; a new one replaces it."""


class Tokens:
    """The login of one server in the secret store (the library's ``TokenStorage``).

    Beside what the library keeps there are the absolute time of expiry and the provider's metadata: without them a
    token that was read from the store would count as fresh, and its renewal would go to a guessed address.
    """

    def __init__(self, open_store: Callable[[], SecretStore], server: str, url: str) -> None:
        self._open = open_store
        self.name = login_name(server, url)
        self.metadata: OAuthMetadata | None = None
        self.expires_at: float | None = None
        self._record: dict[str, Any] = {}

    async def load(self) -> bool:
        """Read the store. True when there are tokens. Raises Unreadable."""
        try:
            secret = await asyncio.to_thread(lambda: self._open().get(self.name))
            content: object = json.loads(secret.reveal()) if secret is not None else {}
            self._record = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
            self.metadata = self._read(OAuthMetadata, "metadata")
            self._read(OAuthToken, "tokens")
            self._read(OAuthClientInformationFull, "client")
            expires = self._record.get("expires_at")
            self.expires_at = float(expires) if isinstance(expires, int | float) else None
        except SaysoError as error:
            raise Unreadable(f"The stored login cannot be read. {error.message}") from error
        except (ValueError, ValidationError) as error:
            raise Unreadable("The stored login cannot be read: it is damaged. Log in again.") from error
        return "tokens" in self._record

    @property
    def renewable(self) -> bool:
        """Whether a token can be renewed without the user."""
        return bool(cast("dict[str, Any]", self._record.get("tokens") or {}).get("refresh_token"))

    @property
    def values(self) -> list[str]:
        """All that must not be shown."""
        tokens = cast("dict[str, Any]", self._record.get("tokens") or {})
        client = cast("dict[str, Any]", self._record.get("client") or {})
        found = (tokens.get("access_token"), tokens.get("refresh_token"), client.get("client_secret"))
        return [value for value in found if isinstance(value, str)]

    async def get_tokens(self) -> OAuthToken | None:
        return self._read(OAuthToken, "tokens")

    async def set_tokens(self, tokens: OAuthToken) -> None:
        # An absent lifetime is unknown, not zero
        self.expires_at = None if tokens.expires_in is None else time.time() + tokens.expires_in
        await self._keep(tokens=tokens.model_dump(mode="json", exclude_none=True), expires_at=self.expires_at)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._read(OAuthClientInformationFull, "client")

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        await self._keep(client=client_info.model_dump(mode="json", exclude_none=True))

    async def set_metadata(self, metadata: OAuthMetadata | None) -> None:
        """Keep where tokens are renewed."""
        if metadata is not None:
            await self._keep(metadata=metadata.model_dump(mode="json", exclude_none=True))

    async def forget(self, *names: str) -> None:
        """Forget the client, the tokens, or all."""
        if not names:
            self._record = {}
            await asyncio.to_thread(lambda: self._open().delete(self.name))
            return
        self._record = {name: value for name, value in self._record.items() if name not in names}
        await self._keep()

    async def _keep(self, **changes: Any) -> None:
        self._record = {**self._record, **changes}
        secret = Secret(json.dumps(self._record))
        await asyncio.to_thread(lambda: self._open().set(self.name, secret))

    def _read(self, model: Any, name: str) -> Any:
        value = self._record.get(name)
        return None if value is None else model.model_validate(value)
