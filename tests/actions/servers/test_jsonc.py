"""Edits of commented JSON: the smallest change, everything else as it was written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actions.servers.jsonc.editing import drop, put
from actions.servers.jsonc.reading import BrokenJson, read

FILE = """\
{
    // mine
    "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "x"] }, // stays
        /* a block */
        "git": {
            "command": "uvx", // the runner
            "unknown": [1, 2,],
        },
    },
    "other": true,
}
"""


def test_comments_trailing_commas_and_a_mark_are_read():
    assert read("\ufeff" + FILE).value == {
        "mcpServers": {
            "files": {"command": "npx", "args": ["-y", "x"]},
            "git": {"command": "uvx", "unknown": [1, 2]},
        },
        "other": True,
    }


def test_a_member_is_added_after_the_last_in_the_files_own_indent():
    changed = put(FILE, ["mcpServers", "time"], {"command": "uvx", "args": ["t"]})
    assert changed == FILE.replace(
        '            "unknown": [1, 2,],\n        },\n',
        '            "unknown": [1, 2,],\n        },\n'
        '        "time": {\n            "command": "uvx",\n            "args": ["t"]\n        },\n',
    )


def test_only_the_changed_value_is_rewritten():
    assert put(FILE, ["mcpServers", "git"], {"command": "bunx", "unknown": [1, 2]}) == FILE.replace('"uvx"', '"bunx"')


def test_a_line_goes_with_its_member_and_the_comma_with_the_last():
    assert drop(FILE, ["mcpServers", "files"]) == FILE.replace(
        '        "files": { "command": "npx", "args": ["-y", "x"] }, // stays\n', ""
    )
    assert drop('{"a": 1, "b": 2}', ["b"]) == '{"a": 1}'
    assert drop('{"a": 1, "b": 2}', ["a"]) == '{"b": 2}'
    assert drop('{\n  "a": 1,\n  "b": 2\n}\n', ["b"]) == '{\n  "a": 1\n}\n'


def test_an_empty_file_becomes_an_object():
    assert json.loads(put("", ["mcpServers", "a"], {"command": "x"})) == {"mcpServers": {"a": {"command": "x"}}}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3),
        ('{\n"a": tru\n}', 2, 6),
        ('{"a": "x\n"}', 1, 7),
        ("{} x", 1, 4),
        ("/* x", 1, 1),
    ],
)
def test_a_mistake_has_its_place(text, line, column):
    with pytest.raises(BrokenJson) as broken:
        read(text)
    assert (broken.value.line, broken.value.column) == (line, column)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
_objects = st.dictionaries(st.text(max_size=4), _values, max_size=4)


@settings(max_examples=150, deadline=None)
@given(_objects, st.lists(st.text(max_size=4), min_size=1, max_size=3), _values, st.sampled_from([None, 2, "\t"]))
def test_whatever_is_put_is_there_and_the_rest_as_before(start, path, value, indent):
    expected = json.loads(json.dumps(start))
    place = expected
    for key in path[:-1]:
        if not isinstance(place.setdefault(key, {}), dict):
            return
        place = place[key]
    place[path[-1]] = value
    text = put(json.dumps(start, indent=indent), path, value)
    assert read(text).value == expected
    del place[path[-1]]
    assert read(drop(text, path)).value == expected
