"""Finding other programs' servers, and taking them over into the device's file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from actions.catalog.server_ports import Keeping, OnConflict
from actions.catalog.server_views import FoundServer, FoundServers
from actions.errors import InvalidInput, NotFound
from actions.servers.definitions import DEVICE
from actions.servers.files.book import Book
from actions.servers.files.document import OURS, SERVERS
from actions.servers.imports.dialects import DIALECTS
from actions.servers.imports.documents import Reader, Unreadable
from actions.servers.imports.filling import filled
from actions.servers.imports.found import Found, Unread
from actions.servers.imports.places import Place, client_of, places
from actions.servers.imports.plan import Plan, Step, step_of
from actions.servers.jsonc.editing import put
from actions.servers.keeping import Keeper, owner_of

_LIMIT = 8 * 1024 * 1024


class Importer:
    """Works on files: its methods are called in a thread."""

    def __init__(self, book: Book, keeper: Keeper, environ: Callable[[], Mapping[str, str]]) -> None:
        self._book = book
        self._keeper = keeper
        self._environ = environ
        self._reader = Reader(lambda server, name: f"{owner_of(server)}.{name}")

    def detect(self, workspace: Path | None) -> FoundServers:
        """The servers of every program that is set up here. Nothing is written."""
        found, unread = self._on_this_machine(None, workspace)
        return self._plan(found, unread).shown()

    def of_program(self, client: str, workspace: Path) -> list[FoundServer]:
        """The servers that a program reads from its own files when it works in ``workspace``. Nothing is written."""
        found, _ = self._on_this_machine(client, workspace)
        here = [one for one in found if one.project is None or workspace.is_relative_to(one.project)]
        return self._plan(here, []).shown().servers

    def plan(self, source: str, client: str | None, workspace: Path | None) -> Plan:
        """What an import of ``source`` would do: a program's name, a file, text, a command line or an address.

        Raises NotFound for a program or a file that is not there, InvalidInput for what holds no server.
        """
        text = source.strip()
        if text in DIALECTS:
            found, unread = self._on_this_machine(text, workspace)
            if not found and not unread:
                raise NotFound(f"{DIALECTS[text].title} has no MCP servers on this computer.", details={"client": text})
            return self._plan(found, unread)
        return self._plan(list(self._from_text_or_file(text, client)), [])

    def carry_out(
        self,
        plan: Plan,
        selection: Sequence[str],
        choice: Callable[[str], OnConflict],
        secrets: Keeping,
        *,
        target: Path | None = None,
        values: Mapping[str, str] | None = None,
    ) -> FoundServers:
        """Write what is selected, in one change of the file. Raises SaysoError when it cannot be written."""
        if unknown := sorted(set(selection) - {step.found.name for step in plan.steps}):
            listed = ", ".join(step.found.name for step in plan.steps) or "nothing"
            raise InvalidInput(
                f"There is no server {unknown[0]!r} in it. There is: {listed}.",
                [{"field": "selection", "message": f"{unknown[0]} is not in it"}],
            )
        rows: list[FoundServer] = []

        def edit(text: str) -> str:
            rows.clear()
            taken = set(self._book.device.read().servers)
            for step in plan.steps:
                status, name = _verdict(step, selection, choice, taken)
                if name is not None:
                    taken.add(name)
                    text = self._put(text, step.found, name, secrets, target, values or {})
                renamed = name if name is not None and name != step.found.name else None
                rows.append(step.shown(plan.environ, status=status, saved_as=renamed))
            return text

        before = self._book.device.read().text
        after = self._book.device.change(edit)
        self._keeper.forget(before, after.text)
        return FoundServers(servers=rows, problems=[unread.as_json() for unread in plan.unread])

    def _on_this_machine(self, client: str | None, workspace: Path | None) -> tuple[list[Found], list[Unread]]:
        found: list[Found] = []
        unread: list[Unread] = []
        for place in places(self._environ(), workspace):
            if client in (None, place.client):
                self._read(place, found, unread)
        return found, unread

    def _read(self, place: Place, found: list[Found], unread: list[Unread]) -> None:
        try:
            if not place.file.is_file():
                return
            text = _text_of(place.file)
            found += self._reader.read(text, place.client, file=place.file, scope=place.scope, project=place.project)
        except OSError as error:
            why = f"{place.file} cannot be read: {error.strerror or error}."
            unread.append(Unread(place.client, place.file, "read_failed", why))
        except (Unreadable, UnicodeDecodeError) as error:
            unread.append(Unread(place.client, place.file, "parse_failed", f"{place.file}: {_why(error)}."))

    def _from_text_or_file(self, source: str, client: str | None) -> Iterator[Found]:
        file = _file_named(source)
        if file is not None:
            try:
                found = self._reader.read(_text_of(file), client or client_of(file), file=file)
            except OSError as error:
                raise InvalidInput(
                    f"{file} cannot be read: {error.strerror or error}.", [_field(str(error))]
                ) from error
            except (Unreadable, UnicodeDecodeError) as error:
                raise InvalidInput(f"{file}: {_why(error)}.", [_field(_why(error))]) from error
        elif _looks_like_path(source):
            raise NotFound(f"There is no file {source}.", details={"path": source})
        else:
            found = self._pasted(source, client)
        if not found:
            raise InvalidInput(
                "There is no MCP server in it. Its servers should stand under mcpServers, servers, context_servers, "
                "mcp, mcp_servers or extensions.",
                [_field("holds no MCP server")],
            )
        yield from found

    def _pasted(self, text: str, client: str | None) -> list[Found]:
        one_line = "\n" not in text and not text.startswith("{")
        try:
            return self._reader.read_line(text) if one_line and client is None else self._reader.read(text, client)
        except Unreadable as error:
            raise InvalidInput(f"That cannot be read as servers: {error}.", [_field(str(error))]) from error

    def _plan(self, found: Sequence[Found], unread: Sequence[Unread]) -> Plan:
        existing = self._book.device.read().servers
        steps = tuple(step_of(one, existing, self._same) for one in found)
        return Plan(steps, tuple(unread), self._environ())

    def _same(self, entry: Mapping[str, Any], existing: object) -> bool:
        """Whether our file has just this, its secrets among ours."""
        if not isinstance(existing, dict):
            return False
        ours = dict(cast("dict[str, Any]", existing))
        for part in ("env", "headers"):
            values = ours.get(part)
            if isinstance(values, dict):
                held = cast("dict[str, Any]", values)
                wanted: dict[str, Any] = entry.get(part, {})
                ours[part] = {name: self._in_the_clear(value, wanted.get(name)) for name, value in held.items()}
        return {k: v for k, v in ours.items() if v} == {k: v for k, v in entry.items() if v}

    def _in_the_clear(self, value: object, wanted: object) -> object:
        """What a reference of ours stands for, where that is what is ``wanted``."""
        if not isinstance(value, str) or not isinstance(wanted, str) or "${secret:mcp." not in value:
            return value
        before, _, rest = value.partition("${secret:")
        name, _, after = rest.partition("}")
        secret = self._keeper.get(name)
        return wanted if secret is not None and f"{before}{secret.reveal()}{after}" == wanted else value

    def _put(
        self, text: str, found: Found, name: str, secrets: Keeping, target: Path | None, values: Mapping[str, str]
    ) -> str:
        entry = filled(found, name, values, self._keeper)
        if secrets == "keyring":
            entry = self._keeper.kept(owner_of(name), entry, [])
        text = put(text, [SERVERS, name], entry)
        text = put(text, [OURS, "servers", name], {**found.block, "imported": _origin(found)})
        where = str(target or found.project or DEVICE)
        return put(text, [OURS, "bindings", name, where], {"enabled": found.enabled})


def _verdict(
    step: Step, selection: Sequence[str], choice: Callable[[str], OnConflict], taken: set[str]
) -> tuple[str, str | None]:
    """What is said of a server, and the name to write it under; None writes nothing."""
    name = step.found.name
    if step.status == "unsupported":
        return "unsupported", None
    if selection and name not in selection:
        return "not_selected", None
    if step.status == "same":
        return "same", None
    if name not in taken:
        return "imported", name
    match choice(name):
        case "replace":
            return "replaced", name
        case "rename":
            return "renamed", next(f"{name}-{n}" for n in range(2, 10_000) if f"{name}-{n}" not in taken)
        case "skip":
            return "skipped", None


def _origin(found: Found) -> dict[str, str]:
    """Where it came from, and a hash of what was there: for a later look at what has changed."""
    digest = hashlib.sha256(repr(sorted(found.entry.items())).encode()).hexdigest()[:16]
    return {"client": found.client, **({} if found.file is None else {"file": str(found.file)}), "hash": digest}


def _text_of(file: Path) -> str:
    with file.open("rb") as source:
        data = source.read(_LIMIT + 1)
    if len(data) > _LIMIT:
        raise Unreadable("it is larger than 8 MiB")
    return data.decode("utf-8-sig")


def _file_named(source: str) -> Path | None:
    if "\n" in source or len(source) > 4096:
        return None
    try:
        file = Path(source).expanduser()
        return file if file.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _looks_like_path(source: str) -> bool:
    return "\n" not in source and " " not in source and source.endswith((".json", ".jsonc", ".toml", ".yaml", ".yml"))


def _why(error: Exception) -> str:
    return "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error).rstrip(".")


def _field(message: str) -> dict[str, str]:
    return {"field": "source", "message": message}
