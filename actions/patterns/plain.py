"""Is a command line one plain command, and which words is it made of?

A rule about commands rests on this, so it errs on one side only: whatever a POSIX shell or bash could take for more
than one command with literal arguments is not plain.
"""

from __future__ import annotations

import re
import shlex
from functools import lru_cache

_LONGEST = 10_000
_SIMPLE = re.compile(r"[A-Za-z0-9_@%+=:,./*?\[\]~^{}\- ]+")
"""No quotes, and no character that a shell takes for an operator: the words are what blanks separate."""
_OPERATORS = frozenset(";&|<>()$`\\")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=")
_RESERVED = frozenset(
    "! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while".split()
)


@lru_cache(maxsize=256)
def plain_words(command: str) -> tuple[str, ...] | None:
    """The words of ``command`` when it is one plain command, else None.

    None for a chain, pipe, background, redirect, here-document, subshell, any substitution or expansion of a variable,
    a line break or another control character, a backslash outside single quotes, a leading assignment, a reserved
    word, a comment, and quotes that do not close. Globs and braces stay as they are written.
    """
    if len(command) > _LONGEST:
        return None
    if _SIMPLE.fullmatch(command):
        words = command.split(" ")
        words = [word for word in words if word]
    else:
        words = _quoted_words(command)
    if not words or words[0] in _RESERVED or _ASSIGNMENT.match(words[0]) or not words[0]:
        return None
    return tuple(words)


def _quoted_words(command: str) -> list[str] | None:
    quote = ""
    before = " "
    for char in command:
        if char != "\t" and not char.isprintable():
            return None
        if quote == "'":
            quote = "" if char == "'" else quote
        elif quote == '"':
            if char in "$`\\!":
                return None
            quote = "" if char == '"' else quote
        elif char in _OPERATORS or (char == "#" and before in " \t"):
            return None
        elif char in "'\"":
            quote = char
        before = char
    if quote:
        return None
    try:
        return shlex.split(command, comments=False, posix=True)
    except ValueError:
        return None
