"""The arguments of one command: the parser is built for the command that was named, and for no other."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, NamedTuple, NoReturn

from actions.cli.jsons import parse_json
from actions.errors import InvalidInput

_TEXTS_FROM_STDIN = frozenset({"message", "initial_message", "instructions", "feedback", "reason", "text"})
"""Fields that may be long: a single dash reads them from standard input."""


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
    parser = _Parser(command)
    before_dashes = argv[: argv.index("--")] if "--" in argv else argv
    if "--help" in before_dashes or "-h" in before_dashes:
        parser = parser.without_requirements()
    namespace, extra = parser.parse_known_args(argv)
    flags = Flags(
        namespace.as_json,
        namespace.as_lines,
        namespace.quiet,
        namespace.help,
        namespace.workspace and directory(namespace.workspace),
        namespace.language,
        namespace.idempotency_key,
    )
    if flags.help:
        return Parsed({}, flags)
    if extra:
        raise parser.unexpected(extra)
    values = {a["field"]: _value(a, getattr(namespace, a["field"])) for a in command["arguments"]}
    values = {field: value for field, value in values.items() if value is not None}
    _require(command, values)
    return Parsed(values, flags)


def directory(reference: str) -> str:
    """A workspace as the host can find it: a directory as an absolute path, a name or an id as it is."""
    expanded = os.path.expanduser(reference)
    if os.path.isdir(expanded) or expanded.startswith((".", os.sep)) or os.sep in expanded:
        return os.path.abspath(expanded)
    return reference


class _Parser(argparse.ArgumentParser):
    def __init__(self, command: dict[str, Any]) -> None:
        self._said = " ".join(["sayso", *command["words"]])
        self._fields = {metavar(a): a["field"] for a in command["arguments"]}
        super().__init__(prog=self._said, add_help=False, allow_abbrev=False)
        own = {a["flag"] for a in command["arguments"]}
        self.add_argument("--json", dest="as_json", action="store_true")
        self.add_argument("--jsonl", dest="as_lines", action="store_true")
        self.add_argument("--quiet", "-q", dest="quiet", action="store_true")
        self.add_argument("--help", "-h", dest="help", action="store_true")
        if "--language" not in own:
            self.add_argument("--language")
        if "--idempotency-key" not in own:
            self.add_argument("--idempotency-key")
        if "--workspace" not in own:
            self.add_argument("--workspace")
        for argument in command["arguments"]:
            self._add(argument)

    def without_requirements(self) -> _Parser:
        """For someone who asks for help, and need not know what is required."""
        for action in self._actions:
            if not action.option_strings:
                action.nargs = "*"
        return self

    def _add(self, argument: dict[str, Any]) -> None:
        options: dict[str, Any] = {}
        if argument["type"] == "boolean":
            options["action"] = argparse.BooleanOptionalAction if argument.get("default") else "store_const"
            if not argument.get("default"):
                options["const"] = True
        else:
            options["metavar"] = metavar(argument)
            if argument["type"] in _TYPES:
                options["type"] = _TYPES[argument["type"]]
            if argument["repeat"]:
                options["action"] = "append"
            if argument["choices"]:
                options["choices"] = argument["choices"]
        if argument["flag"] is None:
            if not argument["required"]:
                options["nargs"] = "?"
            self.add_argument(argument["field"], **options)
        else:
            self.add_argument(argument["flag"], dest=argument["field"], default=None, **options)

    def unexpected(self, extra: list[str]) -> InvalidInput:
        shown = " ".join(extra)
        hint = " Put a text of several words in quotes." if not extra[0].startswith("-") else ""
        known = [option for action in self._actions for option in action.option_strings]
        if extra[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(extra[0].partition("=")[0], known, n=1, cutoff=0.6)
            hint = f" Did you mean {near[0]}?" if near else ""
        return _invalid(f"{self._said} does not know: {shown[:200]}.{hint} Help: {self._said} --help", extra[0][:80])

    def error(self, message: str) -> NoReturn:
        """Called by argparse with a sentence of its own."""
        if message.startswith("the following arguments are required: "):
            names = message.partition(": ")[2].split(", ")
            raise InvalidInput(
                f"{self._said} needs {' and '.join(names)}. Help: {self._said} --help",
                [{"field": self._fields.get(name, name), "message": "It is missing."} for name in names],
            )
        name, _, why = message.removeprefix("argument ").partition(": ")
        field = self._fields.get(name, self._fields.get(name.split("/")[0], name))
        raise _invalid(f"{self._said}: {name}: {why or message}. Help: {self._said} --help", field)


def metavar(argument: dict[str, Any]) -> str:
    """``SESSION_ID`` for a positional argument, the flag for an option."""
    return argument["flag"] or argument["field"].upper()


def _require(command: dict[str, Any], values: dict[str, Any]) -> None:
    missing = [a for a in command["arguments"] if a["required"] and a["field"] not in values]
    if missing:
        said = " ".join(["sayso", *command["words"]])
        raise InvalidInput(
            f"{said} needs {' and '.join(metavar(a) for a in missing)}. Help: {said} --help",
            [{"field": a["field"], "message": f"Give it with {metavar(a)}."} for a in missing],
        )


def _value(argument: dict[str, Any], value: Any) -> Any:
    if value is None:
        return None
    if argument["type"] == "json":
        return parse_json(value, metavar(argument), argument["field"])
    if argument["field"] in _TEXTS_FROM_STDIN and value == "-":
        return sys.stdin.read()
    match argument.get("path"):
        case "path":
            return os.path.abspath(os.path.expanduser(value))
        case "workspace":
            return directory(value)
        case _:
            return value


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is no whole number") from None


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or number in (float("inf"), float("-inf")):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is no number")
    return number


_TYPES = {"integer": _integer, "number": _number}


def _invalid(message: str, field: str) -> InvalidInput:
    return InvalidInput(message, [{"field": field, "message": message}])
