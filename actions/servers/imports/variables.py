"""Variables as other programs write them, translated into ours (:mod:`actions.servers.values`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from actions.servers.imports.found import Asked


class Syntax(StrEnum):
    """Which variables a program knows."""

    NONE = "none"
    BRACES = "braces"  # ${V}, ${V:-default}
    DOLLAR = "dollar"  # $V, ${V}
    CURLY = "curly"  # {env:V}, {file:p}
    EDITOR = "editor"  # ${env:V}, ${input:id}, ${workspaceFolder}, ${userHome}, ${file:p}
    ANY = "any"  # not known which program: what cannot be mistaken


_BRACES = re.compile(r"\$\{([^{}]*)\}")
_CURLY = re.compile(r"\{(env|file):([^{}]+)\}")
_PLAIN = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_NAME = re.compile(r"([A-Za-z_]\w*)(:-.*)?\Z", re.DOTALL)
_OURS = ("workspaceFolder", "userHome")
_SEPARATORS = ("pathSeparator", "/")


@dataclass
class Translator:
    """Translates the texts of one server. ``secret_name`` makes the name of a secret that is not known yet.

    ``asked`` are values that are not in the configuration, ``odd`` what was not understood and stands as it was.
    """

    syntax: Syntax
    server: str
    secret_name: Callable[[str, str], str]
    inputs: Mapping[str, Asked] = field(default_factory=dict[str, Asked])
    asked: list[Asked] = field(default_factory=list[Asked])
    odd: list[str] = field(default_factory=list[str])

    def __call__(self, text: str) -> str:
        """``text`` in our syntax."""
        match self.syntax:
            case Syntax.NONE:
                return text
            case Syntax.BRACES:
                return _BRACES.sub(self._braces, text)
            case Syntax.DOLLAR:
                return _PLAIN.sub(lambda found: f"${{{found.group(1) or found.group(2)}}}", text)
            case Syntax.CURLY:
                return _CURLY.sub(self._curly, text)
            case Syntax.EDITOR | Syntax.ANY:
                return _BRACES.sub(self._editor, text)

    def wanted(self, what: Asked) -> str:
        """A reference to a value that somebody has to give; for one that is no secret, a variable."""
        name = re.split(r"[:/\\]", what.id)[-1].lstrip(".")
        if what.secret:
            stands = f"${{secret:{self.secret_name(self.server, name)}}}"
        else:
            stands = f"${{{re.sub(r'[^A-Za-z0-9_]', '_', name).upper()}}}"
        known = replace(what, stands=stands)
        if known not in self.asked:
            self.asked.append(known)
        return stands

    def _braces(self, found: re.Match[str]) -> str:
        return found.group() if _NAME.match(found.group(1)) else self._unknown(found.group())

    def _curly(self, found: re.Match[str]) -> str:
        kind, what = found.groups()
        return f"${{{what}}}" if kind == "env" else self.wanted(Asked(f"file:{what}", f"The content of {what}"))

    def _editor(self, found: re.Match[str]) -> str:
        inner: str = found.group(1)
        kind, colon, what = inner.partition(":")
        if inner in _OURS:
            return found.group()
        if inner in _SEPARATORS:
            return os.sep
        if colon and kind == "env":
            return f"${{{what}}}"
        if colon and kind == "input":
            return self.wanted(self.inputs.get(what, Asked(f"input:{what}")))
        if colon and kind == "file":
            return self.wanted(Asked(f"file:{what}", f"The content of {what}"))
        if self.syntax is Syntax.ANY and _NAME.match(inner):
            return found.group()
        return self._unknown(found.group())

    def _unknown(self, text: str) -> str:
        if text not in self.odd:
            self.odd.append(text)
        return text
