"""Secrets: a type that cannot be shown by mistake, and where its values are kept.

The operating system's keyring holds them where there is one. Else they are in ``data/secrets.enc``, encrypted with the
key in ``data/secrets.key`` beside it, both readable by their owner only (0600). That keeps values out of backups of the
one file, of searches and of screen shots; it does not keep them from a program that runs as the same user, which can
read both files. A home stays with the kind of store it began with, so that no value is ever lost from sight.
"""

from __future__ import annotations

import hmac
import json
import os
from pathlib import Path
from typing import Any, NoReturn, Protocol

from filelock import FileLock

from actions.errors import SaysoError
from actions.storage.files import write_atomic
from actions.storage.paths import Paths

_HIDDEN = "•••"


class Secret:
    """A value that shows as dots in text, logs, JSON and errors, and refuses to be pickled."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself: for the one place that hands it to a server, a header or a process."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({_HIDDEN})"

    def __str__(self) -> str:
        return _HIDDEN

    def __format__(self, spec: str) -> str:
        return format(_HIDDEN, spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __bool__(self) -> bool:
        return bool(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not pickled: hand over its name and read it from the store")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Text or a Secret is taken in; dots are given out, whatever the mode of the dump."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            _as_secret, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string", "format": "password", "writeOnly": True}


def _as_secret(value: object) -> Secret:
    if isinstance(value, Secret):
        return value
    if isinstance(value, str):
        return Secret(value)
    raise ValueError("a secret is text")


class SecretStore(Protocol):
    """Named secrets of one home. Calls may block (a keyring may ask the user to unlock it): use a thread."""

    kind: str

    def get(self, name: str) -> Secret | None:
        """The secret of this name, or None. Raises SaysoError when the store cannot be read."""
        ...

    def set(self, name: str, secret: Secret) -> None:
        """Store or replace. Raises SaysoError when the store cannot be written."""
        ...

    def delete(self, name: str) -> None:
        """Forget; a name that is not there is no error."""
        ...


class KeyringStore:
    """The operating system's keyring: Secret Service, macOS Keychain, Windows Credential Manager."""

    kind = "keyring"

    def __init__(self, service: str) -> None:
        self._service = service

    def get(self, name: str) -> Secret | None:
        import keyring
        from keyring.errors import KeyringError

        try:
            value = keyring.get_password(self._service, name)
        except KeyringError as error:
            raise _keyring_failed(error) from error
        return None if value is None else Secret(value)

    def set(self, name: str, secret: Secret) -> None:
        import keyring
        from keyring.errors import KeyringError

        try:
            keyring.set_password(self._service, name, secret.reveal())
        except KeyringError as error:
            raise _keyring_failed(error) from error

    def delete(self, name: str) -> None:
        import keyring
        from keyring.errors import KeyringError, PasswordDeleteError

        try:
            keyring.delete_password(self._service, name)
        except PasswordDeleteError:
            return
        except KeyringError as error:
            raise _keyring_failed(error) from error


class FileStore:
    """One encrypted file (Fernet: AES-128-CBC with HMAC-SHA256) and its key file, both 0600."""

    kind = "file"

    def __init__(self, file: Path) -> None:
        self._file = file
        self._key_file = file.with_suffix(".key")
        self._lock = FileLock(str(file.with_suffix(".lock")))

    def get(self, name: str) -> Secret | None:
        value = self._load().get(name)
        return None if value is None else Secret(value)

    def set(self, name: str, secret: Secret) -> None:
        with self._lock:
            self._save({**self._load(), name: secret.reveal()})

    def delete(self, name: str) -> None:
        with self._lock:
            values = self._load()
            if values.pop(name, None) is not None:
                self._save(values)

    def _load(self) -> dict[str, str]:
        from cryptography.fernet import Fernet, InvalidToken

        try:
            encrypted = self._file.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._unreadable(str(error.strerror or error)) from error
        try:
            content: dict[str, str] = json.loads(Fernet(self._key_file.read_bytes()).decrypt(encrypted))
        except (InvalidToken, ValueError) as error:
            raise self._unreadable("the key does not fit or the file is damaged") from error
        except OSError as error:
            raise self._unreadable(f"its key {self._key_file} cannot be read") from error
        return content

    def _save(self, values: dict[str, str]) -> None:
        from cryptography.fernet import Fernet

        if not self._key_file.exists():
            write_atomic(self._key_file, Fernet.generate_key())
        write_atomic(self._file, Fernet(self._key_file.read_bytes()).encrypt(json.dumps(values).encode()))

    def _unreadable(self, why: str) -> SaysoError:
        return SaysoError(
            f"The secrets in {self._file} cannot be read: {why}. Restore the file and its key together, or move both "
            "away and enter the secrets again.",
            details={"path": str(self._file)},
        )


def open_secret_store(paths: Paths) -> SecretStore:
    """The store of this home: the one it began with, else the keyring where a real one answers, else the file."""
    marker = paths.data / "secrets.kind"
    kind = marker.read_text().strip() if marker.exists() else ""
    if kind not in ("keyring", "file"):
        kind = "keyring" if not paths.secrets_file.exists() and _keyring_answers() else "file"
        write_atomic(marker, kind.encode())
    return KeyringStore(_service(paths)) if kind == "keyring" else FileStore(paths.secrets_file)


def _service(paths: Paths) -> str:
    # Every home has its own names in the one keyring of the user.
    return f"sayso:{os.path.realpath(paths.data)}"


def _keyring_answers() -> bool:
    import keyring
    from keyring.backends import fail, null
    from keyring.errors import KeyringError

    backend = keyring.get_keyring()
    if isinstance(backend, (fail.Keyring, null.Keyring)) or backend.priority < 1:
        return False
    try:
        keyring.get_password("sayso", "probe")
    except KeyringError:
        return False
    return True


def _keyring_failed(error: Exception) -> SaysoError:
    return SaysoError(
        f"The keyring of this computer did not answer ({error}). Unlock it, or log in to the desktop, then try again."
    )
