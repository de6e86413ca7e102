"""Streaks and cycles in a sequence of calls."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actions.agent.toolset.dedup import SEEN_LIMIT, Seen, Sequence, action_at


def counts(items: str) -> list[int]:
    sequence: Sequence[str] = Sequence()
    return [sequence.push(item) for item in items]


def by_hand(items: str) -> int:
    """How many whole times the end of ``items`` repeats its last 1 to 4 items: looked up, not counted along."""
    best = 1
    for period in range(1, 5):
        turns = 1
        while items[-period:] * (turns + 1) == items[-period * (turns + 1) :]:
            turns += 1
        best = max(best, turns)
    return best


def test_12_tiers() -> None:
    """Case 12, the table: streak 1 to 14."""
    assert [action_at(count) for count in range(1, 15)] == (
        ["none"] * 2 + ["r1"] * 2 + ["r2"] * 3 + ["r3"] * 4 + ["stop"] * 3
    )


def test_a_streak_counts_and_another_call_starts_again() -> None:
    assert counts("XXXYX") == [1, 2, 3, 1, 1]


def test_73_a_cycle_counts_once_each_time_round() -> None:
    """Case 73: A B A B A B is three cycles at its sixth call."""
    assert counts("ABABAB") == [1, 1, 1, 2, 2, 3]
    assert counts("AB" * 12)[-1] == 12


def test_cycles_of_three_and_four_count_and_of_five_do_not() -> None:
    assert counts("ABC" * 3)[-1] == 3
    assert counts("ABCD" * 3)[-1] == 3
    assert counts("ABCDE" * 3)[-1] == 1


def test_a_cycle_may_hold_a_call_twice() -> None:
    assert counts("ABBA" * 3)[-1] == 3


@given(st.text(alphabet="AB", max_size=40) | st.text(alphabet="ABCD", max_size=40))
def test_counts_are_those_found_by_looking_back(items: str) -> None:
    assert counts(items) == [by_hand(items[: end + 1]) for end in range(len(items))]


def test_a_copy_goes_its_own_way() -> None:
    sequence: Sequence[str] = Sequence()
    sequence.push("A")
    other = sequence.copy()
    assert (other.push("A"), sequence.push("B"), other.push("A")) == (2, 1, 3)


def test_what_was_seen_is_bounded() -> None:
    seen = Seen(("T", str(number)) for number in range(SEEN_LIMIT + 10))
    assert ("T", "9") not in seen
    assert ("T", "10") in seen
    assert ("T", str(SEEN_LIMIT + 9)) in seen
