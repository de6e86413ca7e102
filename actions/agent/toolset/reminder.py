"""The words that a repeated call's result carries."""

from __future__ import annotations

from contextlib import suppress

from actions.agent.toolset.keys import STAND_IN, canonical, read
from actions.agent.toolset.results import Output, TextPart, ToolResult
from actions.agent.toolset.step import Run

ARGUMENTS_SHOWN = 2000

_R1 = (
    "You repeat the same call. Study its last result before you go on: if it is not what you need, change the "
    "arguments or take another approach."
)
_R2 = (
    "You repeat the same call and nothing changes. Stop repeating it: use what the results already say, or take "
    "another approach."
)
_R3 = (
    "This is a dead end: the same call came again and again. Make no more tool calls. Say what you know, what you "
    "tried and what is missing."
)


def reminder(run: Run) -> str:
    """What a repeated call's tier says; empty below the first."""
    if run.action == "none":
        return ""
    if run.action == "r1":
        return f"<system-reminder>\n{_R1}\n</system-reminder>"
    if run.action == "r2":
        facts = f"tool: {run.key[0]}\nrepeated_times: {run.count}\narguments: {_arguments(run)}"
        return f"<system-reminder>\n{_R2}\n{facts}\n</system-reminder>"
    return f"<system-reminder>\n{_R3}\n</system-reminder>"


def reminded(result: ToolResult, text: str) -> ToolResult:
    """``result`` with the reminder at the end of its output; success or error stays what it was."""
    return result.with_output(_appended(result.output, text)) if text else result


def _appended(output: Output, text: str) -> Output:
    if isinstance(output, str):
        return f"{output}\n\n{text}"
    if output and isinstance(last := output[-1], TextPart):
        return (*output[:-1], TextPart(f"{last.text}\n\n{text}"))
    return (*output, TextPart(text))


def _arguments(run: Run) -> str:
    arguments = run.key[1]
    if STAND_IN[1:] in arguments:
        arguments = run.call.arguments
        value, problem = read(arguments)
        if problem is None:
            with suppress(RecursionError):
                arguments = canonical(value)
    if len(arguments) <= ARGUMENTS_SHOWN:
        return arguments
    half = ARGUMENTS_SHOWN // 2
    return f"{arguments[:half]} … {arguments[-half:]}"
