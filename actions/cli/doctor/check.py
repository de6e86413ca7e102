"""One thing that was checked."""

from __future__ import annotations

from typing import Any, NamedTuple


class Check(NamedTuple):
    """``detail`` says what was found, ``fix`` what to do when it is not ``ok``; ``data`` is for programs."""

    name: str
    ok: bool
    detail: str
    fix: str = ""
    data: dict[str, Any] | None = None
