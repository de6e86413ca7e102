"""Keeping a result whole in files when the model gets only a part of it."""

from __future__ import annotations

import base64
import binascii
import mimetypes
from collections.abc import Sequence

from actions.agent.tools.needs import Spool
from actions.agent.toolset.results import MediaPart, Part, TextPart


def keep_whole(parts: Sequence[Part], spool: Spool, name: str) -> str:
    """Write the text and each medium to files of their own under ``name``; gives their paths. Blocks."""
    paths: list[str] = []
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if texts:
        paths.append(_write(spool, f"{name}.txt", "\n".join(texts).encode("utf-8", "replace")))
    for number, part in enumerate((part for part in parts if isinstance(part, MediaPart)), 1):
        try:
            data, suffix = base64.b64decode(part.data), mimetypes.guess_extension(part.mime) or ".bin"
        except (binascii.Error, ValueError):
            data, suffix = part.data.encode(), ".base64"
        paths.append(_write(spool, f"{name}-{number}{suffix}", data))
    return ", ".join(paths)


def _write(spool: Spool, name: str, data: bytes) -> str:
    path = spool.fresh(name)
    path.touch(mode=0o600)
    path.write_bytes(data)
    return str(path)
