"""A little chaos on every run; all of it by ``python -m tests.chaos``."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.chaos.faults import FAULTS
from tests.chaos.play import play

_SLOW = {"429 for ever", "frozen agent"}


@pytest.mark.timeout(240)
def test_a_few_faults_cost_no_word_no_decision_and_no_session(tmp_path: Path) -> None:
    kinds = [name for name in FAULTS if name not in _SLOW]
    seed = random.SystemRandom().randrange(1_000_000)
    report = play(tmp_path, faults=len(kinds), sessions=4, seed=seed, patience=40, kinds=kinds)
    assert report.faults.total() == len(kinds)


@pytest.mark.bench
@pytest.mark.timeout(3600)
def test_two_hundred_faults_over_twenty_sessions(tmp_path: Path) -> None:
    report = play(tmp_path, faults=200, sessions=20, seed=random.SystemRandom().randrange(1_000_000), mount=True)
    assert report.faults.total() == 200
