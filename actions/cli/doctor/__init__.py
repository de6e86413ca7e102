"""`sayso doctor`: what works here, and what to do about what does not."""

from __future__ import annotations

from actions.cli.answer import Answer
from actions.cli.invocation import Invocation


def run(call: Invocation) -> Answer:
    """Check everything. Problems are an answer, not a failure: the exit code is 0."""
    from actions.cli.doctor.checks import everything
    from actions.cli.doctor.text import as_text

    checks = everything(call)
    data = {"ok": all(check.ok for check in checks), "checks": [check._asdict() for check in checks]}
    return Answer("doctor", data, text=as_text(checks))
