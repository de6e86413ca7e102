"""The settings that the window itself reads at start."""

from __future__ import annotations

from dataclasses import dataclass

from actions.storage.declarations import LANGUAGE, THEME
from actions.storage.paths import Paths
from actions.storage.settings import SettingsFile
from desktop.theme.colors import SchemeName


@dataclass(frozen=True)
class Preferences:
    """Language and scheme; ``problem`` says what is wrong with the file, if anything."""

    language: str
    theme: SchemeName
    problem: str = ""


def read_preferences(paths: Paths, *, language: str | None = None, theme: str | None = None) -> Preferences:
    """Settings, beaten by what the command line says. A broken file means defaults and a ``problem``."""
    settings = SettingsFile(paths.settings_file).load()
    return Preferences(
        language=language or settings.get(LANGUAGE),
        theme=SchemeName(theme or settings.get(THEME)),
        problem=settings.problems[0].message if settings.problems else "",
    )
