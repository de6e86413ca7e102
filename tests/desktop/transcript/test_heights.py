from hypothesis import given
from hypothesis import strategies as st

from desktop.transcript.heights import Heights

_HEIGHTS = st.lists(st.integers(1, 500), max_size=60)


@given(_HEIGHTS, st.lists(st.integers(1, 500), max_size=10), st.data())
def test_agrees_with_plain_sums(start: list[int], appended: list[int], data: st.DataObject) -> None:
    heights, plain = Heights(start), list(start)
    for height in appended:
        heights.append(height)
        plain.append(height)
    for _ in range(5):
        if plain:
            row = data.draw(st.integers(0, len(plain) - 1))
            plain[row] = data.draw(st.integers(1, 500))
            heights[row] = plain[row]
    assert len(heights) == len(plain)
    assert heights.total == sum(plain)
    assert [heights.offset(row) for row in range(len(plain))] == [sum(plain[:row]) for row in range(len(plain))]
    for y in range(0, sum(plain), 37):
        row = heights.row_at(y)
        assert sum(plain[:row]) <= y < sum(plain[: row + 1])


def test_outside_is_the_first_or_last_row() -> None:
    heights = Heights([10, 20])
    assert (heights.row_at(-5), heights.row_at(0), heights.row_at(10), heights.row_at(999)) == (0, 0, 1, 1)
    assert Heights().row_at(0) == -1
