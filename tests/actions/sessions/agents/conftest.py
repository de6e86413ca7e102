"""One real agent at a time: its tests share one host and one session, in the order of the file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.actions.sessions.agents.hosted import Hosted, hosted
from tests.actions.sessions.agents.installed import AGENTS, ROWS, agent


@pytest.fixture(scope="module", params=list(ROWS))
def subject(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    """An installed agent under a host of its own; a missing one skips with the reason."""
    found = agent(request.param)
    if reason := found.missing():
        (AGENTS / "run").mkdir(parents=True, exist_ok=True)
        (AGENTS / "run" / f"{found.id}.json").unlink(missing_ok=True)
        pytest.skip(f"{found.id}: {reason}")
    with hosted(found) as running:
        yield running
    if not request.session.testsfailed:  # what it left tells why
        shutil.rmtree(AGENTS / "run" / found.id, ignore_errors=True)
