"""JSON that a person or a script hands over: on the command line, in a file or on standard input."""

from __future__ import annotations

import json
import sys
from typing import Any

from actions.cli.answer import usage


def parse_json(given: str, name: str, field: str) -> Any:
    """The value of ``given``: JSON, ``@FILE`` or ``-``. Raises ``invalid_input`` with the place of the mistake."""
    text, origin = _read(given, name, field)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        near = text[max(0, error.pos - 10) : error.pos + 20]
        raise usage(
            f"{origin} is no JSON: {error.msg} at {place}, near {near!r}.",
            field,
            line=error.lineno,
            column=error.colno,
            position=error.pos,
        ) from None
    except RecursionError:
        raise usage(f"{origin} is nested too deeply.", field) from None
    except ValueError as error:
        raise usage(f"{origin} cannot be taken: {error}.", field) from None


def _read(given: str, name: str, field: str) -> tuple[str, str]:
    if given == "-":
        return from_stdin(field), "Standard input"
    if not given.startswith("@"):
        return given, f"The value of {name}"
    file_name = given[1:]
    try:
        with open(file_name, encoding="utf-8-sig") as file:
            return file.read(), file_name
    except UnicodeDecodeError:
        raise usage(f"{file_name} is no UTF-8 text.", field) from None
    except OSError as error:
        raise usage(f"{file_name} cannot be read: {error.strerror}.", field) from None


def from_stdin(field: str) -> str:
    """All of standard input. Raises ``invalid_input`` where there is none, or where it is no text."""
    if sys.stdin is None:
        raise usage("There is no standard input to read from.", field)
    try:
        text = sys.stdin.read()
        text.encode()  # under some locales bytes that are no text pass as surrogates
        return text
    except UnicodeError:
        raise usage("Standard input is no UTF-8 text.", field) from None
