"""From the bytes of a page to its text, whatever it calls its character set."""

from __future__ import annotations

import codecs
import re

from actions.agent.text import scrub
from actions.agent.tools.text_files import decode

_META = re.compile(rb"""<meta[^>]{0,200}?\bcharset\s*=\s*["']?\s*([A-Za-z0-9_.:\-]{1,40})""", re.IGNORECASE)
_HEAD = 4_096
"""Bytes of a page in which a browser looks for ``<meta charset>`` too; a little more than it has to."""
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf_7", "mbcs", "oem"}
)
"""What Python has codecs for and no page is written in; ``unicode_escape`` would make text of what is none."""


def text_of(data: bytes, named: str | None, *, html: bool = False, cut: bool = False) -> str:
    """The text. ``named`` is the character set of the header; without one HTML may name it itself, else the bytes say
    which it is. ``cut``: the last character may not be whole.

    Raises:
        NotText: it is none.
    """
    if (name := _known(named)) is None and html and (found := _META.search(data[:_HEAD])) is not None:
        # The words were read as ASCII: a page in UTF-16 cannot say so here
        name = "utf-8" if (name := _known(found[1].decode())) and name.startswith("utf-16") else name
    if name is not None:
        return scrub(data.decode(name, "replace"))
    if cut:
        try:
            return codecs.getincrementaldecoder("utf-8")().decode(data)
        except UnicodeDecodeError:
            pass
    return decode(data)[0]


def _known(name: str | None) -> str | None:
    """The codec of a character set; None for one that is not known, or is no character set."""
    try:
        found = codecs.lookup((name or "").strip())
        "".encode(found.name)  # raises LookupError for a codec that is not about text
    except (LookupError, ValueError):
        return None
    return None if found.name.replace("-", "_") in _NO_CHARSETS else found.name
