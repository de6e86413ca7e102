"""What a pool is given by the process that it runs in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from actions.servers.pool.definition import SecretSource
from actions.storage.secrets import Secret, SecretStore


def _no_secrets(name: str) -> Secret | None:
    return None


@dataclass(frozen=True)
class Surroundings:
    """``environ`` is ours, of which servers get a part; ``secrets`` resolves references.

    ``tokens`` keeps logins (None: nobody can log in). ``cwd`` is where a server without a folder of its own starts.
    ``logs`` is the folder for stderr files. ``roots`` are told to servers that ask. ``eras`` remembers, by a server's
    fingerprint, whether it speaks the modern era.
    """

    environ: Mapping[str, str]
    secrets: SecretSource = _no_secrets
    tokens: SecretStore | None = None
    cwd: Path | None = None
    logs: Path | None = None
    roots: tuple[Path, ...] = ()
    client: tuple[str, str] = ("sayso", "0")
    eras: dict[str, bool] = field(default_factory=dict[str, bool])

    def stderr_file(self, server: str) -> Path | None:
        """Where the stderr of ``server`` is kept."""
        if self.logs is None:
            return None
        return self.logs / ("".join(c if c.isalnum() or c in "-_" else "_" for c in server)[:80] + ".log")
