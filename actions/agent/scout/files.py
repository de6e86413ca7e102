"""Which files a repository has: by git where there is git, else by a walk that respects .gitignore."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.process import GitFailed, run_git

MOST_FILES = 40_000

_VENDORED = frozenset(
    "node_modules bower_components jspm_packages .venv venv site-packages __pycache__ .tox .nox .mypy_cache "
    ".ruff_cache .pytest_cache .eggs .git .hg .svn Pods vendor third_party thirdparty .gradle .terraform".split()
)
_BUILT = frozenset("dist build target out .next .nuxt coverage .cache .idea".split())
_LOCK_FILES = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml uv.lock poetry.lock Pipfile.lock pdm.lock "
    "Cargo.lock Gemfile.lock composer.lock go.sum flake.lock bun.lockb mix.lock".split()
)
_GENERATED = re.compile(
    r"\.min\.(js|css)$|\.(map|snap|pb\.go|pyc)$|_pb2(_grpc)?\.pyi?$|\.generated\.|\.designer\.cs$", re.I
)
# A plan quotes lines, and plans are kept and passed on: what exists to hold a secret is not even opened.
_SECRET = re.compile(
    r"^\.env(?!\.(example|sample|template|dist)$)(\..+)?$|^id_(rsa|dsa|ecdsa|ed25519)|\.(pem|key|p12|pfx|keystore|jks)$"
    r"|^\.(netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd)$|^credentials(\.json)?$",
    re.I,
)
_NOT_TEXT = frozenset(
    "png jpg jpeg gif ico icns webp bmp tiff psd ai pdf zip gz bz2 xz zst tar tgz 7z rar jar war whl exe dll so dylib "
    "a o obj bin dat class pyc pyo wasm woff woff2 ttf otf eot mp3 mp4 wav ogg flac webm mov avi sqlite sqlite3 db "
    "pack idx pt pth onnx npy npz parquet safetensors gguf mo".split()
)


@dataclass(frozen=True, slots=True)
class Listing:
    """Files of a folder: POSIX paths relative to it, sorted. ``source`` is "git" or "walk".

    ``unnamed`` counts files whose names are no UTF-8: no client could show them.
    """

    paths: tuple[str, ...]
    source: str
    skipped: int
    unnamed: int
    cut: bool


def list_files(root: Path, cancel: Cancel) -> Listing:
    """Text-like files under ``root``, at most 40,000, in path order.

    Without vendored, generated and lock files, and without those that exist to hold secrets (``.env``, keys).
    """
    found, source = _by_git(root, cancel)
    if not found:
        found, source = sorted(_walk(root, cancel)), "walk"
    wanted = [path for path in found if _wanted(path, built=source == "walk")]
    kept = [path for path in wanted if _is_text(path)]
    skipped, unnamed = len(found) - len(wanted), len(wanted) - len(kept)
    return Listing(tuple(kept[:MOST_FILES]), source, skipped, unnamed, len(kept) > MOST_FILES)


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _wanted(path: str, *, built: bool) -> bool:
    *folders, name = path.split("/")
    if any(part in _VENDORED or (built and part in _BUILT) for part in folders):
        return False
    extension = name.rpartition(".")[2].lower()
    if name in _LOCK_FILES or extension in _NOT_TEXT:
        return False
    return not _GENERATED.search(name) and not _SECRET.search(name)


def _by_git(root: Path, cancel: Cancel) -> tuple[list[str], str]:
    """Tracked files, those of submodules too, and untracked ones that are not ignored."""
    try:
        tracked = run_git(root, ["ls-files", "-z", "--cached", "--recurse-submodules"], cancel)
        others = run_git(root, ["ls-files", "-z", "--others", "--exclude-standard"], cancel)
    except GitFailed:
        return [], "walk"
    paths: set[str] = set()
    for raw in (tracked + others).split(b"\0"):
        path = os.fsdecode(raw)
        if path.endswith("/"):
            paths.update(path + inner for inner in _walk(root / path, cancel))
        elif path:
            paths.add(path)
    return sorted(paths), "git"


def _walk(root: Path, cancel: Cancel) -> Iterator[str]:
    """Relative paths of regular files. Symbolic links to folders are not followed, so a loop cannot catch it."""
    from pathspec import GitIgnoreSpec

    stack: list[tuple[str, tuple[tuple[str, GitIgnoreSpec], ...]]] = [("", ())]
    seen = 0
    while stack and seen <= MOST_FILES * 2:
        cancel.check()
        prefix, rules = stack.pop()
        try:
            with os.scandir(root / prefix) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            continue
        if any(entry.name == ".gitignore" for entry in entries):
            try:
                text = (root / prefix / ".gitignore").read_text(errors="replace")
                rules = (*rules, (prefix, GitIgnoreSpec.from_lines(text.splitlines())))
            except OSError:
                pass  # An unreadable .gitignore hides nothing.
        folders: list[str] = []
        for entry in entries:
            path = prefix + entry.name
            is_dir = entry.is_dir(follow_symlinks=False)
            if _ignored(path + "/" if is_dir else path, rules):
                continue
            if is_dir:
                if entry.name not in _VENDORED:
                    folders.append(path + "/")
            elif entry.is_file(follow_symlinks=False):
                seen += 1
                yield path
        stack.extend((folder, rules) for folder in reversed(folders))


def _ignored(path: str, rules: tuple[tuple[str, object], ...]) -> bool:
    from pathspec import GitIgnoreSpec

    return any(isinstance(spec, GitIgnoreSpec) and spec.match_file(path[len(base) :]) for base, spec in rules)
