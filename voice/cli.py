"""``sayso voice ...``: finds the command, runs it, prints its result. The commands load only when they are called."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from actions.errors import InvalidInput, SaysoError
from voice.result import Command, CommandResult, error_json, exit_code

COMMANDS: Mapping[str, str] = {
    "devices": "voice.audio.cli:devices",
    "transcribe": "voice.recognition.cli:transcribe",
    "intent": "voice.intent.cli:intent",
    "run": "voice.dialogue.cli:run",
}
"""Name of each command -> ``module:function``, a :data:`~voice.result.Command`."""

_USAGE = """usage: sayso voice COMMAND [--json]

  devices                          microphones, and whether one can be used
  transcribe WAV [--language L]    text of a recording
  intent TEXT [--language L] [--session-id S]
                                   what would be done for these words; runs nothing
  run WAV [--confirm yes|no]       a recording, as the microphone path handles it
"""


def run(argv: Sequence[str], ctx: Any = None) -> int:
    """Run ``sayso voice`` with ``argv`` (without "voice") and print its result; returns the exit code.

    With ``--json`` exactly one JSON document goes to stdout, also for a failure. ``ctx`` is what ``sayso`` passes to
    commands of other packages; it is handed on to the command.
    """
    as_json = "--json" in argv
    rest = [argument for argument in argv if argument != "--json"]
    if rest and rest[0] in ("-h", "--help"):
        print(_USAGE, end="")
        return 0
    try:
        result = _result(rest, ctx)
    except SystemExit as leave:  # argparse ends the process after printing the --help of a command.
        return int(leave.code or 0)
    except SaysoError as error:
        if as_json:
            print(error_json(error))
        else:
            print(error.message, file=sys.stderr)
        return exit_code(error)
    print(result.as_json() if as_json else result.text)
    return result.exit


def _result(argv: Sequence[str], ctx: Any) -> CommandResult:
    if not argv or argv[0] not in COMMANDS:
        what = f"There is no voice command {argv[0]!r}" if argv else "Name a voice command"
        message = f"{what}; there are {', '.join(COMMANDS)}."
        raise InvalidInput(message, [{"field": "command", "message": message}])
    module, _, function = COMMANDS[argv[0]].partition(":")
    try:
        command: Command = getattr(importlib.import_module(module), function)
        return command(argv[1:], ctx)
    except ImportError as error:  # The engine and the like load when they are needed.
        what = (error.name or str(error)).partition(".")[0].replace("_", "-")
        raise SaysoError(
            f"Voice needs {what}, which cannot be loaded here. Install it (pip install {what}), or run make setup; "
            "sayso doctor shows what is missing.",
            details={"package": what, "reason": str(error)},
        ) from error
