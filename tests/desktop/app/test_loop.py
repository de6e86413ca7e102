import asyncio
import contextvars
import gc
import sys
import threading
import time
from collections.abc import AsyncIterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop.app.loop import AppLoop
from tests.stopwatch import Stopwatch


def _loop() -> AppLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, AppLoop)
    return loop


async def test_cancelled_timers_do_not_pile_up() -> None:
    queue: asyncio.Queue[int] = asyncio.Queue()
    for number in range(2000):
        queue.put_nowait(number)
        async with asyncio.timeout(60):
            await queue.get()
    assert _loop().delayed() < 200


async def test_timers_fire_in_order_and_not_early() -> None:
    started, fired = time.monotonic(), []
    for delay in (0.06, 0.02, 0.04, 0.0):
        _loop().call_later(delay, lambda delay=delay: fired.append((delay, time.monotonic() - started)))
    async with asyncio.timeout(30):
        while len(fired) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert [delay for delay, _ in fired] == [0.0, 0.02, 0.04, 0.06]
    assert all(took >= delay - 0.002 for delay, took in fired)


async def test_a_cancelled_timer_does_not_fire() -> None:
    fired: list[int] = []
    handle = _loop().call_later(0.01, fired.append, 1)
    assert handle.when() > 0
    handle.cancel()
    await asyncio.sleep(0.03)
    assert fired == []


async def test_ready_callbacks_run_in_order() -> None:
    seen: list[int] = []
    for number in range(500):
        _loop().call_soon(seen.append, number)
    async with asyncio.timeout(30):
        while len(seen) < 500:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert seen == list(range(500))


async def test_callbacks_that_never_end_leave_room_for_timers() -> None:
    running = True

    def again() -> None:
        if running:
            _loop().call_soon(again)

    again()
    started = Stopwatch()
    await asyncio.sleep(0.05)
    running = False
    assert started.seconds < 0.5


async def test_another_thread_reaches_the_loop_with_its_context() -> None:
    variable = contextvars.ContextVar("variable", default="outside")
    context = contextvars.copy_context()
    context.run(variable.set, "inside")
    seen: list[str] = []
    done = asyncio.Event()

    def note() -> None:
        seen.append(variable.get())
        done.set()

    loop = _loop()
    threading.Thread(target=lambda: loop.call_soon_threadsafe(note, context=context)).start()
    async with asyncio.timeout(30):
        await done.wait()
    assert seen == ["inside"]


async def test_a_timeout_ends_what_waits() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await asyncio.sleep(5)


async def test_child_processes_and_threads_work() -> None:
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", "print('hi')", stdout=asyncio.subprocess.PIPE)
    out, _ = await child.communicate()
    assert out.strip() == b"hi"
    assert await asyncio.to_thread(lambda: 7) == 7


def test_nothing_runs_while_the_loop_stands_still(qapp: QApplication) -> None:
    loop = AppLoop(qapp)
    seen: list[str] = []
    loop.call_soon(seen.append, "soon")
    loop.call_later(0.001, seen.append, "later")
    time.sleep(0.01)
    qapp.processEvents()
    assert seen == []
    loop.run_until_complete(asyncio.sleep(0.1))
    assert seen == ["soon", "later"]
    loop.close()


async def test_a_generator_that_was_dropped_is_closed_in_its_loop() -> None:
    ended: list[bool] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            ended.append(asyncio.get_running_loop() is loop)

    loop = asyncio.get_running_loop()
    async for _ in numbers():
        break
    gc.collect()
    async with asyncio.timeout(30):
        while not ended:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert ended == [True]
