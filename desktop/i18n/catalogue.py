"""The translation files as data, for the update and its test."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

FOLDER = Path(__file__).parent
_DESKTOP = FOLDER.parent
_FOREIGN = _DESKTOP / "demo" / "repository"  # an example project, not part of the window


def sources() -> list[Path]:
    """Every module that may hold texts."""
    return sorted(path for path in _DESKTOP.rglob("*.py") if _FOREIGN not in path.parents)


def messages(catalogue: Path) -> dict[tuple[str, str], str]:
    """Translation by context and source text; "" where there is none."""
    found: dict[tuple[str, str], str] = {}
    for context in ElementTree.parse(catalogue).getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            translation = message.find("translation")
            done = translation is not None and translation.get("type") != "unfinished"
            found[name, message.findtext("source") or ""] = (
                (translation.text or "") if done and translation is not None else ""
            )
    return found


def untranslated(catalogue: Path) -> list[str]:
    return [f"{context}: {source}" for (context, source), text in messages(catalogue).items() if not text]
