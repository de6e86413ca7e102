"""What the window takes from the settings before it is drawn."""

import os
from pathlib import Path

import pytest

from actions.storage.declarations import CONTRAST, FONT_SIZE, SCALE
from actions.storage.paths import Paths
from actions.storage.settings import SettingsFile
from desktop.app.preferences import read_preferences, scale_window


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path))
    monkeypatch.delenv("QT_SCALE_FACTOR", raising=False)
    found = Paths.from_environment()
    found.ensure()
    return found


def test_the_look_is_read_before_the_window_is_drawn(paths: Paths) -> None:
    file = SettingsFile(paths.settings_file)
    file.set(CONTRAST, "high")
    file.set(FONT_SIZE, 14)
    preferences = read_preferences(paths)
    assert (preferences.high_contrast, preferences.font_size) == (True, 14)


@pytest.mark.parametrize(("percent", "factor"), [(100, None), (125, "1.25"), (200, "2"), (300, "3")])
def test_the_scale_is_given_to_qt(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, percent: int, factor: str | None
) -> None:
    SettingsFile(paths.settings_file).set(SCALE, percent)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    scale_window(paths)
    assert os.environ.get("QT_SCALE_FACTOR") == factor


def test_a_factor_of_the_environment_is_kept(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    SettingsFile(paths.settings_file).set(SCALE, 200)
    monkeypatch.setenv("QT_SCALE_FACTOR", "1.5")
    scale_window(paths)
    assert os.environ["QT_SCALE_FACTOR"] == "1.5"
