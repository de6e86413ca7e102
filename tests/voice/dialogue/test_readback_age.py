"""A spoken yes counts only for a read-back that is fresh."""

from __future__ import annotations

import pytest

from voice.dialogue.readback_age import in_time


@pytest.mark.parametrize(
    ("shown", "spoken", "counts"),
    [(100.0, 100.0, True), (100.0, 109.9, True), (100.0, 110.0, False), (100.0, 500.0, False), (100.0, 99.0, False)],
)
def test_a_yes_counts_for_less_than_ten_seconds(shown: float, spoken: float, counts: bool) -> None:
    assert in_time("yes", shown=shown, spoken=spoken) is counts


def test_a_no_counts_at_any_time() -> None:
    assert in_time("no", shown=100.0, spoken=500.0)
