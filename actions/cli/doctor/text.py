"""The checks as lines for a person."""

from __future__ import annotations

import sys

from actions.cli.doctor.check import Check
from actions.cli.output import colours
from actions.cli.width import pad


def as_text(checks: list[Check]) -> str:
    """A line a check, and under a problem its fix; then how many problems there are."""
    column = max(len(check.name) for check in checks) + 2
    on = colours(sys.stdout)
    lines: list[str] = []
    for check in checks:
        mark = _mark(check.ok, on)
        lines.append(f"{mark} {pad(check.name, column)}{check.detail}")
        if check.fix:
            lines.append(f"  {' ' * column}{check.fix}")
    wrong = sum(not check.ok for check in checks)
    return "\n".join(
        [*lines, "", "Everything works." if not wrong else f"Does not work here: {wrong} of {len(checks)}."]
    )


def _mark(ok: bool, coloured: bool) -> str:
    mark = "✓" if ok else "✗"
    return f"\x1b[{32 if ok else 31}m{mark}\x1b[0m" if coloured else mark
