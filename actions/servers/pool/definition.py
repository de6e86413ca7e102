"""What a server is: how it is started or reached, and how long it may take."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from actions.storage.secrets import Secret

PACKAGE_RUNNERS = frozenset({"npx", "uvx", "bunx", "pnpx", "pnpm", "yarn", "npm", "uv", "pipx", "docker", "podman"})
"""Commands that may fetch a package before the server starts; they get twice the time to connect."""


@dataclass(frozen=True, slots=True)
class SecretRef:
    """A secret by name. Its value is resolved when the server starts and is never kept in the definition.

    ``before`` and ``after`` stand around it, as ``Bearer `` does in a header.
    """

    name: str
    before: str = ""
    after: str = ""


Value = str | Secret | SecretRef
"""A value of an environment variable or a header; a :class:`Secret` or a reference never shows in text."""
SecretSource = Callable[[str], Secret | None]
"""Gives the secret of a name. May block (a keyring may ask to be unlocked): it is called in a thread."""
_NOTHING: Mapping[str, Value] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds. ``idle`` is the silence that a call survives: each progress note begins it anew. ``hard`` ends a call
    whatever the server says; None is ten times ``idle``. ``connect`` None is 30, or 60 for a package runner."""

    connect: float | None = None
    idle: float = 60.0
    hard: float | None = None

    @property
    def call(self) -> float:
        """The longest that a call may take."""
        return self.idle * 10 if self.hard is None else self.hard


@dataclass(frozen=True, slots=True)
class Stdio:
    """A server that is a process of ours. ``env`` is added to the variables that every server gets."""

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, Value] = field(default_factory=lambda: _NOTHING)
    cwd: Path | None = None

    @property
    def runs_packages(self) -> bool:
        """Whether the command may have to fetch the server first."""
        return os.path.basename(self.command).removesuffix(".cmd").removesuffix(".exe") in PACKAGE_RUNNERS  # noqa: PTH119 - a command, not a path


@dataclass(frozen=True, slots=True)
class Http:
    """A server that is reached by URL: streamable HTTP, or the older SSE transport."""

    url: str
    headers: Mapping[str, Value] = field(default_factory=lambda: _NOTHING)
    transport: Literal["http", "sse"] = "http"
    oauth: OAuthClient | None = None


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A client that was registered by hand with the server's provider; without one, a login registers its own."""

    client_id: str
    client_secret: Value | None = None
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerDefinition:
    """One MCP server under the name by which the user knows it."""

    name: str
    transport: Stdio | Http
    limits: Limits = Limits()

    @property
    def connect_limit(self) -> float:
        """Seconds from the start to the answered list of tools."""
        if self.limits.connect is not None:
            return self.limits.connect
        return 60.0 if isinstance(self.transport, Stdio) and self.transport.runs_packages else 30.0
