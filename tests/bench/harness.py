"""What benchmarks share: the shape of a figure, and whole processes timed against a floor in the same run."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured cost: the smaller, the better.

    ``floor`` is what the least possible program, or a peer, needs for the same in the same run, in the same unit;
    then ``limit`` bounds ``value / floor``. Without a floor ``limit`` bounds ``value`` itself.
    """

    name: str
    value: float
    unit: str
    limit: float
    floor: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.floor is None else self.value / self.floor

    @property
    def ok(self) -> bool:
        return (self.value if self.ratio is None else self.ratio) <= self.limit

    def as_json(self) -> dict[str, Any]:
        """``{name, value, unit, floor, ratio, limit, ok}``, rounded to four significant digits."""
        digits = {key: _rounded(value) for key, value in asdict(self).items()}
        return {
            **{key: digits[key] for key in ("name", "value", "unit", "floor")},
            "ratio": _rounded(self.ratio),
            "limit": self.limit,
            "ok": self.ok,
        }


def _rounded(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def percentile(samples: Sequence[float], part: float) -> float:
    """The sample below which ``part`` of all lie."""
    return sorted(samples)[int(part * (len(samples) - 1))]


@dataclass(frozen=True, slots=True)
class Pair:
    """Medians of two subjects measured in turns, in milliseconds."""

    subject_ms: float
    floor_ms: float


def in_turns(subject: Callable[[], object], floor: Callable[[], object], *, rounds: int = 15, warmup: int = 2) -> Pair:
    """Time both, one after the other in each round, so that a busy machine slows both alike."""
    taken: dict[str, list[float]] = {"subject": [], "floor": []}
    for number in range(warmup + rounds):
        for key, call in (("subject", subject), ("floor", floor)):
            started = time.perf_counter()
            call()
            if number >= warmup:
                taken[key].append((time.perf_counter() - started) * 1000)
    return Pair(statistics.median(taken["subject"]), statistics.median(taken["floor"]))


def process(argv: Sequence[str], env: Mapping[str, str] | None = None) -> Callable[[], None]:
    """A call that runs the command from start to exit. Raises RuntimeError, with its stderr, if it fails."""

    def run() -> None:
        ended = subprocess.run(
            argv, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        if ended.returncode != 0:
            raise RuntimeError(
                f"{' '.join(argv)} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-800:]}"
            )

    return run
