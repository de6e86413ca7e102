"""Ids sort by time, say what they name, and differ early."""

from __future__ import annotations

import time

from actions.storage.ids import Prefix, new_id, now_ms


def test_ids_sort_by_the_time_they_were_made() -> None:
    ids: list[str] = []
    for _ in range(50):
        ids.append(new_id(Prefix.SESSION))
        time.sleep(0.0001)
    assert ids == sorted(ids)
    assert all(i.startswith("ses_") and len(i) == 24 for i in ids)


def test_ids_differ_even_when_made_at_once() -> None:
    assert len({new_id(Prefix.RUN) for _ in range(20_000)}) == 20_000


def test_a_second_apart_is_told_by_eight_characters() -> None:
    first = new_id(Prefix.SESSION)
    time.sleep(1.1)
    assert new_id(Prefix.SESSION)[4:12] != first[4:12]


def test_times_are_milliseconds() -> None:
    assert abs(now_ms() - time.time() * 1000) < 1000
