"""The user's MCP servers as the actions know them: read, changed, bound, tried, taken over from other programs."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Awaitable, Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from actions.catalog import server_views as views
from actions.catalog.server_ports import Keeping, OnConflict, Where
from actions.errors import NotFound
from actions.servers import changing
from actions.servers.changing import wrong
from actions.servers.definitions import DEVICE, Binding, StoredServer
from actions.servers.files.bindings import read_bindings, written
from actions.servers.files.book import Book
from actions.servers.files.document import OURS, SERVERS, Content, ServerFile
from actions.servers.files.entry import read_entry
from actions.servers.imports.service import Importer
from actions.servers.jsonc.editing import drop, put
from actions.servers.keeping import Keeper, owner_of
from actions.servers.presets import presets
from actions.servers.showing import shown, shown_binding
from actions.servers.testing import Tester
from actions.storage.secrets import SecretStore
from actions.tasks import TaskOwner

LOOK_EVERY = 2.0
"""Seconds between two looks for edits by hand. A call sees them at once; this is for windows that only watch."""
MayRun = Callable[[StoredServer, Path | None], Awaitable[str | None]]
"""Why a server may not be started here, or None."""


async def _own_only(server: StoredServer, workspace: Path | None) -> str | None:
    if server.root is None:
        return None
    return f"{server.source} is not trusted. See what it would run with: sayso mcp trust {server.root}"


class ServersService:
    """Implements :class:`actions.catalog.server_ports.ServersPort` over the files of a home and its workspaces."""

    def __init__(
        self,
        book: Book,
        *,
        environ: Callable[[], Mapping[str, str]],
        secrets: Callable[[], SecretStore],
        publish: Callable[[str, dict[str, Any]], None],
        may_run: MayRun = _own_only,
    ) -> None:
        self.book = book
        self._keeper = Keeper(secrets)
        self._tester = Tester(environ, secrets)
        self._importer = Importer(book, self._keeper, environ)
        self._publish = publish
        self._may_run = may_run
        self._tasks = TaskOwner("servers")

    def start(self) -> None:
        """Begin to look for edits by hand."""
        self._tasks.start(self._watch(), name="watch")

    async def close(self) -> None:
        """End looking."""
        await self._tasks.close()

    # Reading

    async def list(self, *, include_disabled: bool = True, workspace: str | None = None) -> views.ServerList:
        """Every server with its bindings; values of variables and headers are left out."""
        return await asyncio.to_thread(self._list, include_disabled, _path(workspace))

    async def read(self, server: str, *, workspace: str | None = None) -> views.ServerView:
        """One server; what looks like a secret is dots. Raises NotFound."""
        return await asyncio.to_thread(lambda: shown(self._find(server, _path(workspace)), whole=True))

    async def of_program(self, client: str, workspace: Path) -> builtins.list[views.FoundServer]:
        """The servers that another program's own files give it there, as an import would see them."""
        return await asyncio.to_thread(self._importer.of_program, client, workspace)

    async def proof(self, server: str, *, workspace: str | None = None) -> Mapping[str, Any]:
        """Its content and its bindings. Raises NotFound."""

        def work() -> dict[str, Any]:
            found = self._find(server, _path(workspace))
            bindings = {b.id: [b.enabled, dict(b.overrides)] for b in found.bindings}
            return {"definition": [found.content_hash, str(found.source)], "bindings": sorted(bindings)}

        return await asyncio.to_thread(work)

    def _list(self, include_disabled: bool, workspace: Path | None) -> views.ServerList:
        found = self.book.effective(workspace)
        return views.ServerList(
            servers=[shown(server, whole=False) for server in found if include_disabled or server.enabled],
            revision=self.book.device.read().revision,
            problems=[
                views.BrokenFile(file=str(problem.file), line=problem.line, message=problem.message)
                for problem in self.book.problems(workspace)
            ],
        )

    def _find(self, name: str, workspace: Path | None) -> StoredServer:
        known = {server.name: server for server in self.book.effective(workspace)}
        if (found := known.get(name)) is not None:
            return found
        if problems := self.book.problems(workspace):
            raise NotFound(f"There is no MCP server {name!r} in what can be read. {problems[0].message}")
        near = get_close_matches(name, known, n=3, cutoff=0.5) or sorted(known)[:10]
        meant = f" There is: {', '.join(near)}." if near else " There is none yet; add one with: sayso mcp add"
        details = {"server": name, "candidates": [{"name": one} for one in near]}
        raise NotFound(f"There is no MCP server {name!r}.{meant}", details=details)

    # Definitions

    async def create(
        self,
        definition: Mapping[str, Any],
        *,
        bindings: Sequence[Mapping[str, Any]] = (),
        where: Where = "device",
        workspace: str | None = None,
        secrets: Keeping = "keyring",
        expected_revision: str | None = None,
    ) -> views.ServerView:
        """Add a server to a file, and bind it. Raises InvalidInput for a name that is taken."""
        place = _path(workspace)
        if where == "workspace" and place is None:
            raise wrong("workspace", "Name the workspace whose file gets the server.")
        file = self.book.device if place is None or where == DEVICE else self.book.workspace_file(place)
        name = str(definition["name"])
        entry = changing.entry_of(definition)
        changing.check(name, entry, "definition")
        targets = [_new_binding(name, entry, given) for given in bindings]
        moved: list[str] = []

        def edit(text: str) -> str:
            if name in file.read().servers:
                raise wrong("definition.name", f"There is a server {name!r} already. Change it, or take another name.")
            owner = owner_of(name, None if file is self.book.device else str(file.file.parent))
            kept = self._keeper.kept(owner, entry, moved) if secrets == "keyring" else entry
            text = put(text, [SERVERS, name], kept)
            if block := changing.block_of(definition):
                text = put(text, [OURS, "servers", name], block)
            return self._bound(text, targets, moved) if file is self.book.device else text

        await asyncio.to_thread(lambda: file.change(edit, expected_revision))
        if file is not self.book.device and targets:
            await asyncio.to_thread(lambda: self.book.device.change(lambda text: self._bound(text, targets, moved)))
        self._changed(name)
        return await asyncio.to_thread(lambda: shown(self._find(name, place), whole=True, moved=_once(moved)))

    async def update(
        self,
        server: str,
        changes: Mapping[str, Any],
        *,
        workspace: str | None = None,
        secrets: Keeping = "keyring",
        expected_revision: str | None = None,
    ) -> views.ServerView:
        """Change a definition where it stands. Raises InvalidInput for what would make no server of it."""
        place = _path(workspace)
        moved: list[str] = []

        def work() -> views.ServerView:
            found = self._find(server, place)
            file = self._file_of(found)

            def edit(text: str) -> str:
                now = file.read()
                entry, block = changing.changed(_entry(now, server), _block(now, server), changes)
                changing.check(server, entry, "changes")
                if secrets == "keyring":
                    owner = owner_of(server, None if found.root is None else str(found.root))
                    entry = self._keeper.kept(owner, entry, moved)
                after = put(text, [SERVERS, server], entry)
                return _with_block(after, server, block)

            before = file.read().text
            after = file.change(edit, expected_revision)
            self._keeper.forget(before, after.text)
            return shown(self._find(server, place), whole=True, moved=_once(moved))

        view = await asyncio.to_thread(work)
        self._changed(server)
        return view

    async def delete(
        self, server: str, *, remove_bindings: bool, workspace: str | None = None, expected_revision: str | None = None
    ) -> None:
        """Take a definition out of its file, with the secrets that only it names."""

        def work() -> None:
            found = self._find(server, _path(workspace))
            file = self._file_of(found)
            bound = [binding.id for binding in found.bindings if not binding.implied]
            if bound and not remove_bindings:
                raise wrong("remove_bindings", f"{server} is bound: {', '.join(bound)}. Remove the bindings with it.")

            def edit(text: str) -> str:
                text = _with_block(drop(text, [SERVERS, server]), server, {})
                return drop(text, [OURS, "bindings", server]) if file is self.book.device else text

            before = file.read().text
            after = file.change(edit, expected_revision)
            self._keeper.forget(before, after.text)
            if file is not self.book.device and bound:
                before = self.book.device.read().text
                after = self.book.device.change(lambda text: drop(text, [OURS, "bindings", server]))
                self._keeper.forget(before, after.text)

        await asyncio.to_thread(work)
        self._changed(server)

    # Bindings

    async def add_binding(
        self,
        server: str,
        target: str,
        *,
        enabled: bool,
        overrides: Mapping[str, Any] | None = None,
        expected_revision: str | None = None,
    ) -> views.BindingView:
        """Bind a server, or replace its binding for this target; without ``overrides`` those that it has stay."""

        def work() -> views.BindingView:
            found = self._find(server, None if target == DEVICE else Path(target))
            moved: list[str] = []

            def edit(text: str) -> str:
                now = self.book.device.read()
                kept = next((dict(b.overrides) for b in _bindings(now, server) if b.target == target), _nothing())
                if overrides is not None:
                    kept = changing.checked_overrides(self._raw(found), server, overrides)
                return self._bound(text, [Binding(server, target, enabled, kept)], moved)

            return self._shown_binding(self.book.device.change(edit, expected_revision), f"{server}@{target}")

        view = await asyncio.to_thread(work)
        self._changed(server)
        return view

    async def edit_binding(
        self, binding: str, changes: Mapping[str, Any], *, expected_revision: str | None = None
    ) -> views.BindingView:
        """Change ``enabled`` or ``overrides`` of a binding. Raises NotFound."""
        found = await asyncio.to_thread(lambda: self._binding(binding))
        if odd := changes.keys() - {"enabled", "overrides"}:
            raise wrong(f"changes.{min(odd)}", f"A binding has no {min(odd)} to change: enabled and overrides alone.")
        enabled = changes.get("enabled", found.enabled)
        overrides: Any = changes.get("overrides", found.overrides)
        if not isinstance(enabled, bool):
            raise wrong("changes.enabled", "enabled must be true or false.")
        if overrides is not None and not isinstance(overrides, Mapping):
            raise wrong("changes.overrides", "overrides must be an object.")
        wanted = cast("Mapping[str, Any] | None", overrides) or {}
        return await self.add_binding(
            found.server, found.target, enabled=enabled, overrides=wanted, expected_revision=expected_revision
        )

    async def remove_binding(self, binding: str, *, expected_revision: str | None = None) -> None:
        """Take a binding out: the server is off there, or as a wider binding says. Raises NotFound."""

        def work() -> str:
            found = self._binding(binding)
            before = self.book.device.read().text
            path = [OURS, "bindings", found.server, found.target]
            after = self.book.device.change(lambda text: drop(text, path), expected_revision)
            self._keeper.forget(before, after.text)
            return found.server

        self._changed(await asyncio.to_thread(work))

    # The rest

    async def test(
        self, server: str | None, draft: Mapping[str, Any] | None, *, workspace: str | None = None
    ) -> views.ServerTest:
        """Start a server, or a definition that is not stored, list its tools and end it. Raises NotFound."""
        place = _path(workspace)
        if draft is not None:
            entry = changing.entry_of(draft)
            changing.check(str(draft["name"]), entry, "draft")
            read = read_entry(str(draft["name"]), entry, changing.block_of(draft))
            return await self._tester.test(read.definition, place)
        found = await asyncio.to_thread(lambda: self._find(server or "", place))
        if found.definition is None:
            return views.ServerTest(ok=False, code="invalid_request", message=found.problem)
        if (why := await self._may_run(found, place)) is not None:
            return views.ServerTest(ok=False, code="not_trusted", message=why)
        return await self._tester.test(found.definition, place)

    async def detect(self, *, workspace: str | None = None) -> views.FoundServers:
        """What other programs on this machine are set up with; nothing is written."""
        return await asyncio.to_thread(lambda: self._importer.detect(_path(workspace)))

    async def take_over(
        self,
        source: str,
        *,
        client: str | None = None,
        selection: Sequence[str] = (),
        on_conflict: OnConflict = "skip",
        conflicts: Mapping[str, OnConflict] | None = None,
        workspace: str | None = None,
        secrets: Keeping = "keyring",
        values: Mapping[str, str] | None = None,
        dry_run: bool = False,
    ) -> views.FoundServers:
        """Import servers into the device's file, and bind them to ``workspace`` or to where they were."""

        def work() -> views.FoundServers:
            place = _path(workspace)
            plan = self._importer.plan(source, client, place)
            if dry_run:
                return plan.shown()
            choice: dict[str, OnConflict] = {**(conflicts or {})}

            def decide(name: str) -> OnConflict:
                return choice.get(name, on_conflict)

            return self._importer.carry_out(plan, selection, decide, secrets, target=place, values=values)

        found = await asyncio.to_thread(work)
        if not dry_run:
            self._changed(None)
        return found

    async def presets(self, language: str = "en") -> views.PresetList:
        """The known servers."""
        return views.PresetList(presets=list(presets(language)))

    # Within

    def _bound(self, text: str, bindings: Sequence[Binding], moved: list[str]) -> str:
        for binding in bindings:
            owner = owner_of(binding.server, f"binding {binding.target}")
            says = written(binding)
            if binding.overrides:
                says["overrides"] = self._keeper.kept(owner, binding.overrides, moved)
            text = put(text, [OURS, "bindings", binding.server, binding.target], says)
        return text

    def _binding(self, binding_id: str) -> Binding:
        every = [b for found in read_bindings(self.book.device.read().block).values() for b in found]
        for binding in every:
            if binding.id == binding_id:
                return binding
        listed = ", ".join(b.id for b in every[:10]) or "none"
        raise NotFound(
            f"There is no binding {binding_id!r}. There is: {listed}.",
            details={"binding": binding_id, "candidates": [{"id": b.id} for b in every]},
        )

    def _shown_binding(self, now: Content, binding_id: str) -> views.BindingView:
        return shown_binding(self._binding(binding_id), now.revision)

    def _file_of(self, server: StoredServer) -> ServerFile:
        return self.book.device if server.root is None else self.book.workspace_file(server.root)

    def _raw(self, server: StoredServer) -> Mapping[str, Any]:
        return _entry(self._file_of(server).read(), server.name)

    def _changed(self, server: str | None) -> None:
        self.book.tell()
        self._publish("servers_did_change", {} if server is None else {"server": server})

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if await asyncio.to_thread(self.book.look):
                self._publish("servers_did_change", {})


