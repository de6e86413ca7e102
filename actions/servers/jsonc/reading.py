"""Reads JSON with comments, trailing commas and a byte order mark, and keeps the place of everything.

Grammar: RFC 8259, with the ``//`` and ``/* */`` comments and the trailing commas of the "JSON with Comments" dialect
that editors write.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_LITERAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b")
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u([0-9a-fA-F]{4})")
_DEEPEST = 200


class BrokenJson(ValueError):
    """The text is no JSON; ``line`` and ``column`` count from 1."""

    def __init__(self, reason: str, text: str, position: int) -> None:
        before = text[:position]
        self.reason = reason
        self.line = before.count("\n") + 1
        self.column = position - (before.rfind("\n") + 1) + 1
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


@dataclass(slots=True)
class Node:
    """A value from ``start`` to ``end`` in the text; ``members`` of an object, ``items`` of an array."""

    value: Any
    start: int
    end: int
    members: list[Member] = field(default_factory=list["Member"])
    items: list[Node] = field(default_factory=list["Node"])

    def member(self, key: str) -> Member | None:
        """The last member of this name: the one that counts."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(slots=True)
class Member:
    """``"key": value`` with the start of its key. A ``comma`` is the place after the comma behind it."""

    key: str
    start: int
    node: Node
    comma: int | None = None


def read(text: str) -> Node:
    """The one value of ``text``. Raises BrokenJson."""
    reader = _Reader(text)
    node = reader.value(reader.space(0), 0)
    if (rest := reader.space(node.end)) != len(text):
        raise BrokenJson("there is something after the end", text, rest)
    return node


def half_character(text: str) -> int | None:
    """Where a text in JSON escapes half a surrogate pair: JSON allows it, and nothing can write it out again."""
    escapes = [(found.end() - 6, int(found.group(1), 16)) for found in _ESCAPED.finditer(text)]
    waiting: int | None = None
    for at, code in escapes:
        if waiting is not None and 0xDC00 <= code <= 0xDFFF and at == waiting + 6:
            waiting = None
        elif waiting is not None:
            return waiting
        elif 0xD800 <= code <= 0xDBFF:
            waiting = at
        elif 0xDC00 <= code <= 0xDFFF:
            return at
    return waiting


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def space(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        end = at if found is None else found.end()
        if self._text.startswith("/*", end):
            raise self._wrong("the comment is not closed", end)
        return end

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self._wrong("it is nested too deeply", at)
        match self._text[at : at + 1]:
            case "{":
                return self._object(at, depth)
            case "[":
                return self._array(at, depth)
            case '"':
                return self._string(at)
            case "":
                raise self._wrong("a value is missing", at)
            case _:
                found = _LITERAL.match(self._text, at)
                if found is None:
                    raise self._wrong(f"{self._text[at : at + 12]!r} is no value", at)
                return Node(json.loads(found.group()), at, found.end())

    def _object(self, at: int, depth: int) -> Node:
        node = Node({}, at, at)
        here = self.space(at + 1)
        while not self._text.startswith("}", here):
            if not self._text.startswith('"', here):
                raise self._wrong("a name in double quotes, or }, is missing", here)
            key = self._string(here)
            colon = self.space(key.end)
            if not self._text.startswith(":", colon):
                raise self._wrong(f"a colon is missing after {key.value!r}", colon)
            member = Member(key.value, here, self.value(self.space(colon + 1), depth + 1))
            node.members.append(member)
            node.value[member.key] = member.node.value
            here, member.comma = self._comma(member.node.end, "}")
        node.end = here + 1
        return node

    def _array(self, at: int, depth: int) -> Node:
        node = Node([], at, at)
        here = self.space(at + 1)
        while not self._text.startswith("]", here):
            item = self.value(here, depth + 1)
            node.items.append(item)
            node.value.append(item.value)
            here, _ = self._comma(item.end, "]")
        node.end = here + 1
        return node

    def _comma(self, at: int, close: str) -> tuple[int, int | None]:
        """Where the next thing begins, and the place after the comma, if there was one."""
        here = self.space(at)
        if self._text.startswith(",", here):
            return self.space(here + 1), here + 1
        if not self._text.startswith(close, here):
            raise self._wrong(f"a comma or {close} is missing", here)
        return here, None

    def _string(self, at: int) -> Node:
        found = _STRING.match(self._text, at)
        if found is None:
            raise self._wrong("the text in quotes is not closed on its line", at)
        try:
            return Node(json.loads(found.group()), at, found.end())
        except ValueError as error:
            raise self._wrong(f"the text in quotes is not valid: {error}", at) from None

    def _wrong(self, reason: str, at: int) -> BrokenJson:
        return BrokenJson(reason, self._text, at)
