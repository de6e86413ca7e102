"""What an import would do, and how each server of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from actions.catalog.secrecy import is_secret, veiled_args, veiled_url, veiled_values
from actions.catalog.server_views import FoundServer, FoundServers
from actions.servers.advice import split_line, warnings_on
from actions.servers.files.entry import BadEntry, Read, read_entry
from actions.servers.imports.found import Found, Unread
from actions.servers.values import MissingValue, expanded

Status = Literal["new", "same", "conflict", "unsupported"]


@dataclass(frozen=True, slots=True)
class Step:
    """One server: what was found, what our file has under its name, and what would be read from its entry."""

    found: Found
    status: Status
    read: Read | None
    why: str | None = None

    def shown(
        self, environ: Mapping[str, str], *, status: str | None = None, saved_as: str | None = None
    ) -> FoundServer:
        """The row of a list. No value that looks like a secret is in it."""
        found, entry = self.found, self.found.entry
        env: dict[str, str] = entry.get("env", {})
        headers: dict[str, str] = entry.get("headers", {})
        return FoundServer(
            name=found.name,
            transport=_transport(entry),
            status=status or self.status,
            warnings=[*([f"Not taken over: {self.why}."] if self.why else []), *self._warnings()],
            client=found.client,
            file=None if found.file is None else str(found.file),
            scope=found.scope if found.project is None else f"project {found.project}",
            enabled=found.enabled,
            command=veiled_args([entry["command"], *entry.get("args", [])]) if "command" in entry else [],
            cwd=entry.get("cwd"),
            url=veiled_url(entry["url"]) if "url" in entry else None,
            env=veiled_values(env),
            headers=veiled_values(headers),
            secrets=sorted(name for values in (env, headers) for name, text in values.items() if is_secret(name, text)),
            missing=self._missing(environ),
            prompts={one.id: one.prompt for one in found.asked if one.prompt},
            ignored=list(found.ignored),
            saved_as=saved_as,
        )

    def _warnings(self) -> list[str]:
        entry = self.found.entry
        said = [*self.found.warnings]
        command = entry.get("command")
        if isinstance(command, str) and " " in command and not entry.get("args"):
            said.append(f"The command is a whole line; with arguments it would be: {split_line(command)}.")
        # Secrets go into the store with the import: that they stand in plain text is told by `secrets`
        if self.read is not None:
            said += [text for text in warnings_on(self.read.definition) if "plain text" not in text]
        return said

    def _missing(self, environ: Mapping[str, str]) -> list[str]:
        missing = [one.id for one in self.found.asked]
        stands = {one.stands.removeprefix("${").removesuffix("}") for one in self.found.asked}
        if self.read is not None:
            try:
                expanded(self.read.definition, environ, workspace=self.found.project)
            except MissingValue as error:
                missing += [name for name in error.names if name not in (*stands, "workspaceFolder")]
        return missing


@dataclass(frozen=True)
class Plan:
    """Everything that was found, in order, and the configurations that could not be read."""

    steps: tuple[Step, ...]
    unread: tuple[Unread, ...]
    environ: Mapping[str, str]

    def shown(self) -> FoundServers:
        """Before anything is done."""
        return FoundServers(
            servers=[step.shown(self.environ) for step in self.steps],
            problems=[unread.as_json() for unread in self.unread],
        )


def step_of(found: Found, existing: Mapping[str, Any], same: Callable[[Mapping[str, Any], object], bool]) -> Step:
    """What an import of ``found`` would do, beside what our file has (``existing``, by name)."""
    if found.unsupported is not None:
        return Step(found, "unsupported", None, found.unsupported)
    if not found.name.strip() or len(found.name) > 128 or not found.name.isprintable():
        return Step(found, "unsupported", None, "its name cannot be used")
    try:
        read = read_entry(found.name, found.entry, found.block)
    except BadEntry as error:
        return Step(found, "unsupported", None, str(error))
    if found.name not in existing:
        return Step(found, "new", read)
    return Step(found, "same" if same(found.entry, existing[found.name]) else "conflict", read)


def _transport(entry: Mapping[str, Any]) -> str:
    if "command" in entry:
        return "stdio"
    return str(entry.get("type", "unknown"))
