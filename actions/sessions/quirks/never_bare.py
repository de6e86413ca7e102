"""A program that must not be started without a subcommand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath


def refuse_bare(argv: Sequence[str]) -> str | None:
    """Why ``argv`` must not be started: it has no subcommand.

    WORKAROUND(kimi-cli 1.51 and later, reported in public): without arguments it downloads an installer and runs it.
    """
    if len(argv) > 1:
        return None
    program = PurePath(argv[0]).name
    return f"{program} without a subcommand may install something else. Give the command as [{program!r}, 'acp']."
