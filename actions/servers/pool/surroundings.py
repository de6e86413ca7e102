"""What a pool is given by the process that it runs in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from actions.servers.pool.definition import SecretSource
from actions.servers.pool.eras import Eras
from actions.servers.pool.starts import Starts
from actions.storage.secrets import Secret, SecretStore


def _no_secrets(name: str) -> Secret | None:
    return None


@dataclass(frozen=True)
class Surroundings:
    """``environ`` is ours, of which servers get a part; ``secrets`` resolves references.

    ``tokens`` opens the store of logins, in a thread (None: nobody can log in). ``cwd`` is where a server without a
    folder of its own starts. ``logs`` is the folder for stderr files. ``roots`` are told to servers that ask. ``eras``
    remembers which servers speak the handshake era only. ``starts`` is shared by pools whose processes start in turns.
    """

    environ: Mapping[str, str]
    secrets: SecretSource = _no_secrets
    tokens: Callable[[], SecretStore] | None = None
    cwd: Path | None = None
    logs: Path | None = None
    roots: tuple[Path, ...] = ()
    client: tuple[str, str] = ("sayso", "0")
    eras: Eras = field(default_factory=Eras)
    starts: Starts = field(default_factory=Starts)

    def stderr_file(self, server: str) -> Path | None:
        """Where the stderr of ``server`` is kept."""
        if self.logs is None:
            return None
        return self.logs / ("".join(c if c.isalnum() or c in "-_" else "_" for c in server)[:80] + ".log")
