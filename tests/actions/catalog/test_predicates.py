"""The predicates: strict, total, and the same after a round trip through JSON."""

from __future__ import annotations

import pytest

from actions.catalog.predicates import all_, any_, as_json, eq, from_json, holds, includes, lookup, not_, paths, truthy

DRAFT = {"change": "branch", "n": 1, "on": True, "empty": [], "names": ["a", "b"], "deep": {"x": {"y": 2}}}


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (truthy("on"), True),
        (truthy("empty"), False),
        (truthy("missing"), False),
        (truthy("deep.x.y"), True),
        (eq("change", "branch"), True),
        (eq("change", "Branch"), False),
        (eq("n", True), False),
        (eq("n", "1"), False),
        (eq("n", 1), True),
        (eq("missing", None), True),
        (includes("names", "b"), True),
        (includes("names", "c"), False),
        (includes("change", "b"), False),
        (not_(truthy("on")), False),
        (all_(truthy("on"), eq("n", 1)), True),
        (all_(truthy("on"), eq("n", 2)), False),
        (all_(), True),
        (any_(eq("n", 2), truthy("on")), True),
        (any_(), False),
    ],
)
def test_holds(predicate, expected):
    assert holds(predicate, DRAFT) is expected
    assert from_json(as_json(predicate)) == predicate


def test_lookup_of_a_path_through_something_that_is_no_object_is_none():
    assert lookup(DRAFT, "change.x") is None
    assert lookup(DRAFT, "deep.x.y") == 2


def test_paths_names_every_field_that_is_read():
    assert set(paths(all_(eq("a", 1), not_(any_(truthy("b"), includes("c", 1)))))) == {"a", "b", "c"}


def test_no_predicate_is_none_in_json():
    assert as_json(None) is None
    assert from_json(None) is None


@pytest.mark.parametrize("bad", [{"maybe": "x"}, {"not": None}])
def test_an_unknown_shape_is_refused(bad):
    with pytest.raises(ValueError, match=r"unknown predicate|missing"):
        from_json(bad)
