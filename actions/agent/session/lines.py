"""Reading files of JSON lines that a crash may have torn."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

_END = 64 * 1024


def objects(path: Path, most: int | None = None) -> Iterator[dict[str, Any]]:
    """The JSON objects of ``path``, at most ``most``; a line that is none is left out."""
    try:
        with path.open("rb") as file:
            for at, line in enumerate(file):
                if at == most:
                    return
                if (record := _object(line)) is not None:
                    yield record
    except OSError:
        return


def titles(path: Path) -> dict[str, str]:
    """``title`` and ``cwd`` as the ``state`` records at the two ends of ``path`` say them last."""
    found: dict[str, str] = {}
    for line in _ends(path):
        if line.startswith(b'{"kind":"state"') and (record := _object(line)) is not None:
            found.update({key: record[key] for key in ("title", "cwd") if isinstance(record.get(key), str)})
    return found


def last_line_ends(handle: int, size: int) -> int:
    """The offset after the last whole line of an open file of ``size`` bytes."""
    end = size
    while end > 0:
        start = max(0, end - _END)
        at = os.pread(handle, end - start, start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def _ends(path: Path) -> list[bytes]:
    with path.open("rb") as file:
        lines = file.read(_END).split(b"\n")
        size = file.seek(0, os.SEEK_END)
        if size > _END:
            file.seek(max(_END, size - _END))
            lines += file.read(_END).split(b"\n")
    return lines


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        record: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", record) if isinstance(record, dict) else None
