"""Whatever a model writes: nothing escapes, every call ends."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actions.agent.toolset.results import ErrorClass
from tests.actions.agent.toolset.rig import Echo, Loose, Rig, args
from tests.stopwatch import Stopwatch

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
JSON_TEXT = st.recursive(
    st.sampled_from(["1", "-0.0", "1e400", "NaN", "null", '"\\ud800"', '"a\nb"', "9" * 5000]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]")
        | st.lists(inner, max_size=3).map(lambda items: "{" + ",".join(f'"k":{item}' for item in items) + "}")
    ),
    max_leaves=6,
)


@given(st.lists(st.tuples(st.sampled_from(["Echo", "Loose", "Nope", ""]), ANY_TEXT | JSON_TEXT), max_size=6))
@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60
)
async def test_any_arguments_end_in_a_result(calls: list[tuple[str, str]]) -> None:
    rig = Rig(Echo(), Loose())
    for _ in range(3):
        results, report = await rig.step(*calls)
        assert len(results) == len(report.keys) == len(calls)
    assert not (await rig.start("Echo", '{"text":"still works"}')).is_error


@pytest.mark.parametrize("raw", ["[" * 100_000, '{"text":' * 100_000, "[" * 100_000 + "]" * 100_000])
async def test_76_brackets_without_end(raw: str) -> None:
    """Case 76."""
    rig = Rig(Echo(), Loose())
    for name in ("Echo", "Loose"):
        began = Stopwatch()
        result = await rig.start(name, raw)
        assert began.seconds < 0.1
        assert result.error is ErrorClass.BAD_JSON
    assert (await rig.start("Echo", "{}")).output == "ok"


@pytest.mark.parametrize("raw", ['{"text":"\ud800"}', '{"text":"\\ud800"}', '{"\\udfff":1}', "\ud800"])
async def test_lone_surrogates(raw: str) -> None:
    rig = Rig(Echo(), Loose())
    for _ in range(6):
        results, _ = await rig.step(("Echo", raw), ("Loose", raw), ("Nope", raw))
        assert len(results) == 3
    assert (await rig.start("Echo", '{"text":"fine"}')).output == "fine"


async def test_ten_megabytes() -> None:
    rig = Rig(Echo(), Loose())
    for raw in (args(text="x y " * 2_500_000), "x" * 10_000_000):
        for _ in range(5):
            results, _ = await rig.step(("Echo", raw), ("Nope", raw))
            assert len(results) == 2
