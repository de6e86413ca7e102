"""The branches of a workspace, from git."""

from __future__ import annotations

import asyncio
from pathlib import Path

from actions.errors import ErrorCode, SaysoError

GIT_SECONDS = 5.0
_FORMAT = "--format=%(HEAD)%(refname:short)"


async def git_branches(directory: Path, *, seconds: float = GIT_SECONDS) -> list[str]:
    """Local branches, the current one first, then by name; none where the directory is in no repository.

    Raises SaysoError where git is missing, or ``timeout`` where it does not answer.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            "git", "-C", str(directory), "for-each-ref", _FORMAT, "refs/heads",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
    except OSError as error:
        raise SaysoError("git is not installed. Install it to choose a branch.") from error
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    except TimeoutError:
        raise SaysoError("git did not answer in time.", code=ErrorCode.TIMEOUT) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        return []
    lines = output.decode(errors="replace").splitlines()
    return [line[1:] for line in sorted(lines, key=lambda line: (line[0] != "*", line[1:]))]
