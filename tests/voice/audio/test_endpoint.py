"""Where an utterance begins and ends, by hand-made probabilities. A window is 32 ms."""

from __future__ import annotations

import numpy as np
import pytest

from voice.audio.endpoint import Endpointer, EndReason, Segment
from voice.audio.format import WINDOW

LOUD, QUIET, MIDDLE = 0.9, 0.1, 0.4


def _push(endpointer: Endpointer, *parts: tuple[float, int]) -> list[tuple[int, Segment]]:
    """Feed ``(probability, windows)``; each window holds its own number. Gives what came out, and when."""
    out: list[tuple[int, Segment]] = []
    number = 0
    for probability, count in parts:
        for _ in range(count):
            segment = endpointer.push(np.full(WINDOW, number, np.float32), probability)
            number += 1
            if segment is not None:
                out.append((number, segment))
    return out


def _numbers(segment: Segment) -> list[int]:
    return [int(value) for value in segment.audio[::WINDOW]]


def test_preroll_and_end_of_quiet() -> None:
    # Onset at window 31 (the second loud one); 0.45 s are 14 windows, so it begins at 18. 0.7 s are 22 windows.
    ((when, segment),) = _push(Endpointer(), (QUIET, 30), (LOUD, 20), (QUIET, 40))
    assert when == 30 + 20 + 22
    assert _numbers(segment) == list(range(18, 72))
    assert segment.start == pytest.approx(18 * 0.032)
    assert segment.end == pytest.approx(72 * 0.032)
    assert segment.ended is EndReason.QUIET


def test_one_loud_window_is_no_speech() -> None:
    endpointer = Endpointer()
    assert _push(endpointer, *[(LOUD, 1), (QUIET, 3)] * 20) == []
    assert not endpointer.speaking
    assert endpointer.finish() is None


def test_less_than_150_ms_of_speech_is_dropped() -> None:
    assert _push(Endpointer(), (QUIET, 20), (LOUD, 4), (QUIET, 40)) == []
    assert len(_push(Endpointer(), (QUIET, 20), (LOUD, 5), (QUIET, 40))) == 1


def test_a_pause_shorter_than_the_limit_is_inside() -> None:
    assert len(_push(Endpointer(), (LOUD, 10), (QUIET, 21), (LOUD, 10), (QUIET, 30))) == 1
    assert len(_push(Endpointer(), (LOUD, 10), (QUIET, 22), (LOUD, 10), (QUIET, 30))) == 2


def test_half_loud_neither_starts_nor_ends() -> None:
    assert _push(Endpointer(), (MIDDLE, 100)) == []
    ((when, _),) = _push(Endpointer(), (LOUD, 10), (MIDDLE, 100), (QUIET, 22))
    assert when == 132


def test_endless_speech_is_cut_at_15_seconds() -> None:
    ((when, segment),) = _push(Endpointer(), (LOUD, 500))
    assert (when, segment.ended) == (469, EndReason.LONGEST)
    assert len(segment.audio) / 16_000 == pytest.approx(15, abs=0.02)


def test_release_gives_what_is_open() -> None:
    endpointer = Endpointer()
    _push(endpointer, (QUIET, 5), (LOUD, 10))
    assert endpointer.speaking
    segment = endpointer.finish()
    assert segment is not None
    assert segment.ended is EndReason.RELEASED
    assert _numbers(segment) == list(range(15))
    assert endpointer.finish() is None
