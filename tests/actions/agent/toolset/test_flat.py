"""A long turn costs no more at its end than at its beginning."""

from __future__ import annotations

import gc
import tracemalloc

from tests.actions.agent.toolset.rig import Echo, Rig, args


async def test_memory_does_not_grow_with_the_calls_of_a_turn() -> None:
    echo = Echo()
    rig = Rig(echo)

    async def steps(begin: int, end: int) -> None:
        for number in range(begin, end):
            await rig.step(("Echo", args(value=number)))
            echo.runs.clear()
            echo.seen_calls.clear()

    await steps(0, 6_000)
    gc.collect()
    tracemalloc.start()
    try:
        await steps(6_000, 6_500)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        await steps(6_500, 9_000)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # Keys of the first 6,000 were not traced and are replaced by traced ones: at most the 2,500 new ones count.
    assert grown < 2_500 * 300
