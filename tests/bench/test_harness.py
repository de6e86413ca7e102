"""The harness itself: what counts as over the limit, and that timing is of whole processes."""

from __future__ import annotations

import sys
import time

import pytest

from tests.bench.harness import Figure, in_turns, process


def test_a_figure_with_a_floor_is_held_by_its_ratio() -> None:
    figure = Figure("cli.help", 45.0, "ms", limit=1.5, floor=30.0)
    assert (figure.ratio, figure.ok) == (1.5, True)
    assert not Figure("cli.help", 45.1, "ms", limit=1.5, floor=30.0).ok


def test_a_figure_without_a_floor_is_held_by_its_value() -> None:
    assert Figure("voice.rtf", 0.5, "x", limit=0.5).as_json() == {
        "name": "voice.rtf",
        "value": 0.5,
        "unit": "x",
        "floor": None,
        "ratio": None,
        "limit": 0.5,
        "ok": True,
    }


def test_both_are_measured_in_milliseconds() -> None:
    pair = in_turns(lambda: time.sleep(0.03), lambda: time.sleep(0.01), rounds=3, warmup=0)
    assert 30 <= pair.subject_ms < 200
    assert 10 <= pair.floor_ms < 150


def test_a_command_that_fails_is_no_figure() -> None:
    with pytest.raises(RuntimeError, match=r"ended with 3: because"):
        process([sys.executable, "-c", "import sys; sys.stderr.write('because'); sys.exit(3)"])()
