"""voice_listening.*: what listening costs: time to a decision, CPU in silence, memory beside the model, and no leak.

``SAYSO_BENCH_HOURS`` is how many hours of sound go through the listening path, faster than real time (1; the promise is
about 8). Each figure is measured in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.harness import Figure

_WORKER = str(Path(__file__).with_name("floors") / "listening_worker.py")
HOURS = os.environ.get("SAYSO_BENCH_HOURS", "1")


def _measure(what: str, *more: str) -> dict[str, float]:
    """Raises RuntimeError when the worker fails."""
    ended = subprocess.run([sys.executable, _WORKER, what, *more], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"listening {what} ended with {ended.returncode}: {ended.stderr[-800:]}")
    return json.loads(ended.stdout.splitlines()[-1])


def figures() -> Iterator[Figure]:
    """Capture to decision counts the 32 ms that a window takes to fill."""
    long = _measure("listen", HOURS)
    yield Figure("voice_listening.to_decision", long["decision_p95"], "ms", 60.0)
    yield Figure("voice_listening.cpu_in_silence", long["cpu"], "%", 3.0)
    yield Figure("voice_listening.growth", long["growth"], "MB", 5.0)
    bare, ours = _measure("model"), _measure("memory")
    yield Figure("voice_listening.memory", max(0.0, ours["rss"] - bare["rss"]), "MB", 60.0)
