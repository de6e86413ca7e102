"""Which model, where, with which key."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from actions.agent.model.choice import Agreed, choose, chosen, key_of
from actions.agent.model.keys import find_key
from actions.agent.model.ref import ModelRef, Wire, is_loopback, parse_ref
from actions.errors import InvalidInput
from actions.storage.declarations import AGENT_MODEL
from actions.storage.paths import Paths
from actions.storage.secrets import FileStore, Secret
from actions.storage.settings import SettingsFile

LOCAL = ModelRef("openai-compatible", "small", "http://127.0.0.1:8080/v1", "loopback")


@pytest.mark.parametrize(
    ("text", "provider", "name", "url", "wire"),
    [
        ("openai:gpt-5.2", "openai", "gpt-5.2", None, "responses"),
        ("openai-chat:gpt-5.2", "openai-chat", "gpt-5.2", None, "chat"),
        ("anthropic:claude-sonnet-5", "anthropic", "claude-sonnet-5", None, "anthropic"),
        ("google:gemini-2.5-pro", "google", "gemini-2.5-pro", None, "gemini"),
        ("ollama:qwen3:8b", "ollama", "qwen3:8b", None, "chat"),
        (
            " openai-compatible:x/y@http://127.0.0.1:8080/v1 ",
            "openai-compatible",
            "x/y",
            "http://127.0.0.1:8080/v1",
            "chat",
        ),
        ("openai:m@https://proxy.example.org/v1", "openai", "m", "https://proxy.example.org/v1", "chat"),
        ("openai:m@https://api.openai.com/v1", "openai", "m", "https://api.openai.com/v1", "responses"),
        ("ollama:user@name", "ollama", "user@name", None, "chat"),
    ],
)
def test_a_reference_is_read(text: str, provider: str, name: str, url: str | None, wire: Wire) -> None:
    ref = parse_ref(text)
    assert (ref.provider, ref.name, ref.base_url, ref.wire) == (provider, name, url, wire)
    assert str(ref) == f"{provider}:{name}"


@pytest.mark.parametrize("text", ["", "gpt-5", "openai:", "nobody:model", ":x", "openai: @http://x"])
def test_a_bad_reference_says_how_to_write_one(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_ref(text)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost:1", True),
        ("http://[::1]:1", True),
        ("http://127.0.0.1.evil.example:1", False),
        ("http://127.evil.example", False),
        ("http://10.0.0.1:1", False),
        ("https://localhost.example.org", False),
        ("http://user@127.0.0.1:80@evil.example/", False),
    ],
)
def test_loopback_is_loopback(url: str, local: bool) -> None:
    assert is_loopback(url) is local


def test_the_environment_comes_first_then_the_setting_then_the_yes(tmp_path: Path) -> None:
    agreed = Agreed(tmp_path / "agreed.json")
    assert choose({}, "", agreed) is None
    agreed.add(LOCAL)
    assert choose({}, "", agreed) == LOCAL
    setting = choose({}, "ollama:qwen3", agreed)
    assert setting is not None
    assert (str(setting), setting.origin) == ("ollama:qwen3", "setting")
    both = choose({"SAYSO_AGENT_MODEL": "anthropic:claude"}, "ollama:qwen3", agreed)
    assert both is not None
    assert (str(both), both.origin) == ("anthropic:claude", "environment")


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai:x", "OPENAI_BASE_URL"),
        ("openai-responses:x", "OPENAI_BASE_URL"),
        ("anthropic:x", "ANTHROPIC_BASE_URL"),
        ("google:x", "GOOGLE_GEMINI_BASE_URL"),
        ("ollama:x", "OLLAMA_BASE_URL"),
    ],
)
def test_the_vendors_own_variables_name_the_address(model: str, variable: str) -> None:
    ref = choose({"SAYSO_AGENT_MODEL": model, variable: "http://127.0.0.1:5/v1"})
    assert ref is not None
    assert ref.base_url == "http://127.0.0.1:5/v1"


def test_ollama_is_on_this_machine_unless_somebody_says_otherwise() -> None:
    ref = choose({}, "ollama:qwen3")
    assert ref is not None
    assert (ref.base_url, ref.local) == ("http://127.0.0.1:11434/v1", True)


def test_a_bad_variable_is_an_error_not_the_next_choice() -> None:
    with pytest.raises(InvalidInput):
        choose({"SAYSO_AGENT_MODEL": "gpt-5"}, "ollama:qwen3")


def test_a_yes_is_kept_privately_and_taken_back(tmp_path: Path) -> None:
    agreed = Agreed(tmp_path / "agent" / "agreed.json")
    other = ModelRef("ollama", "qwen3", "http://127.0.0.1:11434/v1", "loopback")
    agreed.add(LOCAL)
    agreed.add(other)
    agreed.add(LOCAL)
    assert agreed.all() == (LOCAL, other)
    file = tmp_path / "agent" / "agreed.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    agreed.remove(LOCAL)
    assert agreed.all() == (other,)
    with pytest.raises(InvalidInput):
        agreed.add(ModelRef("openai", "x", "http://10.0.0.1/v1", "loopback"))
    file.write_text('[{"provider": "openai", "name": "x", "base_url": "https://evil.example/v1"}, 3, {"name": 1}]')
    assert agreed.all() == ()
    file.write_text("{broken")
    assert agreed.all() == ()


def test_settings_and_yes_of_a_home(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path)
    assert chosen({}, paths) is None
    Agreed.of(paths).add(LOCAL)
    assert chosen({}, paths) == LOCAL
    SettingsFile(paths.settings_file).set(AGENT_MODEL, "ollama:qwen3")
    assert str(chosen({}, paths)) == "ollama:qwen3"


def test_a_key_comes_from_the_environment_then_from_the_store(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "secrets.enc")
    store.set("agent.openai.key", Secret("stored"))
    ref = ModelRef("openai", "gpt")
    assert find_key(ref, {}, lambda: store) == Secret("stored")
    assert find_key(ref, {"OPENAI_API_KEY": "given"}, lambda: store) == Secret("given")
    assert find_key(ModelRef("google", "g"), {"GEMINI_API_KEY": "g"}) == Secret("g")
    assert find_key(ModelRef("anthropic", "c"), {}, lambda: store) is None
    assert "stored" not in repr(find_key(ref, {}, lambda: store))


def test_a_key_never_goes_to_a_place_that_it_is_not_for(tmp_path: Path) -> None:
    environment = {"OPENAI_API_KEY": "given"}
    store = FileStore(tmp_path / "secrets.enc")
    store.set("agent.openai.key", Secret("stored"))
    store.set("agent.proxy.example.org:444.key", Secret("its own"))
    assert find_key(LOCAL, environment, lambda: store) is None
    elsewhere = ModelRef("openai", "m", "https://proxy.example.org:444/v1", "setting")
    assert find_key(elsewhere, environment, lambda: store) == Secret("its own")
    other = ModelRef("openai", "m", "https://other.example.org/v1", "setting")
    assert find_key(other, environment, lambda: store) is None
    # ... unless the environment names that address beside the key
    environment["OPENAI_BASE_URL"] = "https://other.example.org/v1"
    assert find_key(other, environment, lambda: store) == Secret("given")


def test_the_store_of_a_home(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path)
    paths.ensure()
    (paths.data / "secrets.kind").write_text("file")
    FileStore(paths.secrets_file).set("agent.anthropic.key", Secret("k"))
    assert key_of(ModelRef("anthropic", "c"), {}, paths) == Secret("k")
