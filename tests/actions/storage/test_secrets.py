"""Secrets are never shown by mistake, and are found again where they were put."""

from __future__ import annotations

import json
import logging
import pickle
import stat
import threading
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import null
from keyring.errors import PasswordDeleteError
from pydantic import BaseModel

from actions.errors import SaysoError
from actions.storage.paths import Paths
from actions.storage.secrets import FileStore, KeyringStore, Secret, open_secret_store

VALUE = "hunter2-ключ"


class _MemoryKeyring(KeyringBackend):
    """A working backend of the keyring library, as a desktop session has one."""

    priority = 5  # type: ignore[assignment]  # the library declares a property

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not there")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths.under(tmp_path / "home")
    paths.ensure()
    return paths


@pytest.fixture
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "get_keyring", null.Keyring)


def test_a_secret_does_not_show(caplog: pytest.LogCaptureFixture) -> None:
    class Login(BaseModel):
        token: Secret

    secret = Secret(VALUE)
    login = Login(token=secret)
    with caplog.at_level(logging.INFO):
        logging.info("token %s %r", secret, [secret])
    shown = [
        repr(secret),
        str(secret),
        f"{secret:>10}",
        repr(login),
        str(login),
        login.model_dump_json(),
        repr(login.model_dump()),
        repr({"x": secret}),
        caplog.text,
    ]
    assert not [text for text in shown if "hunter2" in text]
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        json.dumps(secret)
    assert secret.reveal() == VALUE
    assert Login.model_validate_json('{"token": "a"}').token == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert Login.model_json_schema()["properties"]["token"]["writeOnly"] is True


def test_the_file_store_keeps_encrypted_and_private(paths: Paths) -> None:
    store = FileStore(paths.secrets_file)
    assert store.get("github") is None
    store.set("github", Secret(VALUE))
    store.set("other", Secret("x"))
    assert FileStore(paths.secrets_file).get("github") == Secret(VALUE)
    store.delete("github")
    store.delete("never there")
    assert store.get("github") is None
    assert store.get("other") == Secret("x")
    for file in (paths.secrets_file, paths.secrets_file.with_suffix(".key")):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert b"hunter2" not in file.read_bytes()


@pytest.mark.parametrize("damage", ["file", "key", "no key"])
def test_a_damaged_store_says_so_and_is_not_overwritten(paths: Paths, damage: str) -> None:
    store = FileStore(paths.secrets_file)
    store.set("github", Secret(VALUE))
    key = paths.secrets_file.with_suffix(".key")
    match damage:
        case "file":
            paths.secrets_file.write_bytes(b"rubbish")
        case "key":
            key.write_bytes(b"rubbish")
        case _:
            key.unlink()
    before = paths.secrets_file.read_bytes()
    with pytest.raises(SaysoError, match="cannot be read"):
        store.get("github")
    with pytest.raises(SaysoError, match="cannot be read"):
        store.set("new", Secret("y"))
    assert paths.secrets_file.read_bytes() == before


def test_two_writers_lose_nothing(paths: Paths) -> None:
    def write(name: str) -> None:
        for i in range(10):
            FileStore(paths.secrets_file).set(f"{name}{i}", Secret(str(i)))

    threads = [threading.Thread(target=write, args=(n,)) for n in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = FileStore(paths.secrets_file)
    assert all(store.get(f"{n}{i}") == Secret(str(i)) for n in "ab" for i in range(10))


@pytest.mark.usefixtures("no_keyring")
def test_without_a_keyring_the_file_is_used(paths: Paths) -> None:
    assert open_secret_store(paths).kind == "file"


def test_a_real_keyring_is_used_and_homes_do_not_mix(paths: Paths, tmp_path: Path) -> None:
    backend = _MemoryKeyring()
    before = keyring.get_keyring()
    keyring.set_keyring(backend)
    try:
        store = open_secret_store(paths)
        assert isinstance(store, KeyringStore)
        store.set("github", Secret(VALUE))
        assert open_secret_store(paths).get("github") == Secret(VALUE)
        other = Paths.under(tmp_path / "other")
        other.ensure()
        assert open_secret_store(other).get("github") is None
        store.delete("github")
        store.delete("github")
        assert store.get("github") is None
    finally:
        keyring.set_keyring(before)


@pytest.mark.usefixtures("no_keyring")
def test_a_home_stays_with_its_store(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    open_secret_store(paths).set("github", Secret(VALUE))
    monkeypatch.setattr(keyring, "get_keyring", _MemoryKeyring)
    assert open_secret_store(paths).get("github") == Secret(VALUE)
