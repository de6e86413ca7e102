"""All of the user's servers as they are in a folder: definitions of every file, and the binding that decides."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from actions.servers.definitions import Binding, FileProblem, Scope, Standing, StoredServer, content_hash
from actions.servers.files.bindings import overridden, read_bindings, winner
from actions.servers.files.document import Content, ServerFile
from actions.servers.files.entry import BadEntry, Read, read_entry
from actions.servers.files.worktrees import also_known_as
from actions.servers.keeping import owner_of
from actions.servers.values import MissingValue, expanded

WORKSPACE_FILE = ".mcp.json"
SHARED = "workspace."
"""How the names of secrets begin that any workspace's file may name; the others are the user's alone."""
_SECRET = re.compile(r"\$\{secret:([^{}]*)\}")


@dataclass(frozen=True)
class _Found:
    """A server's entry in one file; ``root`` is the workspace of the file."""

    file: Path
    content: Content
    entry: object
    root: Path | None

    def read(self, name: str, overrides: Mapping[str, Any]) -> Read:
        """Raises BadEntry."""
        entry = self.entry
        if self.root is not None and (secret := _foreign_secret(name, entry, self.root)) is not None:
            raise BadEntry(
                f"it wants the secret {secret}, which is not its own; a workspace's file may name those that Sayso "
                f"keeps for it, and those that begin with {SHARED}"
            )
        if overrides and isinstance(entry, dict):
            entry = overridden(cast("dict[str, Any]", entry), overrides)
        blocks: Any = self.content.block.get("servers")
        block = cast("dict[str, Any]", blocks).get(name) if isinstance(blocks, dict) else None
        return read_entry(name, entry, block)


class Book:
    """Implements :class:`actions.servers.definitions.ServerBook`; also gives the files to change.

    ``environ`` gives the variables that definitions may name.
    """

    def __init__(self, device_file: Path, environ: Callable[[], Mapping[str, str]]) -> None:
        self.device = ServerFile(device_file)
        self._environ = environ
        self._files: dict[Path, ServerFile] = {}
        self._watchers: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def workspace_file(self, root: Path) -> ServerFile:
        """The file of a workspace, whether it is there or not."""
        with self._lock:
            return self._files.setdefault(root, ServerFile(root / WORKSPACE_FILE))

    def effective(self, workspace: Path | None) -> tuple[StoredServer, ...]:
        """See :class:`ServerBook`."""
        here = None if workspace is None else workspace.expanduser().resolve()
        device = self.device.read()
        files = [(root, self.workspace_file(root)) for root in _roots(here)]
        read = [(root, file.file, file.read()) for root, file in files]
        bindings = read_bindings(device.block)
        folders = [] if here is None else [place for place in (here, also_known_as(here)) if place is not None]
        names = sorted({*device.servers, *(name for _, _, content in read for name in content.servers)})
        servers: list[StoredServer] = []
        for name in names:
            own = [(root, file, content) for root, file, content in read if name in content.servers]
            if own:
                root, file, content = own[0]
                found = _Found(file, content, content.servers[name], root)
            else:
                found = _Found(self.device.file, device, device.servers[name], None)
            implied = [Binding(name, str(root), implied=True) for root, _, _ in own]
            servers.append(self._server(name, found, [*implied, *bindings.get(name, [])], here, folders))
        return tuple(servers)

    def problems(self, workspace: Path | None) -> tuple[FileProblem, ...]:
        """See :class:`ServerBook`."""
        here = None if workspace is None else workspace.expanduser().resolve()
        files = [self.device, *(self.workspace_file(root) for root in _roots(here))]
        return tuple(problem for file in files if (problem := file.read().problem) is not None)

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """See :class:`ServerBook`. Watchers are called in the thread that saw the change."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def look(self) -> bool:
        """Whether a file that was read is another now; then it is read, and the watchers hear of it."""
        with self._lock:
            files = [self.device, *self._files.values()]
        moved = [file for file in files if file.changed()]
        for file in moved:
            file.read()
        if moved:
            self.tell()
        return bool(moved)

    def tell(self) -> None:
        """Tell the watchers that something has changed."""
        for watcher in tuple(self._watchers):
            watcher()

    def _server(
        self, name: str, found: _Found, bindings: list[Binding], here: Path | None, folders: list[Path]
    ) -> StoredServer:
        binding = winner(bindings, folders)
        overrides: Mapping[str, Any] = binding.overrides if binding is not None else {}
        scope = Scope.OVERRIDE if overrides else Scope.WORKSPACE if found.root is not None else Scope.DEVICE
        read: Read | None = None
        problem: str | None = None
        try:
            read = found.read(name, overrides)
        except BadEntry as error:
            line = found.content.lines[name]
            problem = f"{name} ({found.file}, line {line}): {error}."
        enabled = binding is not None and binding.enabled and not (read is not None and read.off)
        standing = _standing(binding, bindings, enabled)
        if problem is not None and enabled:
            standing = Standing.INVALID
        elif read is not None and enabled:
            try:
                expanded(read.definition, self._environ(), workspace=here)
            except MissingValue as error:
                standing, problem = Standing.MISSING_VALUE, error.message
        return StoredServer(
            name=name,
            scope=scope,
            definition=None if read is None else read.definition,
            enabled=enabled,
            revision=found.content.revision,
            content_hash="" if read is None else content_hash(read.definition),
            source=found.file,
            root=found.root,
            binding=binding,
            bindings=tuple(bindings),
            standing=standing,
            problem=problem,
            title=None if read is None else read.title,
            line=found.content.lines[name],
            through_sayso=overrides.get("delivery", "sayso" if read is not None and read.through_sayso else "")
            == "sayso",
        )


def _foreign_secret(name: str, entry: object, root: Path) -> str | None:
    """A secret of somebody else's that an entry of a workspace's file names."""
    own = f"{owner_of(name, str(root))}."
    named = _SECRET.findall(json.dumps(entry, ensure_ascii=False))
    return next((secret for secret in named if not secret.startswith((own, SHARED))), None)


def _standing(binding: Binding | None, bindings: list[Binding], enabled: bool) -> Standing:
    if binding is None:
        return Standing.ELSEWHERE if bindings else Standing.NOT_BOUND
    return Standing.ACTIVE if enabled else Standing.BINDING_DISABLED


def _roots(here: Path | None) -> Iterator[Path]:
    """The folders whose file counts in ``here``, the nearest first: its own, and those up to its repository's top."""
    if here is None:
        return
    above = [here, *here.parents]
    top = next((place for place, folder in enumerate(above) if (folder / ".git").exists()), 0)
    yield from above[: top + 1]
