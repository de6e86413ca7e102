"""All that decides what a server's start runs: what consent is given for, and what is shown before it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from actions.catalog.secrecy import veiled_args
from actions.servers.pool.definition import Http, SecretRef, ServerDefinition, Stdio, Value
from actions.servers.trust.changes import Change, changes
from actions.storage.secrets import Secret

_RECIPES = {
    "npm": "package.json", "pnpm": "package.json", "yarn": "package.json", "bun": "package.json",
    "make": "Makefile", "just": "justfile",
}  # fmt: skip
"""Commands that run what a file of the folder says, without naming it."""
_STARTS = ("__main__.py", "package.json", "index.js", "index.mjs")
"""What an interpreter runs when it is given a folder."""
_CHUNK = 1024 * 1024


@dataclass(frozen=True)
class Content:
    """What a definition runs, and what it is given.

    Values of environment and headers are here as hashes (a secret as its reference), and so is an argument that holds a
    secret in the clear. ``resolved`` is the program that the command is found to be; ``scripts`` are files of the
    workspace that the command line names, with their hashes.
    """

    transport: str
    command: str | None = None
    resolved: str | None = None
    args: tuple[str, ...] = ()
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    login: str | None = None
    scripts: Mapping[str, str] = field(default_factory=dict[str, str])

    @cached_property
    def hash(self) -> str:
        """Changes with anything in it."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True, ensure_ascii=True).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """For the store; :meth:`of_json` reads it."""
        return {**asdict(self), "args": list(self.args)}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Content:
        """From the store. Raises TypeError for what was stored by another version."""
        fields: dict[str, Any] = {**stored, "args": tuple(stored.get("args") or ())}
        return cls(**fields)

    def since(self, agreed: Content) -> tuple[Change, ...]:
        """What is different from what was agreed to."""
        return changes(agreed.as_json(), self.as_json())


def content_of(written: ServerDefinition, runs: ServerDefinition, root: Path | None, path: str) -> Content:
    """What ``written``, with its variables put in as ``runs``, starts.

    ``root`` is the workspace, ``path`` the PATH that commands are looked up on. Reads files: call it in a thread.
    """
    transport, expanded = written.transport, runs.transport
    if isinstance(transport, Http):
        return Content(
            transport.transport,
            url=_url(transport.url),
            headers=_digests(transport.headers),
            login=None if transport.oauth is None else transport.oauth.client_id,
        )
    assert isinstance(expanded, Stdio)
    folder = expanded.cwd or root or Path.home()
    return Content(
        "stdio",
        command=transport.command,
        resolved=_in_words(_program(expanded.command, folder, path), root),
        args=_args(transport.args),
        cwd=None if transport.cwd is None else str(transport.cwd),
        env=_digests(transport.env),
        scripts={} if root is None else _scripts(expanded, folder, root),
    )


def _digests(values: Mapping[str, Value]) -> dict[str, str]:
    return {name: _digest(value) for name, value in sorted(values.items())}


def _digest(value: Value) -> str:
    if isinstance(value, SecretRef):
        around = f" within {_sha(f'{value.before}|{value.after}')}" if value.before or value.after else ""
        return f"secret {value.name}{around}"
    return _sha(value.reveal() if isinstance(value, Secret) else value)


def _args(args: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments; of one that holds a secret, what may be shown and a hash that tells a change."""
    shown = veiled_args(args)
    return tuple(
        seen if seen == arg else f"{seen} (sha256 {_sha(arg)[:32]})" for seen, arg in zip(shown, args, strict=True)
    )


def _url(url: str) -> str:
    """As an argument: the values of a query are its options."""
    head, question, query = url.partition("?")
    options = [f"--{option}" for option in query.split("&")] if question else []
    veiled = veiled_args([head, *options])
    if veiled == [head, *options]:
        return url
    query = "&".join(option.removeprefix("--") for option in veiled[1:])
    return f"{veiled[0]}{question}{query} (sha256 {_sha(url)[:32]})"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _program(command: str, folder: Path, path: str) -> str | None:
    """The file that runs; None where none is found."""
    if os.sep in command:
        file = folder / Path(command).expanduser()
        return str(file) if file.is_file() else None
    return shutil.which(command, path=path)


def _in_words(program: str | None, root: Path | None) -> str | None:
    """A program of the workspace by its place in it, so that it is the same one in a worktree."""
    if program is None or root is None or not Path(program).is_relative_to(root):
        return program
    return f"${{workspaceFolder}}/{Path(program).relative_to(root)}"


def _scripts(stdio: Stdio, folder: Path, root: Path) -> dict[str, str]:
    """Files under ``root`` that the command line names, by their path in it."""
    found: dict[str, str] = {}
    real_root = root.resolve()
    for candidate in _named(stdio, folder):
        try:
            real = candidate.resolve()
            if real.is_relative_to(real_root) and real.is_file():
                found[str(real.relative_to(real_root))] = _file_hash(real)
        except OSError as error:
            found[str(candidate)] = f"cannot be read: {error.strerror}"
    return dict(sorted(found.items()))


def _named(stdio: Stdio, folder: Path) -> Iterator[Path]:
    words = [stdio.command, *stdio.args]
    if (recipe := _RECIPES.get(Path(stdio.command).name)) is not None:
        yield folder / recipe
    for before, word in zip(["", *words], words, strict=False):
        if before == "-m":
            module = folder.joinpath(*word.split("."))
            yield module.with_suffix(".py")
            yield module / "__main__.py"
            continue
        for text in {word, word.partition("=")[2]} - {""}:
            if "\0" in text:
                continue
            named = folder / Path(text).expanduser()
            yield named
            for start in _STARTS:
                yield named / start


def _file_hash(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
