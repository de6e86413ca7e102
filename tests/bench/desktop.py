"""desktop.*: what a person waits for in the window, against the least possible Qt program in the same run.

Each figure is measured in a child process of its own, offscreen, so that no other benchmark shares its Qt.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.harness import Figure

_WORKER = str(Path(__file__).with_name("floors") / "desktop_worker.py")


def _measure(what: str, *, rounds: int = 1) -> dict[str, float]:
    """The figures of the worker for ``what``; the median of ``rounds`` runs. Raises RuntimeError if it fails."""
    runs: list[dict[str, float]] = []
    for _ in range(rounds):
        ended = subprocess.run(
            [sys.executable, _WORKER, what],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if ended.returncode != 0:
            raise RuntimeError(f"desktop {what} ended with {ended.returncode}: {ended.stderr[-800:]}")
        runs.append(json.loads(ended.stdout.splitlines()[-1]))
    return {key: sorted(run[key] for run in runs)[len(runs) // 2] for key in runs[0]}


def figures() -> Iterator[Figure]:
    """Window, transcript, launcher. A limit without a floor is a frame, or what a person does not notice."""
    window = _measure("window", rounds=3)
    yield Figure("desktop.window", window["ours"], "ms", 1.4, window["floor"])
    transcript = _measure("transcript", rounds=3)
    # Milliseconds of CPU. The limits are what a person does not notice, and a frame of a screen.
    yield Figure("desktop.transcript_open", transcript["open"], "ms", 100.0)
    yield Figure("desktop.transcript_append", transcript["append_p95"], "ms", 12.0)
    yield Figure("desktop.transcript_stream", transcript["stream_p95"], "ms", 12.0)
    yield Figure("desktop.transcript_scroll", transcript["scroll_p95"], "ms", 16.0)
    yield Figure("desktop.transcript_memory", transcript["memory"], "MB", 30.0)
    yield Figure("desktop.transcript_jump", transcript["jump"], "px", 0.0)
    yield Figure("desktop.ui_lateness", _measure("lateness", rounds=3)["p99"], "ms", 8.0)
    yield Figure("desktop.idle_cpu", _measure("idle")["cpu"], "%", 1.0)
    launcher = _measure("launcher", rounds=3)
    yield Figure("desktop.launcher", launcher["open_p95"], "ms", 30.0)
    yield Figure("desktop.launcher_options", launcher["options_p95"], "ms", 30.0)
