"""Which engine a tool uses, and how its work in a thread is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, TypeVar

from actions.agent.tools.searching.engine import Engine, Stop
from actions.agent.tools.searching.own import OwnEngine
from actions.agent.tools.searching.ripgrep import Ripgrep, find_ripgrep
from actions.agent.toolset.results import ErrorClass, ToolFailure

EngineName = Literal["auto", "ripgrep", "own"]
T = TypeVar("T")


def choose(name: EngineName) -> Engine:
    """``auto`` is ripgrep where there is one. Raises LookupError for a ripgrep that is not there."""
    command = None if name == "own" else find_ripgrep()
    if command is not None:
        return Ripgrep(command)
    if name == "ripgrep":
        raise LookupError("ripgrep (the command `rg`) is not installed")
    return OwnEngine()


async def in_thread(work: Callable[[Stop], T], *, limit: float) -> T:
    """``work`` in a thread. Cancelled or after ``limit`` seconds it is stopped; the limit is a ToolFailure."""
    stop = Stop()
    try:
        async with asyncio.timeout(limit):
            return await asyncio.to_thread(work, stop)
    except TimeoutError:
        raise ToolFailure(
            f"The search took longer than {limit:g} s and was stopped. Narrow the path, the glob or the pattern.",
            error=ErrorClass.TIMEOUT,
        ) from None
    finally:
        stop.set()
