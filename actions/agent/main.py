"""``sayso agent``: the built-in agent on standard input and output."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys

from actions.storage.paths import Paths

_DESCRIPTION = """\
The built-in agent: speaks ACP (Agent Client Protocol, version 1) on standard input and output.
With a model (SAYSO_AGENT_MODEL, the setting providers.agent_model, or one on this machine that you chose) it is a full
coding agent. Without one it is the scout: it finds the relevant places of a repository, drafts plans and reviews
changes from the repository itself. Editors and Sayso's host start it; it is not made for typing into."""

_FILES = """\
files:
  {paths.agent_file}
              other tools, hooks and subagents than the built-in ones, where it is there
  {paths.config}/plugins
              tools of your own
  {paths.settings_file}
              the model, hooks, what the tools may reach"""


def main(argv: list[str]) -> int:
    """Serve one client until its end of input. Returns 0; 2 on wrong flags."""
    paths = Paths.from_environment()
    parser = argparse.ArgumentParser(
        prog="sayso agent",
        description=_DESCRIPTION,
        epilog=_FILES.format(paths=paths),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--yolo", action="store_true", help="approve whatever the agent's own tools ask; questions and plans still come"
    )
    parser.add_argument(
        "--afk",
        action="store_true",
        help="nobody is there: approve, dismiss questions; this run only",
    )
    try:
        flags = parser.parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    # Both signals end the process at once: nothing here is half done but files that are replaced in one go.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _log_to_stderr()
    import asyncio

    asyncio.run(_serve(yolo=flags.yolo, afk=flags.afk))
    return 0


async def _serve(*, yolo: bool, afk: bool) -> None:
    """Serve standard input and output until the end of input. What answers a client comes before all else is loaded."""
    from actions.agent.opening import greet
    from actions.agent.wire import Wire

    wire = Wire(sys.stdin.fileno(), sys.stdout.fileno())
    if (greeting := await greet(wire)) is None:
        return
    from actions.agent.acp.server import run

    await run(wire, greeting, yolo=yolo, afk=afk)


def _log_to_stderr() -> None:
    """Short lines on stderr at the level of ``SAYSO_LOG``; tracebacks only at ``debug``."""
    wanted = os.environ.get("SAYSO_LOG", "warning").upper()
    level = logging.getLevelNamesMapping().get(wanted, logging.WARNING)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    if level > logging.DEBUG:
        handler.addFilter(_without_traceback)
    logging.basicConfig(level=level, handlers=[handler])


def _without_traceback(record: logging.LogRecord) -> bool:
    if record.exc_info and record.exc_info[1] is not None:
        record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]}", ()
        record.exc_info = None
    return True
