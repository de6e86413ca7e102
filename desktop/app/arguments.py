"""The arguments of ``sayso desktop``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from actions.errors import InvalidInput


@dataclass(frozen=True)
class Arguments:
    """What beats the settings for this start."""

    language: str | None = None
    theme: str | None = None
    json: bool = False
    new_window: bool = False


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]  # leaves by an exception of ours, not by exit()
        raise ValueError(message)


def read_arguments(argv: Sequence[str], usage: str) -> Arguments | int:
    """The arguments, or the exit code when there is nothing more to do: 0 after ``--help``, 2 for wrong usage."""
    parser = _Parser(prog="sayso desktop", add_help=False)
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("--language", choices=("system", "en", "zh"))
    parser.add_argument("--theme", choices=("system", "light", "dark"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--new-window", action="store_true")
    try:
        found = parser.parse_args(list(argv))
    except ValueError as error:
        if "--json" in argv:
            sys.stdout.write(
                json.dumps({"ok": False, "error": InvalidInput(f"sayso desktop: {error}").as_json()}) + "\n"
            )
        else:
            sys.stderr.write(f"sayso desktop: {error}\n{usage}")
        return 2
    if found.help:
        sys.stdout.write(usage)
        return 0
    return Arguments(found.language, found.theme, found.json, found.new_window)
