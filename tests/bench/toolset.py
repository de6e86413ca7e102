"""toolset.*: one tool call through our dispatcher, against that of kimi-cli 1.50.0 in the same run.

Where the peer cannot be installed (it needs Python >= 3.13), the floor is a task that is made and awaited, and the
limits are what the peer needs of that, halved as well.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.harness import Figure
from tests.bench.peers.environment import PEER, PEER_NEEDS, peer_python
from tests.bench.toolset_adapter import Adapter

LIMIT = 0.5
HOOK_LIMIT = 0.7
"""Most of a hook is the process that it starts."""
TURNS, ROUNDS = 3, 3
PEER_IN_FLOORS = {
    "n1": 9.1,
    "n100": 8.4,
    "n1000": 9.6,
    "identical": 4.2,
    "repeat": 12.9,
    "args_100kb": 97.0,
    "approval_fast": 10.9,
    "hook_n100": 184.0,
}
"""What the peer needs for each case, in floors, on Python 3.13."""
LONG = 100_000
GROWTH_LIMIT = 1.3
MEMORY_LIMIT = 8.0
"""Megabytes from the ten thousandth to the last call: room for the allocator, not for anything kept by call."""
_DRIVER = Path(__file__).with_name("floors") / "dispatch.py"
_ROOT = Path(__file__).parents[2]


def figures() -> Iterator[Figure]:
    """A call's microseconds by case; ``toolset.flat``: the last thousand of 100,000 calls against a first."""
    ours: dict[str, float] = {}
    floors: dict[str, float] = {}
    peer = peer_python(PEER, PEER_NEEDS)
    for _ in range(TURNS):  # in turns: a busy machine slows both alike
        _least(ours, _drive(sys.executable, "tests.bench.toolset_adapter:Adapter", list(PEER_IN_FLOORS)))
        if peer is not None:
            _least(floors, _drive(str(peer), "tests.bench.peers.kimi_cli:Peer", list(PEER_IN_FLOORS)))
        else:
            _least(floors, _drive(sys.executable, "-", ["floor"]))
    for case, times in PEER_IN_FLOORS.items():
        share = HOOK_LIMIT if case == "hook_n100" else LIMIT
        if peer is not None:
            yield Figure(f"toolset.{case}", ours[case], "us", share, floors[case])
        else:
            yield Figure(f"toolset.{case}", ours[case], "us", round(share * times, 1), floors["floor"])
    first, last, grown = asyncio.run(_long_session())
    yield Figure("toolset.flat", last, "us", GROWTH_LIMIT, first)
    yield Figure("toolset.flat_memory", grown, "MB", MEMORY_LIMIT)


def _least(kept: dict[str, float], measured: dict[str, float]) -> None:
    for case, taken in measured.items():
        kept[case] = min(kept.get(case, taken), taken)


def _drive(python: str, subject: str, cases: list[str]) -> dict[str, float]:
    ended = subprocess.run(
        [python, str(_DRIVER), subject, str(ROUNDS), *cases],
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode != 0:
        raise RuntimeError(f"{subject} could not be measured: {ended.stderr[-800:]}")
    measured: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return measured


async def _long_session() -> tuple[float, float, float]:
    """A turn of 100,000 calls, one a step: microseconds a call of a new turn's first thousand and of the long one's
    last thousand, taken in turns a hundred at a time, and the megabytes of growth from the ten thousandth on.
    """
    adapter = Adapter()
    await _calls(adapter, 0, 10_000)
    gc.collect()
    memory = _resident()
    await _calls(adapter, 10_000, LONG - 1_000)
    gc.collect()
    grown = max(0.0, _resident() - memory)
    new = Adapter()
    await _calls(new, 0, 100)
    first: list[float] = []
    last: list[float] = []
    for begin in range(0, 1_000, 100):
        first.append(await _calls(new, begin + 100, begin + 200))
        last.append(await _calls(adapter, LONG - 1_000 + begin, LONG - 900 + begin))
    return min(first), min(last), grown


async def _calls(adapter: Adapter, begin: int, end: int) -> float:
    """Microseconds of processor time a call."""
    began = time.process_time()
    for number in range(begin, end):
        adapter.begin(())
        await adapter.handle(f"c{number}", "Noop", f'{{"value":{number}}}')
        adapter.end()
    return (time.process_time() - began) / (end - begin) * 1e6


def _resident() -> float:
    """Megabytes of memory that the process holds now; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
