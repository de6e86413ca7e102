"""Staleness proofs: what was true when a person was asked must be true when they say yes.

An action declares a function that names what its request rests on, e.g. ``{"head": "/repo", "directory": "/repo"}``.
The keys below are observed here, at the request and again at the approval; any other key is compared as it stands.

    head       path of a git work tree -> the commit that HEAD names
    directory  path -> the folder's identity (device and inode), so that a folder made anew is another one
    file       path -> SHA-256 of the content
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

_GIT_TIMEOUT_S = 10


async def observe(claims: Mapping[str, Any]) -> dict[str, Any]:
    """What holds now: for each claim ``{"of": <as declared>, "is": <as observed>}``. Gone is None. Never raises."""
    return {
        name: {"of": value, "is": await _OBSERVERS[name](str(value)) if name in _OBSERVERS else value}
        for name, value in claims.items()
    }


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """What no longer holds, as a sentence for a person, or None."""
    for name, proof in before.items():
        if now.get(name) != proof:
            return _WORDS.get(name, "{name} is not as it was.").format(name=name, of=proof["of"])
    return None


async def _head(path: str) -> str | None:
    try:
        process = await asyncio.create_subprocess_exec(
            "git", "-C", path, "rev-parse", "--verify", "--quiet", "HEAD",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
        )  # fmt: skip
    except OSError:
        return None
    try:
        out, _ = await asyncio.wait_for(process.communicate(), _GIT_TIMEOUT_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        return None
    return out.decode().strip() or None


async def _directory(path: str) -> str | None:
    def look() -> str | None:
        try:
            info = Path(path).stat()
        except OSError:
            return None
        return f"{info.st_dev}:{info.st_ino}" if Path(path).is_dir() else None

    return await asyncio.to_thread(look)


async def _file(path: str) -> str | None:
    def look() -> str | None:
        try:
            return hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError:
            return None

    return await asyncio.to_thread(look)


_OBSERVERS: dict[str, Callable[[str], Awaitable[str | None]]] = {"head": _head, "directory": _directory, "file": _file}
_WORDS = {
    "head": "The repository {of} has moved on to another commit.",
    "directory": "The folder {of} is gone or was made anew.",
    "file": "The file {of} has changed.",
}
