"""The settings that the window itself obeys: read at the start, and followed when they change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actions.storage.declarations import CONTRAST, FONT_SIZE, LANGUAGE, REDUCED_MOTION, SCALE, THEME
from actions.storage.paths import Paths
from actions.storage.settings import SettingsFile
from desktop.theme.colors import SchemeName
from desktop.theme.theme import Theme


@dataclass(frozen=True)
class Preferences:
    """Language and look; ``problem`` says what is wrong with the file, if anything."""

    language: str
    theme: SchemeName
    high_contrast: bool = False
    font_size: float = 0
    reduced_motion: bool = False
    problem: str = ""


def read_preferences(paths: Paths, *, language: str | None = None, theme: str | None = None) -> Preferences:
    """Settings, beaten by what the command line says. A broken file means defaults and a ``problem``."""
    settings = SettingsFile(paths.settings_file).load()
    return Preferences(
        language=language or settings.get(LANGUAGE),
        theme=SchemeName(theme or settings.get(THEME)),
        high_contrast=settings.get(CONTRAST) == "high",
        font_size=settings.get(FONT_SIZE),
        reduced_motion=settings.get(REDUCED_MOTION),
        problem=settings.problems[0].message if settings.problems else "",
    )


def obey_look(theme: Theme, values: Mapping[str, Any]) -> None:
    """Take what changed of the look, by the settings' keys; the rest of ``values`` is passed over."""
    if THEME.key in values:
        theme.choose(SchemeName(values[THEME.key]))
    if CONTRAST.key in values:
        theme.set_contrast(high=values[CONTRAST.key] == "high")
    if FONT_SIZE.key in values:
        theme.set_size(float(values[FONT_SIZE.key]))
    if REDUCED_MOTION.key in values:
        theme.set_motion(reduced=bool(values[REDUCED_MOTION.key]))


def scale_window(paths: Paths) -> None:
    """Enlarge everything as the settings say; Qt reads it once, before there is an application.

    An environment that names a factor of its own keeps it.
    """
    scale = SettingsFile(paths.settings_file).load().get(SCALE)
    if scale != 100:
        os.environ.setdefault("QT_SCALE_FACTOR", f"{scale / 100:g}")
