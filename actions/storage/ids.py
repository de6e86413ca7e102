"""Identifiers: a short prefix that says what it names, then a part that sorts by time of creation.

``ses_06f3c1m0a2h4k9tq7xw1`` = prefix, 11 characters of microseconds since 1970, 9 characters of chance (45 bits), in
Crockford's base 32 in lower case. Sorting ids as text sorts them by time, and two made in one second already differ
within the first eight characters, so that a short prefix is enough to name one.
"""

from __future__ import annotations

import secrets
import time
from enum import StrEnum

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_TIME_CHARS = 11
_RANDOM_CHARS = 9


class Prefix(StrEnum):
    """What an id names."""

    SESSION = "ses"
    RUN = "run"
    APPROVAL = "apr"
    REQUEST = "req"
    WORKSPACE = "wsp"
    WORKTREE = "wtr"
    RULE = "rul"
    PROCESS = "prc"
    AUDIT = "aud"
    CALL = "cal"


def new_id(prefix: Prefix) -> str:
    """A fresh id, later than every id this machine made a microsecond or more before."""
    moment = _encode(time.time_ns() // 1000, _TIME_CHARS)
    return f"{prefix.value}_{moment}{_encode(secrets.randbits(5 * _RANDOM_CHARS), _RANDOM_CHARS)}"


def now_ms() -> int:
    """The present moment as every table stores it: UTC, milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _encode(number: int, length: int) -> str:
    chars: list[str] = []
    for _ in range(length):
        number, digit = divmod(number, 32)
        chars.append(_ALPHABET[digit])
    return "".join(reversed(chars))
