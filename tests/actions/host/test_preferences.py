"""Settings as actions: typed by their declaration, kept in the file with its comments, told to who listens."""

from __future__ import annotations

import pytest

from actions.errors import InvalidInput, NotFound
from actions.host.policy_file import PolicyFile
from actions.host.preferences import Preferences
from actions.storage.settings import SettingsFile


@pytest.fixture
def told():
    return []


@pytest.fixture
def preferences(tmp_path, told):
    file = SettingsFile(tmp_path / "settings.toml")
    file.file.write_text("# mine\n")
    return Preferences(file, PolicyFile(file, (), lambda: None), lambda name, data: told.append((name, dict(data))))


def test_a_value_is_stored_in_the_type_of_its_setting_and_told(preferences, told, tmp_path):
    assert preferences.set("appearance.font_size", "13").value == 13
    assert preferences.set("notifications.done", "off").value is False
    text = (tmp_path / "settings.toml").read_text()
    assert text.startswith("# mine\n")
    assert "font_size = 13" in text
    assert told[0] == ("settings_did_change", {"key": "appearance.font_size", "value": 13})


def test_without_a_value_the_default_holds_again(preferences):
    preferences.set("appearance.theme", "dark")
    view = preferences.set("appearance.theme", None)
    assert (view.value, view.changed) == ("system", False)


def test_a_beginning_lists_all_below_it(preferences):
    preferences.set("appearance.theme", "dark")
    views = {view.key: view for view in preferences.list("appearance").settings}
    assert "voice.model" not in views
    assert views["appearance.theme"].choices == ["system", "light", "dark"]
    assert views["appearance.theme"].changed
    assert len(preferences.list().settings) > len(views)


@pytest.mark.parametrize(("key", "value"), [("appearance.theme", "pink"), ("appearance.scale", "wide")])
def test_a_value_that_does_not_fit_changes_nothing(preferences, told, key, value):
    before = preferences.list(key).settings[0].value
    with pytest.raises(InvalidInput):
        preferences.set(key, value)
    assert preferences.list(key).settings[0].value == before
    assert told == []


def test_an_unknown_key_says_where_all_are(preferences):
    with pytest.raises(NotFound, match="sayso settings get"):
        preferences.set("appearance.colour", "red")
    with pytest.raises(NotFound):
        preferences.list("nothing")