def _path(workspace: str | None) -> Path | None:
    return None if workspace is None else Path(workspace).expanduser().resolve()


def _entry(content: Content, server: str) -> dict[str, Any]:
    entry = content.servers.get(server)
    return dict(cast("dict[str, Any]", entry)) if isinstance(entry, dict) else {}


def _block(content: Content, server: str) -> dict[str, Any]:
    blocks = content.block.get("servers")
    block = cast("dict[str, Any]", blocks).get(server) if isinstance(blocks, dict) else None
    return dict(cast("dict[str, Any]", block)) if isinstance(block, dict) else {}


def _with_block(text: str, server: str, block: Mapping[str, Any]) -> str:
    path = [OURS, "servers", server]
    return put(text, path, dict(block)) if block else drop(text, path)


def _bindings(content: Content, server: str) -> Sequence[Binding]:
    return read_bindings(content.block).get(server, [])


def _nothing() -> dict[str, Any]:
    return {}


def _new_binding(name: str, entry: Mapping[str, Any], given: Mapping[str, Any]) -> Binding:
    target, enabled = given.get("target", DEVICE), given.get("enabled", True)
    overrides: Any = given.get("overrides") or {}
    if odd := given.keys() - {"target", "enabled", "overrides"}:
        raise wrong("bindings", f"A binding has target, enabled and overrides, and no {min(odd)}.")
    if not isinstance(target, str) or not isinstance(enabled, bool) or not isinstance(overrides, Mapping):
        raise wrong("bindings", "A binding has a target (device or a folder), enabled (true or false) and overrides.")
    if target != DEVICE:
        if not Path(target).expanduser().is_dir():
            raise wrong("bindings", f"There is no folder {target}. A binding's target is device, or a workspace.")
        target = str(Path(target).expanduser().resolve())
    kept = changing.checked_overrides(entry, name, cast("Mapping[str, Any]", overrides)) if overrides else {}
    return Binding(name, target, enabled, kept)


def _once(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))
