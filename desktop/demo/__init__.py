"""``sayso demo``: the main job, from a spoken command to a finished run, in the real window on a real host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def run(argv: Sequence[str], ctx: Any = None) -> int:
    """Run the demo with ``argv`` (without "demo"); exit code 0 only when every step truly happened."""
    from desktop.demo.command import main

    return main(argv)
