"""Names of MCP tools for a model: ``server__tool``, in the characters and the length that every provider takes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

LENGTH = 64
SEPARATOR = "__"
_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_HASH = 8


def tool_name(server: str, tool: str, taken: Callable[[str], bool] = lambda name: False) -> str:
    """The name of ``tool`` of ``server``. Other characters become ``_``; a name that is too long, or that something
    else has already, is cut and ends in a hash of the two, so that it stays the same in every session.
    """
    plain = f"{_OTHER.sub('_', server)}{SEPARATOR}{_OTHER.sub('_', tool)}"
    if not (plain[0].isalpha() or plain[0] == "_"):
        plain = f"_{plain}"  # one provider wants a letter first
    if len(plain) <= LENGTH and not taken(plain):
        return plain
    mark = hashlib.sha256(f"{server}\0{tool}".encode(errors="surrogatepass")).hexdigest()[:_HASH]
    return f"{plain[: LENGTH - _HASH - 1]}_{mark}"
