"""Commands that live elsewhere: in voice and desktop, found by the entry points `sayso.commands`, and the agent."""

from __future__ import annotations

from actions.cli.answer import Answer
from actions.cli.invocation import Invocation
from actions.errors import ErrorCode, SaysoError

GROUP = "sayso.commands"


def run(call: Invocation) -> Answer:
    """Hand the line to the command of that name; it prints its answer itself and gives the exit code."""
    from importlib.metadata import entry_points

    name = call.command["words"][0]
    found = next(iter(entry_points(group=GROUP, name=name)), None)
    if found is None:
        raise _missing(name, "it is not installed")
    try:
        command = found.load()
    except (ImportError, AttributeError) as error:
        raise _missing(name, str(error)) from error
    return Answer(name, None, exit=int(command(call.rest, call) or 0), printed=True)


def agent(call: Invocation) -> Answer:
    """The built-in agent, in this process."""
    from actions.agent.main import main

    return Answer("agent", None, exit=main(call.rest), printed=True)


def _missing(name: str, why: str) -> SaysoError:
    return SaysoError(
        f"sayso {name} cannot be loaded: {why}. Install Sayso again, or see: sayso doctor",
        code=ErrorCode.FAILED,
        details={"command": name, "reason": why},
    )
