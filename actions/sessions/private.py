"""What is written and set for one session of an agent: its private folder, never the user's own files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from actions.sessions.provider import Provider, SecretName

_QUOTED = (".json", ".jsonc", ".toml")
"""Files whose strings are written as JSON writes them."""


@dataclass(frozen=True, slots=True)
class PrivateFolder:
    """The folder of one session: 0700, made when a row has files, removed when its agent ends."""

    path: Path
    workspace: Path

    def fill(self, provider: Provider) -> None:
        """Write the files of the row, afresh. Raises OSError."""
        self.remove()
        for name, text in provider.files.items():
            file = self.path / name
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            for folder in reversed(file.relative_to(self.path).parents):
                (self.path / folder).mkdir(exist_ok=True, mode=0o700)
            content = self.text(text, quoted=file.suffix in _QUOTED)
            with open(file, "x", encoding="utf-8", opener=_private) as stream:
                stream.write(content)

    def variables(self, provider: Provider, *, trusted: bool) -> Mapping[str, str | SecretName]:
        """The variables of the row, with its placeholders filled in."""
        given = {**provider.env, **(provider.trusted_env if trusted else {})}
        return {name: self.text(value) if isinstance(value, str) else value for name, value in given.items()}

    def text(self, template: str, *, quoted: bool = False) -> str:
        """A template with its placeholders filled in; ``quoted``: inside JSON strings."""
        for name, value in (("{private}", str(self.path)), ("{workspace}", str(self.workspace))):
            template = template.replace(name, json.dumps(value)[1:-1] if quoted else value)
        return template

    def remove(self) -> None:
        """Remove it with all that is in it, if it is there."""
        shutil.rmtree(self.path, ignore_errors=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
