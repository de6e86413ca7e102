"""What a value of a server's file may say: text with ``${…}`` in it.

    ${NAME}  ${NAME:-default}  ${env:NAME}   a variable of the environment that Sayso was started in
    ${secret:NAME}                           a secret by its name; in an environment or a header only, once a value
    ${workspaceFolder}  ${userHome}          the workspace of the session; the user's home

A variable that is not set makes the server unavailable, with its name; nothing is sent literally.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from actions.catalog.secrecy import looks_secret
from actions.errors import InvalidInput
from actions.servers.pool.definition import Http, SecretRef, ServerDefinition, Stdio, Value
from actions.storage.secrets import Secret

_REFERENCE = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?\Z", re.DOTALL)
_SECRET = "secret:"
FOLDERS = ("workspaceFolder", "userHome")


class MissingValue(InvalidInput):
    """Variables that a server needs are not set; ``names`` has them."""

    def __init__(self, server: str, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(names))
        listed = ", ".join(self.names)
        super().__init__(
            f"{server} needs what is not set: {listed}. Set it in the environment of Sayso, or store it as a secret "
            "and write ${secret:NAME} for it.",
            missing=list(self.names),
        )


class BadValue(ValueError):
    """A value that cannot be what it says; the text says why, and never the value."""


def value_of(text: str) -> Value:
    """A variable's or header's value as it is written. Raises BadValue."""
    secrets = [found for found in _REFERENCE.finditer(text) if found.group(1).startswith(_SECRET)]
    if not secrets:
        return text
    if len(secrets) > 1:
        raise BadValue("one value can hold one secret; store the whole value as a secret")
    found = secrets[0]
    name = found.group(1).removeprefix(_SECRET).strip()
    if not name:
        raise BadValue("${secret:} names no secret")
    return SecretRef(name, text[: found.start()], text[found.end() :])


def text_of(value: Value) -> str:
    """A value as it is written into a file. Raises TypeError for a secret in the clear, which never is."""
    if isinstance(value, Secret):
        raise TypeError("a secret is written by its name, not by its value")
    return value if isinstance(value, str) else f"{value.before}${{{_SECRET}{value.name}}}{value.after}"


def names_secret(text: str) -> str | None:
    """Why this text may not be an argument, a command or a URL's part: what it holds would be seen by every program."""
    for inner in _inner(text):
        if inner.startswith(_SECRET):
            return "a secret does not go into arguments, where every program can read it; use env or headers"
    return None


def secret_variable(text: str) -> str | None:
    """The variable in ``text`` whose name says that it holds a secret."""
    names = (found.group(1) for inner in _inner(text) if (found := _NAME.match(inner)))
    return next((name for name in names if looks_secret(name)), None)


def unknown(text: str) -> tuple[str, ...]:
    """References in ``text`` that are none of ours, such as another program's ``${input:id}``."""
    return tuple(f"${{{i}}}" for i in _inner(text) if not (i.startswith(_SECRET) or i in FOLDERS or _NAME.match(i)))


def expanded(
    definition: ServerDefinition, environ: Mapping[str, str], *, workspace: Path | None = None
) -> ServerDefinition:
    """``definition`` with every variable filled in; secrets stay references. Raises MissingValue.

    What came from a variable, or stands under a name, that looks secret becomes a :class:`Secret`, which no log shows.
    """
    fill = _Filling(environ, workspace)
    transport = definition.transport
    if isinstance(transport, Stdio):
        cwd = None if transport.cwd is None else Path(os.path.expanduser(fill(str(transport.cwd))))  # noqa: PTH111
        if cwd is not None and not cwd.is_absolute():
            cwd = (workspace or Path.home()) / cwd
        filled: Stdio | Http = replace(
            transport,
            command=os.path.expanduser(fill(transport.command)),  # noqa: PTH111 - no error for an unknown user
            args=tuple(fill(arg) for arg in transport.args),
            cwd=cwd,
            env=fill.values(transport.env),
        )
    else:
        oauth = transport.oauth
        if oauth is not None and oauth.client_secret is not None:
            oauth = replace(oauth, client_secret=fill.value("client_secret", oauth.client_secret))
        filled = replace(transport, url=fill(transport.url), headers=fill.values(transport.headers), oauth=oauth)
    if fill.missing:
        raise MissingValue(definition.name, fill.missing)
    return replace(definition, transport=filled)


class _Filling:
    """Fills variables in, and notes those that are not there."""

    def __init__(self, environ: Mapping[str, str], workspace: Path | None) -> None:
        self._environ = environ
        self._folders = {"userHome": str(Path.home())}
        if workspace is not None:
            self._folders["workspaceFolder"] = str(workspace)
        self.missing: list[str] = []

    def __call__(self, text: str) -> str:
        return _REFERENCE.sub(lambda found: self._one(found.group(1)), text)

    def values(self, values: Mapping[str, Value]) -> dict[str, Value]:
        return {name: self.value(name, value) for name, value in values.items()}

    def value(self, name: str, value: Value) -> Value:
        if isinstance(value, Secret):
            return value
        if isinstance(value, SecretRef):
            return replace(value, before=self(value.before), after=self(value.after))
        text = self(value)
        hidden = looks_secret(name) or (text != value and secret_variable(value) is not None)
        return Secret(text) if hidden else text

    def _one(self, inner: str) -> str:
        if inner in self._folders:
            return self._folders[inner]
        found = _NAME.match(inner)
        if found is None or inner in FOLDERS:
            self.missing.append(inner)
            return ""
        name, default = found.groups()
        value = self._environ.get(name) or default
        if value is None:
            self.missing.append(name)
            return ""
        return value


def _inner(text: str) -> Iterator[str]:
    return (found.group(1) for found in _REFERENCE.finditer(text))
