"""Look at something in a process of its own: a library that crashes or hangs takes nobody along."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

PATIENCE_S = 60.0


class Seen(NamedTuple):
    """What a probe printed as JSON, or ``why`` it did not."""

    data: dict[str, Any] | None
    why: str = ""


def look(code: str, environ: Mapping[str, str], *, patience_s: float = PATIENCE_S) -> Seen:
    """Run a few lines of Python that print one JSON object."""
    return _run([sys.executable, "-P", "-c", code], environ, patience_s)


def command(words: list[str], environ: Mapping[str, str], *, patience_s: float = PATIENCE_S) -> Seen:
    """Run one of our own commands, which prints one JSON document."""
    return _run([sys.executable, "-P", "-m", "actions.cli.main", *words, "--json"], environ, patience_s)


def _run(argv: list[str], environ: Mapping[str, str], patience_s: float) -> Seen:
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience_s, env=dict(environ), check=False
        )
    except subprocess.TimeoutExpired:
        return Seen(None, f"it did not answer within {patience_s:g} s")
    except OSError as error:
        return Seen(None, error.strerror or str(error))
    try:
        found = json.loads(done.stdout.decode(errors="replace").strip().splitlines()[-1])
    except (ValueError, IndexError):
        return Seen(None, _why(done.returncode, done.stderr.decode(errors="replace")))
    return Seen(found) if isinstance(found, dict) else Seen(None, "it printed something else")


def _why(status: int, stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    last = lines[-1] if lines else f"it ended with status {status}"
    if status < 0:
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
        return f"it crashed ({name}){': ' + lines[0] if lines else ''}"
    return last


def quiet(environ: Mapping[str, str]) -> dict[str, str]:
    """An environment in which a probe leaves no compiled files behind and asks nobody."""
    silent = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONFAULTHANDLER": ""}
    offline = {"HF_HUB_OFFLINE": "1", "ORT_DISABLE_TELEMETRY": "1"}
    path = {} if "PATH" in environ else {"PATH": os.defpath}
    return {**environ, **silent, **offline, **path}
