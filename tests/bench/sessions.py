"""sessions.*: what hosting costs with a long home: twenty sessions at once, a long transcript, a million events.

``SAYSO_BENCH_SECONDS`` says how long the twenty stream (30; the promise is about 600), ``SAYSO_BENCH_EVENTS`` how many
events are searched (a million; filling that takes minutes).
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench import corpus
from tests.bench.corpus import sign, word
from tests.bench.harness import Figure
from tests.bench.round_trip import round_trip
from tests.bench.streaming import streamed, window
from tests.running_host import running_host

SECONDS = float(os.environ.get("SAYSO_BENCH_SECONDS", "30"))
EVENTS = int(os.environ.get("SAYSO_BENCH_EVENTS", "1000000"))
LONG = 100_000
_RARE = [word(number) for number in (20_000, 25_000, 30_000, 35_000)]
QUERIES: Mapping[str, str] = {
    "a frequent word": word(0),
    "frequent words": " ".join(word(number) for number in range(4)),
    "a rare word": _RARE[0],
    "several rare words": " ".join(_RARE),
    "several middling words": " ".join(word(number) for number in (150, 260, 330)),
    "rare and frequent": f"{_RARE[1]} {word(0)}",
    "a long beginning": word(0)[:5],
    "words and a beginning": f"{word(1)} {word(2)} {word(0)[:5]}",
    "two letters": word(5)[:2],
    "a phrase": f'"{word(0)} {word(1)}"',
    "a dotted name": f"{word(0)}.{word(2)}",
    "one sign": sign(0),
    "two signs": sign(0) + sign(1),
    "two rare signs": sign(700) + sign(900),
    "four signs": "".join(sign(number) for number in range(4)),
    "signs and a word": f"{sign(0)}{sign(1)} {word(0)}",
    "nothing": "qqqqqq",
}


def figures() -> Iterator[Figure]:
    """Each limit is what is promised; a window's lateness is that beyond a bare Qt timer of the same run."""
    turn = round_trip()
    yield Figure("sessions.round_trip", turn.subject_ms, "ms", 1.1, turn.floor_ms)
    yield Figure("sessions.open_100k", _opening(), "ms", 150.0)
    run = streamed(SECONDS)
    yield Figure("sessions.lost_pieces", run.lost, "pieces", 0.0)
    yield Figure("sessions.host_cpu", run.cores, "cores", 1.0)
    yield Figure("sessions.memory_growth", run.grown_mb, "MB", 12.0)
    yield Figure("sessions.to_disk_p95", run.to_disk_p95, "ms", 60.0)
    yield Figure("sessions.ui_lateness", max(0.0, run.late_p99 - run.late_floor), "ms", 8.0)
    for name, ms in asyncio.run(_search()).items():
        yield Figure(f"sessions.search.{name.replace(' ', '_')}", ms, "ms", 100.0)


def _opening(rounds: int = 5) -> float:
    """The fastest of some openings of transcripts that were not read before, ms to the first paint."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        with running_host(home):
            pass
        sessions = rounds + 1
        corpus.fill(home / "data" / "sayso.db", LONG * sessions, sessions=sessions)
        with running_host(home) as host:
            taken: list[float] = window(host, "open", *(f"ses_{number:04}" for number in range(rounds)))["open"]
    return min(taken[1:])


async def _search() -> dict[str, float]:
    """Milliseconds a query, the fastest of five."""
    taken: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        database, index = await corpus.searchable(Path(name), EVENTS)
        for kind, query in QUERIES.items():
            each: list[float] = []
            for _ in range(5):
                started = time.perf_counter()
                await index.search(query)
                each.append((time.perf_counter() - started) * 1000)
            taken[kind] = min(each)
        await database.close()
    return taken
