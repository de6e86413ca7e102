"""Who may talk to a loopback port: the right Host, no foreign Origin, a token of its own.

A browser page can reach a loopback port, by its own name for it too (DNS rebinding); only Host and Origin tell. Other
programs of the machine can reach it as well; only the token tells.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.types import Scope

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def misdirected(scope: Scope, port: int) -> int | None:
    """The HTTP status that refuses a request for its Host (421) or Origin (403); None where both are ours."""
    hosts = {f"{name}:{port}" for name in _LOOPBACK}
    if _header(scope, b"host") not in hosts:
        return 421
    origin = _header(scope, b"origin")
    if origin is not None and origin not in {f"http://{host}" for host in hosts}:
        return 403
    return None


def bearer(scope: Scope) -> str | None:
    """The token that a request shows (RFC 6750)."""
    kind, _, token = (_header(scope, b"authorization") or "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None


def _header(scope: Scope, name: bytes) -> str | None:
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    found = [value.decode("latin-1") for key, value in headers if key == name]
    return found[0] if len(found) == 1 else ",".join(found) or None
