"""Under which name a server's login is kept among the secrets."""

from __future__ import annotations

import hashlib


def login_name(server: str, url: str) -> str:
    """One a server and address: another address is another login."""
    mark = hashlib.sha256("\0".join((server, url)).encode()).hexdigest()[:24]
    return f"mcp-login:{mark}"
