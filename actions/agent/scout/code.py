"""What a line of code is: a definition, an import, a test."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_DEFINITION = re.compile(
    r"""^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|final\s+|async\s+
        |pub(?:\([^)]*\))?\s+|unsafe\s+|const\s+(?=fn)|override\s+|suspend\s+|inline\s+|virtual\s+|extern\s+|declare\s+)*
    (?:
      (?:def|class|function\*?|fn|func(?:\s*\([^)]*\))?|struct|enum|trait|interface|type|impl|module|namespace|object|record
        |protocol|extension|fun|macro_rules!|defmodule|defp?|table|mod|\#\s*define|create\s+table)\s+(?P<a>[A-Za-z_$][\w$]*)
     |(?:const|let|var|val)\s+(?P<b>[A-Za-z_$][\w$]*)\s*(?::[^=]+)?=
     |(?P<c>[A-Z][A-Z0-9_]{2,})\s*(?::[^=]+)?=(?!=)
    )""",
    re.X | re.I,
)
_CASED = re.compile(r"^[A-Z][A-Z0-9_]+$")
_HEADING = re.compile(r"^#{1,4}\s+(\S.*)")
_SECTION = re.compile(r"^\[{1,2}([\w.\"-]+)\]{1,2}\s*$")
_PROSE, _SETTINGS = ("md", "markdown", "adoc"), ("toml", "ini", "cfg")
_TEST_PATH = re.compile(
    r"(^|/)(tests?|testing|specs?|__tests__|e2e|cypress)/|(^|/)(test_[^/]+|[^/]+_test|[^/]+_spec|[^/]+[.](test|spec))[.]\w+$"
    r"|(^|/)conftest[.]py$|[a-z]Tests?[.](java|kt|cs|swift|scala)$"
)
_TEST_AFFIX = re.compile(r"^test_|_test$|_spec$|[.](test|spec)$|Tests?$")


def definition_in(line: str) -> str | None:
    """The name that ``line`` defines (function, class, constant, type, table), or None."""
    match = _DEFINITION.match(line)
    if match is None:
        return None
    name = match["a"] or match["b"]
    if name is not None:
        return name
    constant = match["c"]
    return constant if _CASED.match(constant) else None


def heading_in(line: str, extension: str) -> str | None:
    """The heading of a Markdown line or the section of a TOML or INI line, or None."""
    pattern = _HEADING if extension in _PROSE else _SECTION if extension in _SETTINGS else None
    match = pattern.match(line) if pattern else None
    return match[1].strip() if match else None


def is_test(path: str) -> bool:
    """Does the path say that this is a test (folder or file name, in the usual manners of each language)?"""
    return _TEST_PATH.search(path) is not None


def is_test_file(path: str) -> bool:
    """Is this a file of tests itself, and not a helper or a fixture beside them?"""
    pure = PurePosixPath(path)
    if not is_test(path) or "fixtures" in pure.parts or "testdata" in pure.parts:
        return False
    return _TEST_AFFIX.search(pure.stem) is not None if pure.suffix == ".py" else pure.suffix != ".sql"


def tested_name(path: str) -> str:
    """The bare name that a test file is about: ``tests/test_login.py`` -> ``login``."""
    return _TEST_AFFIX.sub("", PurePosixPath(path).stem)
