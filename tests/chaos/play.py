"""One run of chaos, from a seed."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve
from tests.chaos.checks import check_no_orphan, check_stored
from tests.chaos.disk import small_disk
from tests.chaos.faults import FAULTS, fits
from tests.chaos.house import KINDS, Broken, ChaosHouse, ChaosSession, Wait

MODEL = {
    "default": {"text": "Hello from the fake model."},
    "scripts": {
        "ratehard": [{"error": {"status": 429, "retry_after": 1, "message": "Rate limited (scripted)"}}],
        "slow": [{"text": "word " * 400, "chunk": 5, "chunk_delay": 0.02}],
    },
}


@dataclass(frozen=True)
class Report:
    """``waits`` are the longest ones, the longest first."""

    seed: int
    faults: Counter[str]
    decisions: int
    waits: tuple[Wait, ...]
    seconds: float
    disk: str


def play(
    folder: Path,
    *,
    faults: int,
    sessions: int,
    seed: int,
    patience: float = 10,
    kinds: Sequence[str] = tuple(FAULTS),
    mount: bool = False,
    tell: bool = False,
) -> Report:
    """Make ``faults`` random faults of ``kinds`` over ``sessions`` sessions. Raises Broken, with the seed, for what did
    not hold.
    """
    begun = time.monotonic()
    chance = random.Random(seed)
    server = serve(folder / "llm", MODEL)
    done: list[str] = []
    try:
        with small_disk(folder / "h", mount=mount) as disk:
            (folder / "repo").mkdir()
            house = ChaosHouse(folder / "h", folder / "repo", disk, chance, patience, environment(server))
            try:
                _shake(house, _drawn(chance, faults, kinds), sessions, done, tell=tell)
                house.host.end()
            finally:
                if house.host.process.poll() is None:
                    house.host.end()
                house.close_host()
            check_no_orphan(house)
            check_stored(house)
            report = Report(
                seed, Counter(done), len(house.decided), tuple(house.longest), time.monotonic() - begun, disk.name
            )
    except Broken as broken:
        raise Broken(f"seed {seed}, fault {len(done)} ({done[-1] if done else 'none yet'}): {broken}") from broken
    finally:
        server.process.terminate()
        server.process.wait()
    return report


def _shake(house: ChaosHouse, faults: Sequence[str], sessions: int, done: list[str], *, tell: bool) -> None:
    for number in range(sessions):
        house.spawn("builtin" if number % 5 == 4 or number == sessions - 1 else KINDS[number % 5 % len(KINDS)])
    for name in faults:
        session = _victim(house, name)
        house.during = f"fault {len(done) + 1}, {name}, {session.kind}"
        _traffic(house, session)
        done.append(name)
        begun = time.monotonic()
        FAULTS[name](house, session)
        house.settled(session)
        house.speaks(session)
        if tell:
            print(f"{len(done):4} {name:24} {session.kind:8} {time.monotonic() - begun:5.1f} s", flush=True)
    house.during = "after the last fault"
    for session in house.sessions:
        house.settled(session)
        house.speaks(session)


def _drawn(chance: random.Random, faults: int, kinds: Sequence[str]) -> list[str]:
    """Every fault as often as any other, in random order."""
    names = [name for _ in range(faults // len(kinds) + 1) for name in chance.sample(kinds, len(kinds))]
    return names[:faults]


def _victim(house: ChaosHouse, name: str) -> ChaosSession:
    return house.chance.choice([session for session in house.sessions if fits(name, session)])


def _traffic(house: ChaosHouse, but: ChaosSession) -> None:
    """Some other session streams or asks while the fault happens."""
    others = [session for session in house.sessions if session is not but and not session.builtin]
    other = house.chance.choice(others)
    if house.state(other)["state"] in ("idle", "stopped", "interrupted"):
        word = house.chance.choice(["slow", "permission", "order"])
        house.done("session.message.send", session_id=other.id, message=word)
        if word == "permission" and house.chance.random() < 0.7:
            house.decide(other, house.waits(other)["id"], house.chance.choice(["go", "no"]))
