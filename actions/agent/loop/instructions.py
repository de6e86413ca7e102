"""The instructions of an agent: its system prompt, where it is, and what the repository itself asks for."""

from __future__ import annotations

import asyncio
import os
import platform
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.process import GitFailed, run_git
from actions.agent.tools.needs import Workspace

NAMES = ("AGENTS.md", "CLAUDE.md")
"""Instruction files of a repository; in one folder the first one counts."""

_MOST_FILE = 32_000
_MOST_STATUS = 20
_GIT_LIMIT = 1.0


@dataclass(frozen=True, slots=True)
class Git:
    """The repository in a few words; ``branch`` None: no repository, or git does not answer in time."""

    branch: str | None = None
    changed: tuple[str, ...] = ()


async def instructions_for(prompt: str, workspace: Workspace, extra: str = "") -> str:
    """The whole system prompt: ``prompt`` is the agent's own text, ``extra`` comes last."""
    git = await asyncio.to_thread(read_git, workspace.root)
    sections = [prompt.strip(), _where(workspace, git)]
    files = await asyncio.to_thread(instruction_files, workspace.root)
    sections += [_quoted(file, text, workspace.root) for file, text in files]
    return "\n\n".join(section for section in (*sections, extra) if section)


def instruction_files(root: Path) -> list[tuple[Path, str]]:
    """The instruction files that hold in ``root``, from the top of the repository down; 32,000 characters in all, and
    the file nearest to the work is the last to be cut."""
    found: list[tuple[Path, str]] = []
    left = _MOST_FILE
    folders = _up_to_repository(root)
    for folder in folders:
        file = next((folder / name for name in NAMES if (folder / name).is_file()), None)
        if file is None or left <= 0 or not _lies_in(file, folders[-1]):
            continue
        try:
            with file.open(encoding="utf-8", errors="replace") as opened:
                text = opened.read(_MOST_FILE + 1).strip()
        except OSError:
            continue
        if text:
            found.append(
                (file, text if len(text) <= left else f"{text[:left]}\n[cut here: read the file for the rest]")
            )
            left -= len(text)
    return found[::-1]


def read_git(root: Path) -> Git:
    """Branch and changed paths by ``git status``; gives up after a second. Blocks."""
    try:
        out = run_git(root, ["status", "--porcelain", "--branch", "--", "."], Cancel(), seconds=_GIT_LIMIT)
    except GitFailed:
        return Git()
    first, *changed = out.decode(errors="replace").splitlines() or [""]
    branch = first.removeprefix("## ").removeprefix("No commits yet on ").split("...")[0]
    return Git(branch, tuple(changed))


def _where(workspace: Workspace, git: Git) -> str:
    lines = [
        "# Where you are",
        "",
        f"- Working directory: {workspace.root}; paths in tools are relative to it.",
        *(f"- Further folder of this session: {folder}" for folder in workspace.extra),
        f"- Platform: {platform.system()} {platform.machine()}. Today is {datetime.now().astimezone():%A, %Y-%m-%d}.",
    ]
    if git.branch is None:
        return "\n".join([*lines, "- Not a git repository."])
    lines.append(f"- Git branch {git.branch}; {_changes(len(git.changed))} as the session began.")
    lines += [f"    {line}" for line in git.changed[:_MOST_STATUS]]
    if len(git.changed) > _MOST_STATUS:
        lines.append(f"    and {len(git.changed) - _MOST_STATUS} more")
    return "\n".join(lines)


def _changes(count: int) -> str:
    return "no uncommitted changes" if count == 0 else f"{count} uncommitted change{'s' if count > 1 else ''}"


def _quoted(file: Path, text: str, root: Path) -> str:
    shown = file.name if file.parent == root else str(file)
    return (
        f"# Instructions of this repository ({shown})\n\nThe people who work on this repository ask for the following. "
        f"It goes before your habits, but not before what the user says.\n\n{text}"
    )


def _lies_in(file: Path, top: Path) -> bool:
    """Whether ``file`` is one of the repository's own: a link to elsewhere would hand out what nobody meant to."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(top))


def _up_to_repository(root: Path) -> list[Path]:
    """``root`` and the folders above it up to the one with ``.git``; only ``root`` where there is none."""
    chain: list[Path] = []
    for folder in (root, *root.parents):
        chain.append(folder)
        if (folder / ".git").exists():
            return chain
    return [root]
