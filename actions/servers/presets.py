"""Well-known servers, as data (``presets.toml``), ready to be added."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from actions.catalog.server_views import PresetView

_FILE = Path(__file__).with_name("presets.toml")
_DEFINED = ("command", "args", "cwd", "url", "transport", "env", "headers")


def presets(language: str = "en") -> Iterator[PresetView]:
    """All of them, in the file's order, with their texts in ``language``."""
    with _FILE.open("rb") as file:
        rows = tomllib.load(file)
    for name, row in rows.items():
        said: dict[str, str] = row["description"]
        yield PresetView(
            id=name,
            title=row["title"],
            description=said.get(language, said["en"]),
            homepage=row["homepage"],
            definition={"name": name, "title": row["title"], **{key: row[key] for key in _DEFINED if key in row}},
            asks=row.get("asks", []),
        )
