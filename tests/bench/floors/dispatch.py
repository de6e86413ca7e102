"""Drives one dispatcher, in a process of its own: ``dispatch.py MODULE:CLASS ROUNDS CASE...`` prints the least
microseconds a call by case, as JSON. Needs nothing but the standard library, so that it runs beside any subject.

The class makes a subject with ``begin(previous)``, ``handle(id, name, json)`` (something to await) and ``end()``;
``CLASS(hooks=1)`` has a hook before each call, ``CLASS.approving("yolo")`` a tool ``AP`` that asks for approval.
``-`` instead of a subject measures the floor: a task is made and awaited.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

CALLS = 1_000


async def in_steps(subject: Any, width: int, calls: int, arguments: Callable[[int], str], tool: str = "Noop") -> float:
    """``calls`` calls, ``width`` at once and in one step; seconds."""
    texts = [arguments(number) for number in range(calls)]
    began = time.perf_counter()
    previous: Any = []
    for first in range(0, calls, width):
        subject.begin(previous)
        await asyncio.gather(
            *[subject.handle(f"c{number}", tool, texts[number]) for number in range(first, min(first + width, calls))]
        )
        previous = subject.end()
    return time.perf_counter() - began


async def one_by_one(subject: Any, calls: int, arguments: Callable[[int], str], tool: str = "Noop") -> float:
    """``calls`` calls in one step, each awaited before the next; seconds."""
    texts = [arguments(number) for number in range(calls)]
    subject.begin([])
    began = time.perf_counter()
    for number, text in enumerate(texts):
        await subject.handle(f"c{number}", tool, text)
    taken = time.perf_counter() - began
    subject.end()
    return taken


async def floor(calls: int) -> float:
    async def nothing() -> int:
        return 1

    began = time.perf_counter()
    for _ in range(calls):
        await asyncio.create_task(nothing())
    return time.perf_counter() - began


def value(number: int) -> str:
    return f'{{"value":{number}}}'


def large(number: int) -> str:
    return f'{{"value":{number},"text":"{"x" * 100_000}"}}'


CASES: dict[str, tuple[int, Callable[[Any, int], Awaitable[float]]]] = {
    "n1": (CALLS, lambda make, n: one_by_one(make(), n, value)),
    "n100": (CALLS, lambda make, n: in_steps(make(), 100, n, value)),
    "n1000": (CALLS, lambda make, n: in_steps(make(), 1_000, n, value)),
    "identical": (CALLS, lambda make, n: in_steps(make(), 100, n, lambda number: value(number // 100))),
    "repeat": (CALLS, lambda make, n: in_steps(make(), 1, n, lambda _: value(1))),
    "args_100kb": (50, lambda make, n: one_by_one(make(), n, large)),
    "approval_fast": (CALLS, lambda make, n: one_by_one(make.approving("yolo"), n, value, "AP")),
    "hook_n100": (200, lambda make, n: in_steps(make(hooks=1), 100, n, value)),
}


def main() -> None:
    subject, rounds, *names = sys.argv[1:]
    with suppress(AttributeError, OSError):  # one core: what other cores do must not decide
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    make: Any = None
    if subject != "-":
        module, name = subject.split(":")
        make = getattr(importlib.import_module(module), name)
    best: dict[str, float] = {}
    for _ in range(int(rounds)):
        for name in names:
            calls, case = CASES.get(name, (CALLS, lambda _, n: floor(n)))
            gc.collect()
            taken = asyncio.run(_run(case, make, calls)) / calls * 1e6
            best[name] = min(best.get(name, taken), taken)
    print(json.dumps(best))


async def _run(case: Callable[[Any, int], Awaitable[float]], make: Any, calls: int) -> float:
    return await case(make, calls)


if __name__ == "__main__":
    main()
