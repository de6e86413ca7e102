"""What is known of the user's servers: each with its file, the binding that decides here, and a hash of what it runs.

A definition is kept as it is written: ``${VAR}`` stands in it as text and a secret as a reference.
:func:`actions.servers.values.expanded` makes of it what the client pool starts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from actions.servers.pool.definition import Http, SecretRef, ServerDefinition, Stdio, Value
from actions.storage.secrets import Secret

DEVICE = "device"
"""The target of a binding that holds in all workspaces of this device."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Scope(StrEnum):
    """Where the definition in force comes from; an override is one of the others with a binding's changes."""

    DEVICE = "device"
    WORKSPACE = "workspace"
    OVERRIDE = "override"


class Standing(StrEnum):
    """Why a server is on or off here, before trust and before it was ever started."""

    ACTIVE = "active_by_default"
    BINDING_DISABLED = "binding_disabled"
    NOT_BOUND = "not_bound"
    ELSEWHERE = "not_available_here"
    INVALID = "invalid_definition"
    MISSING_VALUE = "missing_value"


@dataclass(frozen=True, slots=True)
class Binding:
    """A server is on or off on the device (``target`` is :data:`DEVICE`) or in one workspace (its absolute folder).

    ``overrides`` change the definition there: ``command``, ``args``, ``cwd``, ``url`` replace; ``env`` and ``headers``
    are patched, null takes a name out. ``implied``: not written down, a workspace's file binds what it defines.
    """

    server: str
    target: str
    enabled: bool = True
    overrides: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    implied: bool = False

    @property
    def id(self) -> str:
        """``server@target``; a server has at most one binding a target."""
        return f"{self.server}@{self.target}"


@dataclass(frozen=True, slots=True)
class StoredServer:
    """One server as it is in a workspace (or on the device).

    ``definition`` is None where the entry does not make one; ``problem`` then says why, in words. ``root`` is the
    workspace whose own file defines it: what is there runs only after the user trusted it. ``revision`` is that of
    ``source``, its file. ``enabled`` is what the winning ``binding`` says; it says nothing of ``problem`` or trust.
    """

    name: str
    scope: Scope
    definition: ServerDefinition | None
    enabled: bool
    revision: str
    content_hash: str
    source: Path
    root: Path | None = None
    binding: Binding | None = None
    bindings: tuple[Binding, ...] = ()
    standing: Standing = Standing.NOT_BOUND
    problem: str | None = None
    title: str | None = None
    line: int = 0
    through_sayso: bool = False
    """The user wants each call of it to go through Sayso, also from an agent that could connect to it itself."""


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that cannot be read as it is; nothing of it is in force, and nothing writes to it."""

    file: Path
    line: int
    message: str


class ServerBook(Protocol):
    """The user's servers, read from their files; edits by hand are seen at the next call."""

    def effective(self, workspace: Path | None) -> tuple[StoredServer, ...]:
        """Every server that is known in ``workspace``, on or off, by name; without one, those of the device.

        Reads files: call it in a thread.
        """
        ...

    def problems(self, workspace: Path | None) -> tuple[FileProblem, ...]:
        """The files that are broken now."""
        ...

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of each change, ours or by hand; gives the way to stop it."""
        ...


def content_hash(definition: ServerDefinition) -> str:
    """A hash over all that decides what runs and what it is given.

    Transport, command, argv, folder, URL; names and values of environment and headers (a secret counts by its
    reference); the login's client. Limits and the name do not count.
    """
    transport = definition.transport
    if isinstance(transport, Stdio):
        content: dict[str, Any] = {
            "transport": "stdio",
            "command": transport.command,
            "args": list(transport.args),
            "cwd": None if transport.cwd is None else str(transport.cwd),
            "env": _digests(transport.env),
        }
    else:
        content = {
            "transport": transport.transport,
            "url": transport.url,
            "headers": _digests(transport.headers),
            "oauth": _client(transport),
        }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _client(http: Http) -> dict[str, Any] | None:
    if http.oauth is None:
        return None
    secret = http.oauth.client_secret
    return {
        "client_id": http.oauth.client_id,
        "client_secret": None if secret is None else _digest(secret),
        "scopes": list(http.oauth.scopes),
    }


def _digests(values: Mapping[str, Value]) -> dict[str, str]:
    return {name: _digest(value) for name, value in values.items()}


def _digest(value: Value) -> str:
    if isinstance(value, SecretRef):
        return f"secret:{value.before}\0{value.name}\0{value.after}"
    return hashlib.sha256((value.reveal() if isinstance(value, Secret) else value).encode()).hexdigest()
