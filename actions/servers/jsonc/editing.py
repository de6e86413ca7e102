"""Changes one value of a JSON text, or takes one out; every other character stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from actions.servers.jsonc.reading import BrokenJson, Member, Node, read

_INDENT = re.compile(r"\n([ \t]+)\S")


def put(text: str, path: Sequence[str], value: Any) -> str:
    """``text`` with ``value`` at ``path``, whose missing objects are made. An object is changed member by member, so
    that comments within it stay.

    Raises BrokenJson, and ValueError where something on the path is no object.
    """
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    node = read(text)
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            raise ValueError(f"{'.'.join(path[:depth]) or 'the file'} is not an object")  # noqa: TRY004 - of the text
        member = node.member(key)
        if member is None:
            made = value
            for missing in reversed(path[depth + 1 :]):
                made = {missing: made}
            return _add(text, node, key, made)
        node = member.node
    old: Any = node.value
    if isinstance(old, dict) and isinstance(value, dict) and node.members and value:
        return _merge(text, path, cast("dict[str, Any]", old), cast("dict[str, Any]", value))
    if _same(old, value):
        return text
    return text[: node.start] + _written(text, value, _indent_at(text, node.start)) + text[node.end :]


def drop(text: str, path: Sequence[str]) -> str:
    """``text`` without the member at ``path``; as it is where there is none. Raises BrokenJson."""
    node = read(text)
    for key in path[:-1]:
        if (member := node.member(key)) is None:
            return text
        node = member.node
    while (member := node.member(path[-1])) is not None:  # a name may stand there twice
        text = _cut(text, node, member)
        node = read(text)
        for key in path[:-1]:
            found = node.member(key)
            if found is None:
                return text
            node = found.node
    return text


def _merge(text: str, path: Sequence[str], old: dict[str, Any], new: dict[str, Any]) -> str:
    for key in old.keys() - new.keys():
        text = drop(text, [*path, key])
    for key, value in new.items():
        if key not in old or not _same(old[key], value):
            text = put(text, [*path, key], value)
    return text


def _add(text: str, node: Node, key: str, value: Any) -> str:
    outer = _indent_at(text, node.start)
    unit = _unit(text)
    body = f"{json.dumps(key, ensure_ascii=False)}: "
    if not node.members:
        inner = text[node.start + 1 : node.end - 1].rstrip()  # comments in an empty object stay
        written = _written(text, value, outer + unit)
        return f"{text[: node.start]}{{{inner}\n{outer}{unit}{body}{written}\n{outer}}}{text[node.end :]}"
    last = node.members[-1]
    if "\n" not in text[node.start : node.end]:
        comma = "" if last.comma else ","
        at = last.comma or last.node.end
        return f"{text[:at]}{comma} {body}{_written(text, value, outer)}{text[at:]}"
    indent = _indent_at(text, last.start)
    at = _line_end(text, last.comma or last.node.end, node.end - 1)
    head = text[: last.node.end] + ("" if last.comma else ",") + text[last.node.end : at]
    tail = "," if last.comma else ""
    return f"{head}\n{indent}{body}{_written(text, value, indent)}{tail}{text[at:]}"


def _cut(text: str, node: Node, member: Member) -> str:
    """Without a member: with its line where it has it to itself, and with the comma that parts it from the others."""
    index = node.members.index(member)
    start, end = member.start, member.comma or member.node.end
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip() and line > node.start:
        start = line
        end = _line_end(text, end, node.end - 1)
        end += text[end : end + 1] == "\n"
    if index == len(node.members) - 1 and index > 0 and member.comma is None:
        before = node.members[index - 1]
        if before.comma is not None:
            between = text[before.comma : start]
            return text[: before.comma - 1] + (between if between.strip() else between.rstrip(" ")) + text[end:]
    return text[:start] + (text[end:].lstrip(" ") if start != line else text[end:])


def _line_end(text: str, at: int, limit: int) -> int:
    """After a comment that ends the line of ``at``; ``at`` itself where something else follows on the line."""
    found = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*)?(?=\r?\n)").match(text, at)
    return found.end() if found is not None and found.end() <= limit else at


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found.group(1) if found is not None else "  "


def _written(text: str, value: Any, indent: str) -> str:
    """A value as people write it: lists of plain values on one line, objects a member a line."""
    unit = _unit(text)

    def lines(value: Any, indent: str) -> str:
        if isinstance(value, dict) and value:
            members = cast("dict[str, Any]", value).items()
            inner = [
                f"{indent}{unit}{json.dumps(k, ensure_ascii=False)}: {lines(v, indent + unit)}" for k, v in members
            ]
            return "{\n" + ",\n".join(inner) + f"\n{indent}}}"
        if isinstance(value, list) and any(isinstance(item, dict) for item in cast("list[Any]", value)):
            inner = [f"{indent}{unit}{lines(item, indent + unit)}" for item in cast("list[Any]", value)]
            return "[\n" + ",\n".join(inner) + f"\n{indent}]"
        return json.dumps(value, ensure_ascii=False)

    return lines(value, indent)


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


__all__ = ["BrokenJson", "drop", "put"]
