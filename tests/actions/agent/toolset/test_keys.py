"""When two calls are the same call."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.agent.toolset.keys import LONG_KEY, digest, parse, raw_key
from tests.actions.agent.toolset.rig import args

EQUAL = {
    "key order": ('{"a":1,"b":2}', '{"b":2,"a":1}'),
    "key order, nested": ('{"a":{"x":1,"y":2}}', '{"a":{"y":2,"x":1}}'),
    "key order, inside lists": ('{"a":[{"x":1,"y":2}]}', '{"a":[{"y":2,"x":1}]}'),
    "white space outside strings": ('{"a":[1,2]}', ' { "a" :\n[ 1,\t2 ] } '),
    "unicode escapes": ('{"a":"\\u00e9"}', '{"a":"é"}'),
    "escaped slash": ('{"a":"b\\/c"}', '{"a":"b/c"}'),
    "raw newline": ('{"a":"b\nc"}', '{"a":"b\\nc"}'),
    "duplicate keys, the last wins": ('{"a":1,"a":2}', '{"a":2}'),
    "exponent": ('{"a":1e2}', '{"a":100.0}'),
    "minus zero": ('{"a":-0}', '{"a":0}'),
    "nothing and an empty object": ("", "{}"),
    "blank and an empty object": (" \n", "{}"),
    "escapes of a surrogate pair": ('{"a":"\\ud83d\\ude00"}', '{"a":"😀"}'),
    "lone surrogate, escaped and raw": ('{"a":"\\ud800"}', '{"a":"\ud800"}'),
    "long strings": (args(a="x" * 5000, b=1), args(b=1, a="x" * 5000)),
}

DIFFERENT = {
    "white space inside strings": ('{"a":"b c"}', '{"a":"b  c"}'),
    "1 and 1.0": ('{"a":1}', '{"a":1.0}'),
    "true and 1": ('{"a":true}', '{"a":1}'),
    "list order": ('{"a":[1,2]}', '{"a":[2,1]}'),
    "NFC and NFD": ('{"a":"\u00e9"}', '{"a":"e\u0301"}'),
    "missing and null": ("{}", '{"a":null}'),
    "missing and an explicit default": ("{}", '{"a":""}'),
    "minus zero as a float": ('{"a":-0.0}', '{"a":0.0}'),
    "long strings that differ at the end": (args(a="x" * 5000 + "y"), args(a="x" * 5000 + "z")),
    "long string and its digest": (args(a="x" * 5000), args(a="sha256:x")),
    "text and number": ('{"a":"1"}', '{"a":1}'),
    "-1 and -2": ('{"a":-1}', '{"a":-2}'),
    "no JSON, other white space": ("{bad", "{bad "),
}


def key(raw: str) -> tuple[str, str]:
    return parse("T", raw)[0]


@pytest.mark.parametrize("pair", EQUAL.values(), ids=EQUAL.keys())
def test_same_key(pair: tuple[str, str]) -> None:
    assert key(pair[0]) == key(pair[1])


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_other_key(pair: tuple[str, str]) -> None:
    assert key(pair[0]) != key(pair[1])


def test_the_tool_belongs_to_the_key() -> None:
    assert parse("A", "{}")[0] != parse("B", "{}")[0]


def test_the_key_of_short_arguments_is_their_canonical_text() -> None:
    assert key('{ "b": [1, true, null, 1.5], "a": {"d": "é", "c": "x"} }') == (
        "T",
        '{"a":{"c":"x","d":"é"},"b":[1,true,null,1.5]}',
    )


def test_a_key_stays_small_however_large_the_arguments() -> None:
    for raw in (args(a="x" * 10_000_000), json.dumps(list(range(50_000))), "{" * 100_000):
        assert len(key(raw)[1]) <= LONG_KEY
        assert len(raw_key("T", raw)[1]) <= LONG_KEY


@pytest.mark.parametrize("raw", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000 + "]" * 5_000])
def test_nesting_without_end_is_a_problem_and_no_exception(raw: str) -> None:
    found, arguments, problem = parse("T", raw)
    assert arguments is None
    assert problem
    assert found == parse("T", raw)[0]


def test_the_digest_is_eight_hex_digits() -> None:
    assert len(digest(key("{}"))) == 8
    assert int(digest(key("{}")), 16) >= 0
    assert digest(key("{}")) != digest(key('{"a":1}'))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def exact(value: Any) -> Any:
    """``value`` so that Python's equality tells apart what a key must tell apart."""
    if isinstance(value, dict):
        return ("object", frozenset((name, exact(item)) for name, item in value.items()))
    if isinstance(value, list):
        return ("array", tuple(exact(item) for item in value))
    if isinstance(value, float):
        return ("float", value, math.copysign(1, value))
    return (type(value).__name__, value)


@given(JSON, JSON)
def test_keys_are_equal_exactly_when_the_values_are(one: Any, other: Any) -> None:
    spelled = json.dumps(one, ensure_ascii=False, separators=(",", ":")), json.dumps(one, indent=3)
    assert key(spelled[0]) == key(spelled[1])
    assert (key(spelled[0]) == key(json.dumps(other))) == (exact(one) == exact(other))


@given(st.text())
def test_any_text_has_a_key(raw: str) -> None:
    assert key(raw) == key(raw)
