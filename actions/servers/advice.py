"""What a person should know of a definition before it runs: a sentence each, without a value."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from urllib.parse import urlsplit

from actions.catalog.secrecy import is_secret, veiled_args, veiled_url
from actions.servers.pool.definition import ServerDefinition, Stdio, Value
from actions.servers.risks import denied_names
from actions.servers.values import secret_variable

_NPM = frozenset({"npx", "bunx", "pnpx"})
_PYTHON = frozenset({"uvx", "pipx"})
_NPM_PIN = re.compile(r"^(?:@[^/]+/)?[^@]+@\^?~?\d")
_PYTHON_PIN = re.compile(r"(?:==|@)\s*\d|@[0-9a-f]{7,40}$")


def warnings_on(definition: ServerDefinition) -> tuple[str, ...]:
    """Everything that is worth a word, the weightiest first."""
    return tuple(_warnings(definition))


def _warnings(definition: ServerDefinition) -> Iterator[str]:
    transport = definition.transport
    if not isinstance(transport, Stdio):
        host = urlsplit(transport.url).hostname or "its address"
        if given := _variables([transport.url, *transport.headers.values()]):
            yield f"It sends to {host} what these variables of yours hold: {given}."
        if veiled_url(transport.url) != transport.url:
            yield "A secret stands in its address, which programs write into logs. Use a header if it can."
        if held := _literal(transport.headers):
            yield _move(definition.name, held)
        return
    if given := _variables(transport.env.values()):
        yield f"It is given what these variables of yours hold: {given}."
    if held := _literal(transport.env):
        yield _move(definition.name, held)
    if list(transport.args) != veiled_args(transport.args):
        yield "A secret stands in its arguments, where every program of this computer can read it. Use env if it can."
    if risky := denied_names(transport.env):
        yield f"It sets what can change the programs that run: {', '.join(risky)}. That needs a yes of its own."
    if " " in transport.command.strip() and not transport.args and "/" not in transport.command.split()[0]:
        yield f"Its command holds a whole line; it should be {split_line(transport.command)[:1]} with arguments."
    if (package := unpinned(transport)) is not None:
        yield f"The version of {package} is not pinned: it may be another program tomorrow."


def _move(server: str, held: str) -> str:
    return f"A secret stands in plain text in: {held}. Move it to the secrets: sayso mcp update {server} --changes {{}}"


def split_line(line: str) -> list[str]:
    """A command line as its words; as they are where quotes do not close."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def unpinned(stdio: Stdio) -> str | None:
    """The package that a runner would fetch in whatever version there is."""
    package = package_of(stdio.command, stdio.args)
    if package is None:
        return None
    pinned = _NPM_PIN.match(package) if _runner(stdio.command) in _NPM else _PYTHON_PIN.search(package)
    return None if pinned else package


def package_of(command: str, args: Sequence[str]) -> str | None:
    """The package that a command such as ``npx`` or ``uvx`` fetches and runs; None for any other command."""
    runner = _runner(command)
    if runner in _NPM:
        return _package(args, ("-p", "--package"))
    if runner in _PYTHON:
        return _package([arg for arg in args if arg != "run"], ("--from", "--spec"))
    return None


def _runner(command: str) -> str:
    return PurePath(command).name.removesuffix(".cmd").removesuffix(".exe")


def _package(args: Sequence[str], options: tuple[str, ...]) -> str | None:
    takes_value = ("--python", "--with", "--registry", "--index-url", "--cache")
    words = iter(args)
    for word in words:
        head, equals, tail = word.partition("=")
        if head in options:
            return tail if equals else next(words, None)
        if head in takes_value and not equals:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def _literal(values: Mapping[str, Value]) -> str:
    return ", ".join(name for name, value in values.items() if isinstance(value, str) and is_secret(name, value))


def _variables(values: Iterable[Value]) -> str:
    """Those of the variables in ``values`` whose names say that they hold a secret."""
    found = [secret_variable(value) for value in values if isinstance(value, str)]
    return ", ".join(sorted({name for name in found if name is not None}))
