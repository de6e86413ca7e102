"""settings.toml: typed, commented, mended by hand, never overwritten when broken."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from actions.errors import InvalidInput, SaysoError
from actions.storage import declarations as d
from actions.storage.overrides import ActionOverride
from actions.storage.settings import SettingsFile, template


@pytest.fixture
def settings(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "settings.toml")


def test_a_missing_file_is_all_defaults(settings: SettingsFile) -> None:
    loaded = settings.load()
    assert loaded.get(d.HOST_IDLE_SECONDS) == 600
    assert loaded.get(d.THEME) == "system"
    assert loaded.problems == ()


def test_the_generated_file_is_commented_and_says_the_defaults(settings: SettingsFile) -> None:
    settings.ensure()
    text = settings.file.read_text()
    for setting in d.SETTINGS.values():
        assert setting.description in text
    assert not any(isinstance(v, dict) and any(v.values()) for v in tomllib.loads(text).values())
    switched_on = "\n".join(
        line[2:] if " = " in line and line.startswith("# ") and not line.startswith("# [") else line
        for line in text.split("# Single actions")[0].splitlines()
    )
    values = tomllib.loads(switched_on)
    for setting in d.SETTINGS.values():
        table, name = setting.key.split(".")
        assert values[table][name] == setting.default, setting.key


def test_a_value_is_stored_and_comments_stay(settings: SettingsFile) -> None:
    settings.file.write_text('# mine\n[host]\nidle_seconds = 5 # short\nunknown = "kept"\n')
    loaded = settings.set(d.HOST_IDLE_SECONDS, 30)
    assert loaded.get(d.HOST_IDLE_SECONDS) == 30
    settings.set(d.THEME, "dark")
    text = settings.file.read_text()
    assert "# mine" in text
    assert "idle_seconds = 30 # short" in text
    assert 'unknown = "kept"' in text
    settings.set(d.THEME, None)
    assert settings.load().get(d.THEME) == "system"


def test_a_first_write_makes_the_commented_file(settings: SettingsFile) -> None:
    settings.set(d.LANGUAGE, "zh")
    assert settings.load().get(d.LANGUAGE) == "zh"
    assert d.THEME.description in settings.file.read_text()


@pytest.mark.parametrize(
    ("setting", "value"),
    [(d.THEME, "pink"), (d.HOST_IDLE_SECONDS, 0), (d.VOICE_KEEP_AUDIO, "yes"), (d.FONT_SIZE, True)],
)
def test_a_value_that_does_not_fit_is_named(settings: SettingsFile, setting: d.Setting[str], value: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        settings.set(setting, value)
    assert refused.value.details["fields"][0]["field"] == setting.key
    assert not settings.file.exists()


def test_a_broken_file_is_reported_by_line_and_never_overwritten(settings: SettingsFile) -> None:
    broken = "[host]\nidle_seconds = 5\n[voice\nmode = 1\n"
    settings.file.write_text(broken)
    loaded = settings.load()
    assert loaded.get(d.HOST_IDLE_SECONDS) == 600
    (problem,) = loaded.problems
    assert problem.line == 3
    assert "line 3" in problem.message
    assert str(settings.file) in problem.message
    with pytest.raises(SaysoError, match="line 3"):
        settings.set(d.THEME, "dark")
    assert settings.file.read_text() == broken


def test_bytes_that_are_no_text_are_reported(settings: SettingsFile) -> None:
    settings.file.write_bytes(b"[host]\nname = '\xff\xfe'\n")
    (problem,) = settings.load().problems
    assert problem.line == 2


def test_one_wrong_value_spoils_no_other(settings: SettingsFile) -> None:
    settings.file.write_text('[host]\nidle_seconds = "long"\n[appearance]\ntheme = "dark"\n')
    loaded = settings.load()
    assert loaded.get(d.THEME) == "dark"
    assert loaded.get(d.HOST_IDLE_SECONDS) == 600
    assert "host.idle_seconds must be a whole number" in loaded.problems[0].message


def test_overrides_of_device_and_workspace(settings: SettingsFile) -> None:
    settings.file.write_text(
        '[actions."review.start"]\nenabled = false\napproval.cli = "always"\nexposure.mcp = "direct"\n'
        "surfaces.voice = false\n"
        '[actions."from.the.future"]\nenabled = true\n'
        '[workspaces."/home/me/a b".actions."session.stop"]\napproval.mcp = "never"\napproval.ui = "default"\n'
    )
    loaded = settings.load()
    assert loaded.problems == ()
    assert loaded.device["review.start"] == ActionOverride(
        enabled=False, approval={"cli": "always"}, exposure={"mcp": "direct"}, surfaces={"voice": False}
    )
    assert loaded.device["from.the.future"].enabled is True
    assert loaded.workspaces["/home/me/a b"]["session.stop"].approval == {"mcp": "never"}


def test_a_slip_of_the_pen_gives_less_not_more(settings: SettingsFile) -> None:
    settings.file.write_text(
        '[actions."a.b"]\nenabled = "no"\napproval.mcp = "allways"\nexposure.mcp = "diret"\nsurfaces.mcp = "off"\n'
        '[actions]\n"c.d" = 3\n'.replace("[actions]\n", "")
    )
    loaded = settings.load()
    assert loaded.device["a.b"] == ActionOverride(
        enabled=False, approval={"mcp": "always"}, exposure={"mcp": "discoverable"}, surfaces={"mcp": False}
    )
    assert len(loaded.problems) == 4


def test_an_override_is_set_and_taken_away(settings: SettingsFile) -> None:
    settings.set_override("review.start", ("enabled",), False)
    settings.set_override("review.start", ("approval", "cli"), "always")
    loaded = settings.set_override("review.start", ("enabled",), True, workspace="/w")
    assert loaded.device["review.start"] == ActionOverride(enabled=False, approval={"cli": "always"})
    assert loaded.workspaces["/w"]["review.start"].enabled is True
    settings.set_override("review.start", ("enabled",), None)
    loaded = settings.set_override("review.start", ("approval", "cli"), "default")
    assert dict(loaded.device) == {}
    with pytest.raises(InvalidInput, match="one of default, always, never"):
        settings.set_override("review.start", ("approval", "cli"), "sometimes")


def test_two_settings_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        d.collect([d.THEME, d.Setting(d.THEME.key, "x", "Another.")])


def test_a_linked_file_stays_a_link(settings: SettingsFile, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text(template())
    settings.file.symlink_to(real)
    settings.set(d.THEME, "dark")
    assert settings.file.is_symlink()
    assert 'theme = "dark"' in real.read_text()
