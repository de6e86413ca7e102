"""Commands that are declared before what they do is built."""

from __future__ import annotations

from actions.cli.answer import Answer
from actions.cli.invocation import Invocation
from actions.errors import NotImplementedYet


def run(call: Invocation) -> Answer:
    """Raises ``not_implemented``."""
    if "--help" in call.rest or "-h" in call.rest:
        from actions.cli.help import command

        return command(call.command, call.language)
    raise NotImplementedYet(f"{call.said} is not in this version yet. What there is: sayso --help")
