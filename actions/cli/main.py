"""``sayso``: finds the command, parses its arguments, carries it out, prints one answer, returns the exit code.

Imported by every command: what a command needs beyond this is imported when it runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from actions.errors import ErrorCode, SaysoError

if TYPE_CHECKING:
    from actions.cli.answer import Answer
    from actions.cli.invocation import Invocation

    Handler = Callable[[Invocation], Answer]

_GENERIC = "actions.cli.direct:action"


def main(argv: list[str] | None = None) -> int:
    """Run one command. With ``--json`` exactly one JSON document is printed, whatever happens."""
    given = sys.argv[1:] if argv is None else argv
    as_json = _wants_json(given)
    try:
        code = _run(given)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a reader that has left is no failure
        return code
    except BrokenPipeError:
        return _reader_left()
    except KeyboardInterrupt as stop:
        details = stop.args[0] if stop.args else None
        return _failed(SaysoError("Interrupted.", code=ErrorCode.CANCELLED, details=details), as_json, exit=130)
    except SaysoError as error:
        return _failed(error, as_json)
    except OSError as error:
        return _failed(_system_error(error), as_json)
    except Exception as error:  # noqa: BLE001 - the last line of defence: programs get their document
        return _failed(_crash(error), as_json)


def _run(argv: list[str]) -> int:
    from actions.cli.answer import Pending
    from actions.cli.arguments import Flags, parse
    from actions.cli.commands import find, load
    from actions.cli.invocation import Invocation, environment, language_of
    from actions.cli.output import show, show_pending

    manifest = load()
    if "--version" in argv[:2]:
        from actions.cli.help import version

        return show(version(manifest), Flags(as_json="--json" in argv))
    _refuse_bytes(argv)
    if not [token for token in argv if token not in ("--json", "--quiet", "-q")]:
        argv = [*argv, "desktop"]
    if argv[0] == "help":
        argv = [*argv[1:], "--help"]
    found = find(manifest, argv)
    environ = environment()
    if found.command is None:
        from actions.cli.help import group

        return show(group(manifest, found, language_of(environ)), Flags(as_json=_wants_json(argv)))
    if found.command.get("raw"):
        return show(
            _handler(found.command)(Invocation(found.command, {}, Flags(_wants_json(argv)), found.rest, environ)),
            Flags(as_json=_wants_json(argv)),
        )
    values, flags = parse(found.command, found.rest)
    call = Invocation(found.command, values, flags, found.rest, environ)
    if flags.help:
        from actions.cli.help import command

        return show(command(found.command, call.language), flags)
    try:
        return show(_handler(found.command)(call), flags, call.language)
    except Pending as pending:
        return show_pending(pending.data, as_json=flags.as_json)


def _handler(command: dict[str, Any]) -> Handler:
    import importlib

    module, _, function = (command["run"] or _GENERIC).partition(":")
    return getattr(importlib.import_module(module), function)


def _wants_json(argv: list[str]) -> bool:
    own = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in own or "--jsonl" in own


def _refuse_bytes(argv: list[str]) -> None:
    for token in argv:
        try:
            token.encode()
        except UnicodeEncodeError:
            from actions.cli.answer import usage

            raise usage(f"The argument {os.fsencode(token)[:80]!r} is no UTF-8 text.", "arguments") from None


def _failed(error: SaysoError, as_json: bool, exit: int | None = None) -> int:
    from actions.cli.output import show_error

    try:
        code = show_error(error, as_json=as_json)
    except BrokenPipeError:
        return _reader_left()
    except OSError as full:
        # Standard output itself cannot be written, as on a full disk: all that is left is to say so.
        sys.stderr.write(f"The answer cannot be written: {full.strerror}.\n")
        _forget_output()
        return 1
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        # What a full disk refused is still in the buffer; the error above has told it.
        _forget_output()
    return code if exit is None else exit


def _reader_left() -> int:
    """Whoever read the output, such as `head`, has enough: end without a word."""
    _forget_output()
    return 0


def _forget_output() -> None:
    # The interpreter flushes standard output at its end, and would complain about it.
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _system_error(error: OSError) -> SaysoError:
    _trace(error)
    where = f" ({error.filename})" if error.filename else ""
    return SaysoError(f"The system refused: {error.strerror or error}{where}.", details={"errno": error.errno})


def _crash(error: Exception) -> SaysoError:
    _trace(error)
    return SaysoError(
        f"sayso itself failed: {type(error).__name__}: {error}. SAYSO_LOG=debug shows where.",
        details={"type": type(error).__name__},
    )


def _trace(error: Exception) -> None:
    if os.environ.get("SAYSO_LOG", "").lower() == "debug":
        import traceback

        traceback.print_exception(error)


if __name__ == "__main__":
    sys.exit(main())
