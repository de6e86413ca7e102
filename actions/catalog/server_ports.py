"""The port of the user's MCP servers: definitions, bindings, import, test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from actions.catalog import server_views as s

Where = Literal["device", "workspace"]
Keeping = Literal["keyring", "literal"]
OnConflict = Literal["skip", "rename", "replace"]


class ServersPort(Protocol):
    """The user's servers, in the files that they are kept in. ``workspace`` is a folder.

    A change raises ``stale``, with what is different, when ``expected_revision`` is not the file's any more, and
    ``failed``, with the line, when the file is broken.
    """

    async def list(self, *, include_disabled: bool = True, workspace: str | None = None) -> s.ServerList: ...

    async def read(self, server: str, *, workspace: str | None = None) -> s.ServerView: ...

    async def create(
        self,
        definition: Mapping[str, Any],
        *,
        bindings: Sequence[Mapping[str, Any]] = (),
        where: Where = "device",
        workspace: str | None = None,
        secrets: Keeping = "keyring",
        expected_revision: str | None = None,
    ) -> s.ServerView: ...

    async def update(
        self,
        server: str,
        changes: Mapping[str, Any],
        *,
        workspace: str | None = None,
        secrets: Keeping = "keyring",
        expected_revision: str | None = None,
    ) -> s.ServerView:
        """Change fields of a definition; null takes one out. ``env`` and ``headers`` are changed name by name."""
        ...

    async def delete(
        self, server: str, *, remove_bindings: bool, workspace: str | None = None, expected_revision: str | None = None
    ) -> None:
        """Raises ``invalid_input`` when it has bindings that are not to be removed."""
        ...

    async def test(
        self, server: str | None, draft: Mapping[str, Any] | None, *, workspace: str | None = None
    ) -> s.ServerTest: ...

    async def detect(self, *, workspace: str | None = None) -> s.FoundServers:
        """The servers of other programs on this machine; nothing is written."""
        ...

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
    ) -> s.FoundServers:
        """Import from a program by its name, a file, or text; an empty ``selection`` is all.

        ``values`` are what a configuration does not hold, by the names under which ``missing`` lists them.
        """
        ...

    async def add_binding(
        self,
        server: str,
        target: str,
        *,
        enabled: bool,
        overrides: Mapping[str, Any] | None = None,
        expected_revision: str | None = None,
    ) -> s.BindingView:
        """Add a binding, or replace the one that the server has for this target."""
        ...

    async def edit_binding(
        self, binding: str, changes: Mapping[str, Any], *, expected_revision: str | None = None
    ) -> s.BindingView: ...

    async def remove_binding(self, binding: str, *, expected_revision: str | None = None) -> None: ...

    async def presets(self, language: str = "en") -> s.PresetList: ...

    async def proof(self, server: str, *, workspace: str | None = None) -> Mapping[str, Any]:
        """What must be the same when a request to change a server is approved."""
        ...
