"""The change as a whole: what it adds that is large or binary, what it leaves untested, which lock file lags behind."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, cast

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.code import is_test
from actions.agent.scout.review.change import Change, ChangedFile
from actions.agent.scout.review.findings import Finding, Severity
from actions.words import counted

LARGE_LINES = 2_000
LARGE_BYTES = 1_000_000
_CODE = frozenset(
    "py pyi js jsx ts tsx mjs cjs go rs java kt kts scala rb php c cc cpp cxx h hpp cs swift m ex exs lua pl sh bash "
    "vue svelte dart clj hs erl zig".split()
)
_LOCKS: dict[str, tuple[str, ...]] = {
    "pyproject.toml": ("uv.lock", "poetry.lock", "pdm.lock"),
    "package.json": ("package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"),
    "Cargo.toml": ("Cargo.lock",),
    "go.mod": ("go.sum",),
    "Gemfile": ("Gemfile.lock",),
    "composer.json": ("composer.lock",),
    "Pipfile": ("Pipfile.lock",),
    "mix.exs": ("mix.lock",),
}
_GENERATED = frozenset(lock for locks in _LOCKS.values() for lock in locks)
_NPM = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


def large_additions(change: Change) -> Iterator[Finding]:
    """Binary files that were added or changed, and additions of more than 2,000 lines or 1 MB."""
    for file in change.files:
        if file.deleted or PurePosixPath(file.path).name in _GENERATED:
            continue
        size = _size(change, file)
        if file.binary:
            word = "added" if file.is_new else "changed"
            severity = Severity.WARNING if file.is_new or (size or 0) > LARGE_BYTES else Severity.NOTE
            how_big = f" ({_bytes(size)})" if size is not None else ""
            yield Finding(file=file.path, severity=severity, rule="binary", text=f"a binary file is {word}{how_big}")
        elif len(file.added) > LARGE_LINES or (file.is_new and (size or 0) > LARGE_BYTES):
            what = f"{len(file.added)} lines are added" + (f" ({_bytes(size)})" if size is not None else "")
            yield Finding(file=file.path, severity=Severity.WARNING, rule="large", text=f"{what}: is it generated?")


def untested_code(change: Change) -> Iterator[Finding]:
    """Code that changes while no test does. Nothing is said for a repository's files that hold no code."""
    if any(is_test(file.path) for file in change.files):
        return
    for file in change.files:
        suffix = PurePosixPath(file.path).suffix.lstrip(".").lower()
        if suffix in _CODE and file.added and not file.deleted:
            text = f"code changes ({counted(len(file.added), 'line')} added) and no test does"
            yield Finding(file=file.path, severity=Severity.WARNING, rule="no-test", text=text)


def lock_out_of_step(change: Change, cancel: Cancel) -> Iterator[Finding]:
    """A manifest whose dependencies changed while its lock file, which is there, did not."""
    changed = {file.path for file in change.files}
    for file in change.files:
        path = PurePosixPath(file.path)
        if file.deleted or path.name not in _LOCKS or not _dependencies_changed(change, file, cancel):
            continue
        locks = [str(path.with_name(lock)) for lock in _LOCKS[path.name]]
        there = [lock for lock in locks if lock in changed or change.old_text(lock, cancel) is not None]
        if there and changed.isdisjoint(there):
            text = f"dependencies change and `{there[0]}` does not: update the lock file"
            yield Finding(file=file.path, severity=Severity.WARNING, rule="lock-out-of-step", text=text)


def _dependencies_changed(change: Change, file: ChangedFile, cancel: Cancel) -> bool:
    before = change.old_text(file.old_path, cancel) if file.old_path else None
    after = change.new_text(file.path, cancel)
    name = PurePosixPath(file.path).name
    if after is None:
        return False
    return before is None or _dependencies(name, before) != _dependencies(name, after)


def _dependencies(name: str, text: str) -> object:
    """The part of a manifest that a lock file follows; the whole text where no part can be told."""
    try:
        if name in ("package.json", "composer.json"):
            data = cast("dict[str, Any]", json.loads(text))
            keys = (*_NPM, "overrides", "resolutions") if name == "package.json" else ("require", "require-dev")
            return [data.get(key) for key in keys]
        if name == "pyproject.toml":
            data = tomllib.loads(text)
            project = data.get("project", {})
            poetry = data.get("tool", {}).get("poetry", {})
            return [
                *(project.get(key) for key in ("dependencies", "optional-dependencies", "requires-python")),
                *(poetry.get(key) for key in ("dependencies", "dev-dependencies", "group", "extras")),
                data.get("dependency-groups"),
            ]
        if name in ("Cargo.toml", "Pipfile"):
            data = tomllib.loads(text)
            return {key: value for key, value in data.items() if key not in ("package", "profile", "lints", "features")}
    except (ValueError, AttributeError):
        return text
    # A go.mod or a Gemfile is nearly all dependencies; its comments are not.
    return [line.split("//")[0].split("#")[0].strip() for line in text.splitlines() if line.strip()]


def _size(change: Change, file: ChangedFile) -> int | None:
    try:
        return (change.top / file.path).lstat().st_size
    except OSError:
        return None


def _bytes(size: int | None) -> str:
    size = size or 0
    return (
        f"{size / 1_000_000:.1f} MB"
        if size >= 1_000_000
        else f"{size / 1_000:.1f} kB"
        if size >= 1_000
        else f"{size} B"
    )
