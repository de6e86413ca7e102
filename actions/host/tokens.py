"""Session-scoped tokens: what an agent's own programs show to say for which session they call."""

from __future__ import annotations

import hmac
import secrets


class SessionTokens:
    """One token a session, made when its agent starts and good until that agent has ended."""

    def __init__(self) -> None:
        self._tokens: dict[str, str] = {}

    def issue(self, session_id: str) -> str:
        """The session's token."""
        return self._tokens.setdefault(session_id, secrets.token_urlsafe(32))

    def revoke(self, session_id: str) -> None:
        """The session's agent has ended; its next one gets another token."""
        self._tokens.pop(session_id, None)

    def session_of(self, token: str | None) -> str | None:
        """The session that a token belongs to, or None."""
        if token is None:
            return None
        for session_id, known in self._tokens.items():
            if hmac.compare_digest(known, token):
                return session_id
        return None
