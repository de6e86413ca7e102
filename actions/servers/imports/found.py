"""A server as it was found in another program's configuration, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Scope = Literal["user", "project"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A value that the configuration does not hold: the user, a file or another program's keyring has it.

    ``id`` is what the configuration calls it (``input:token``), ``stands`` the reference that is there in its stead.
    """

    id: str
    prompt: str = ""
    secret: bool = True
    stands: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """One server. ``entry`` is a standard entry with our ``${…}``; ``block`` is what else we keep of it.

    ``ignored`` are switches that are never taken over. ``unsupported`` says why nothing can be made of it.
    """

    name: str
    client: str
    entry: Mapping[str, Any] = field(default_factory=dict[str, Any])
    block: Mapping[str, Any] = field(default_factory=dict[str, Any])
    file: Path | None = None
    scope: Scope = "user"
    project: Path | None = None
    enabled: bool = True
    asked: tuple[Asked, ...] = ()
    warnings: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    unsupported: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A configuration that could not be read; ``code`` is ``read_failed`` or ``parse_failed``."""

    client: str
    file: Path | None
    code: Literal["read_failed", "parse_failed"]
    message: str

    def as_json(self) -> dict[str, str]:
        """For views."""
        named = {} if self.file is None else {"file": str(self.file)}
        return {"client": self.client, **named, "code": self.code, "message": self.message}
