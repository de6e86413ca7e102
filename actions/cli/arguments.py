"""The arguments of one command, taken from the line as the manifest declares them.

The standard library's ``getopt`` splits the line; ``argparse`` would take longer to load than the command to run.
"""

from __future__ import annotations

import os
from collections.abc import Container
from getopt import GetoptError, gnu_getopt
from typing import Any, NamedTuple

from actions.cli.answer import usage
from actions.errors import InvalidInput, SaysoError

_TEXTS_FROM_STDIN = frozenset({"message", "initial_message", "instructions", "feedback", "reason", "text"})
"""Fields that may be long: a single dash reads them from standard input."""

_EVERYWHERE = {
    "json": "",
    "jsonl": "",
    "quiet": "",
    "help": "",
    "workspace": "=",
    "language": "=",
    "idempotency-key": "=",
}
_SHORT = {"-q": "--quiet", "-h": "--help"}


class Flags(NamedTuple):
    """What every command takes."""

    as_json: bool = False
    as_lines: bool = False
    quiet: bool = False
    help: bool = False
    workspace: str | None = None
    language: str | None = None
    idempotency_key: str | None = None


class Parsed(NamedTuple):
    """Values by field, those that were given only, and the flags of every command."""

    values: dict[str, Any]
    flags: Flags


def parse(command: dict[str, Any], argv: list[str]) -> Parsed:
    """Raises ``invalid_input``, which names each bad argument."""
    # What has a place of its own may be named as well: `session archive --session-id ID`.
    options = {a["flag"] or "--" + a["field"].replace("_", "-"): a for a in command["arguments"]}
    given, words = _split(command, options, argv)
    flags = _flags(given)
    if flags.help:
        return Parsed({}, flags)
    if flags.as_lines and not command.get("stream"):
        raise usage(f"{_said(command)} is no stream; it takes --json, not --jsonl.", "jsonl")
    values: dict[str, Any] = {}
    for name, text in given:
        negated = name.startswith("--no-") and name not in options
        argument = options.get("--" + name.removeprefix("--no-") if negated else name)
        if argument is None:
            continue
        value = not negated if argument["type"] == "boolean" else _value(command, argument, text)
        if argument["repeat"]:
            values.setdefault(argument["field"], []).append(value)
        else:
            values[argument["field"]] = value
    for argument, text in _placed(command, words, values):
        values[argument["field"]] = _value(command, argument, text)
    missing = [a for a in command["arguments"] if a["required"] and a["field"] not in values]
    if missing:
        raise InvalidInput(
            f"{_said(command)} needs {' and '.join(metavar(a) for a in missing)}. {_help(command)}",
            [{"field": a["field"], "message": f"{metavar(a)} is missing."} for a in missing],
        )
    return Parsed(values, flags)


def directory(reference: str) -> str:
    """A workspace as the host can find it: a directory as an absolute path, a name or an id as it is."""
    expanded = os.path.expanduser(reference)
    if os.path.isdir(expanded) or expanded.startswith((".", os.sep)) or os.sep in expanded:
        return os.path.abspath(expanded)
    return reference


def metavar(argument: dict[str, Any]) -> str:
    """``SESSION_ID`` for a positional argument, the flag for an option."""
    return argument["flag"] or argument["field"].upper()


def _split(
    command: dict[str, Any], options: dict[str, dict[str, Any]], argv: list[str]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Options as (flag, text), and the rest."""
    known = dict(_EVERYWHERE)
    for flag, argument in options.items():
        known[flag[2:]] = "" if argument["type"] == "boolean" else "="
        if argument["type"] == "boolean" and argument.get("default"):
            known["no-" + flag[2:]] = ""
    try:
        given, words = gnu_getopt(argv, "qh", [name + takes for name, takes in known.items()])
    except GetoptError as error:
        raise _bad_option(command, known, error) from None
    return [(_SHORT.get(name, name), text) for name, text in given], words


def _flags(given: list[tuple[str, str]]) -> Flags:
    found = dict(given)
    workspace = found.get("--workspace")
    return Flags(
        "--json" in found,
        "--jsonl" in found,
        "--quiet" in found,
        "--help" in found,
        workspace and directory(workspace),
        found.get("--language"),
        found.get("--idempotency-key"),
    )


def _placed(command: dict[str, Any], words: list[str], named: Container[str]) -> list[tuple[dict[str, Any], str]]:
    """Positional arguments that were not ``named``, with their texts: an optional one gets a text only when there are
    more than needed.
    """
    positional = [a for a in command["arguments"] if a["flag"] is None and a["field"] not in named]
    if len(words) > len(positional):
        shown = " ".join(words[len(positional) :])[:200]
        raise usage(
            f"{_said(command)} takes no {shown!r}. Put a text of several words in quotes. {_help(command)}", "arguments"
        )
    spare = len(words) - sum(a["required"] for a in positional)
    placed: list[tuple[dict[str, Any], str]] = []
    left = list(words)
    for argument in positional:
        if not argument["required"]:
            if spare <= 0:
                continue
            spare -= 1
        if left:
            placed.append((argument, left.pop(0)))
    return placed


def _value(command: dict[str, Any], argument: dict[str, Any], text: str) -> Any:
    """The value that a text stands for. Raises ``invalid_input`` with the field."""
    name, field = metavar(argument), argument["field"]
    if argument["choices"] and text not in argument["choices"]:
        choices = ", ".join(argument["choices"])
        raise usage(f"{_said(command)}: {name} must be one of {choices}, not {text[:80]!r}.", field)
    match argument["type"]:
        case "json":
            from actions.cli.jsons import parse_json

            return parse_json(text, name, field)
        case "integer":
            try:
                return int(text)
            except ValueError:
                raise usage(f"{_said(command)}: {name} must be a whole number, not {text[:80]!r}.", field) from None
        case "number":
            return _number(command, name, field, text)
        case _ if field in _TEXTS_FROM_STDIN and text == "-":
            from actions.cli.jsons import from_stdin

            return from_stdin(field)
        case _ if argument.get("path") == "path":
            return os.path.abspath(os.path.expanduser(text))
        case _ if argument.get("path") == "workspace":
            return directory(text)
        case _:
            return text


def _number(command: dict[str, Any], name: str, field: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise usage(f"{_said(command)}: {name} must be a number, not {text[:80]!r}.", field)
    return number


def _bad_option(command: dict[str, Any], known: dict[str, str], error: GetoptError) -> SaysoError:
    from difflib import get_close_matches

    name = error.opt[:80]
    if name in known:
        what = "needs a value" if known[name] else "takes no value"
        return usage(f"{_said(command)}: --{name} {what}. {_help(command)}", name.replace("-", "_"))
    near = get_close_matches(name, list(known), n=1, cutoff=0.6)
    meant = f" Did you mean --{near[0]}?" if near else ""
    dashes = "-" if len(name) == 1 else "--"
    return usage(f"{_said(command)} has no option {dashes}{name}.{meant} {_help(command)}", name.replace("-", "_"))


def _said(command: dict[str, Any]) -> str:
    return " ".join(["sayso", *command["words"]])


def _help(command: dict[str, Any]) -> str:
    return f"Help: {_said(command)} --help"
