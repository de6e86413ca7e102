"""What of a sentence may be heard by everybody in the room: no paths, no addresses, no secrets, no command lines."""

from __future__ import annotations

import re

from actions.catalog.secrecy import is_secret

LONGEST = 280
"""Characters; a person reads the rest."""
_PATH = (
    r"(?<![\w/])(?:[A-Za-z]:\\|~/|\.{0,2}/)[^\s,;:!?\"'”’)]*[^\s.,;:!?\"'”’)]"  # from a root or from here
    r"|\b[\w.-]+(?:/[\w.-]+)*/[\w-]+\.\w+"  # src/app.py
)
_ADDRESS = r"\b[a-z][a-z0-9+.-]*://\S+"
_CODE = r"`[^`]*`"
_NAMED = r"\b([A-Za-z_][A-Za-z0-9_]*)\s*[=:]\s*(\S+)"
_WORDS = {
    "en": {"path": "a path", "address": "an address", "code": "a command", "secret": "a secret"},
    "zh": {"path": "某个路径", "address": "某个地址", "code": "某条命令", "secret": "某个密钥"},
}


def aloud(text: str, language: str = "en") -> str:
    """``text`` as it may be spoken; what must not be heard is named in its place."""
    words = _WORDS["zh" if language.startswith("zh") else "en"]
    spoken = re.sub(_CODE, words["code"], " ".join(text.split()))
    spoken = re.sub(_ADDRESS, words["address"], spoken, flags=re.IGNORECASE)
    spoken = re.sub(_PATH, words["path"], spoken)
    spoken = re.sub(_NAMED, lambda found: words["secret"] if is_secret(found[1], found[2]) else found[0], spoken)
    spoken = " ".join(
        words["secret"] if is_secret("", word.strip("“”\"'.,;:!?")) else word for word in spoken.split(" ")
    )
    return spoken if len(spoken) <= LONGEST else spoken[:LONGEST].rsplit(" ", 1)[0] + "…"
