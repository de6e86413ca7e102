"""Findings of reviews: what is read from an answer, what is one finding and what is two."""

from __future__ import annotations

import json
from typing import Any

import pytest

from actions.runs.findings import Finding, as_message, merge, read_findings
from tests.stopwatch import Stopwatch

ROW = {"file": "a.py", "line": 3, "severity": "error", "text": "It breaks."}


def block(value: Any) -> str:
    return f"# Review\n\nSome words.\n\n```json\n{json.dumps(value)}\n```\n"


def finding(**changes: Any) -> Finding:
    return Finding.model_validate(ROW | changes)


@pytest.mark.parametrize(
    "text",
    [
        block({"findings": [ROW]}),
        block([ROW]),
        json.dumps({"findings": [ROW]}),
        block({"findings": []}) + block({"findings": [ROW]}),
        'An example:\n\n```json\n{"a": 1}\n```\n' + block({"findings": [ROW]}),
        "````json\r\n" + json.dumps({"findings": [ROW | {"confidence": 0.5}]}) + "\n````",
    ],
)
def test_the_last_fitting_block_counts(text: str) -> None:
    assert read_findings(None, text) == (finding(),)


def test_the_agents_own_data_comes_first() -> None:
    assert read_findings({"findings": [ROW | {"text": "own"}]}, block([ROW])) == (finding(text="own"),)
    assert read_findings({"summary": "x"}, block([ROW])) == (finding(),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no block at all", "no block of JSON"),
        ("```json\n{not json}\n```", "no block of JSON"),
        (block({"findings": [{"file": "a.py", "text": "x"}]}), "findings.0.severity"),
        (block({"findings": [ROW | {"severity": "high"}]}), "findings.0.severity"),
        (block({"findings": [ROW | {"line": 0}]}), "findings.0.line"),
        (block({"findings": [ROW | {"file": ""}]}), "findings.0.file"),
        ("```json\n" + "[" * 100_000 + "\n```", "no block of JSON"),
    ],
)
def test_what_does_not_fit_says_why(text: str, says: str) -> None:
    problem = read_findings(None, text)
    assert isinstance(problem, str)
    assert says in problem


def test_the_same_finding_of_two_providers_is_one() -> None:
    ours = finding(line=10, severity="warning", text="The password is never checked.")
    theirs = finding(file="./a.py", line=12, severity="error", text="the password is never  checked")
    other = finding(line=10, text="This loop never ends.")
    far = finding(line=40, text="The password is never checked.")
    merged = merge([("claude", [ours, far]), ("codex", [theirs, other])])
    assert [(f.line, f.severity, f.found_by) for f in merged] == [
        (10, "error", ("claude", "codex")),
        (10, "error", ("codex",)),
        (40, "error", ("claude",)),
    ]


def test_one_providers_two_findings_stay_two() -> None:
    twice = [finding(line=1, text="Unused import."), finding(line=2, text="Unused import.")]
    assert [f.line for f in merge([("claude", twice)])] == [1, 2]
    both = merge([("claude", twice), ("codex", twice)])
    assert [(f.line, f.found_by) for f in both] == [(1, ("claude", "codex")), (2, ("claude", "codex"))]


def test_the_message_names_place_severity_and_who() -> None:
    message = as_message(merge([("claude", [finding(), finding(line=None, severity="note", text="No test.")])]))
    assert "- [error] `a.py:3`: It breaks. (found by claude)" in message
    assert "- [note] `a.py`: No test. (found by claude)" in message


def test_each_ones_own_words_are_kept_beside_the_first_ones() -> None:
    ours, theirs = (
        finding(line=10, text="It never checks it."),
        finding(line=11, severity="note", text="It never checks"),
    )
    [one] = merge([("claude", [ours]), ("codex", [theirs])])
    assert [(said.provider, said.line, said.severity, said.text) for said in one.said] == [
        ("claude", 10, "error", "It never checks it."),
        ("codex", 11, "note", "It never checks"),
    ]


def test_a_finding_keeps_its_id_when_another_review_joins_and_the_same_words_twice_have_two() -> None:
    twice = [finding(), finding()]
    alone = merge([("claude", twice)])
    joined = merge([("claude", twice), ("codex", [finding(text="Something else."), finding()])])
    assert len({one.id for one in alone}) == 2
    assert {one.id for one in alone} < {one.id for one in joined}


def test_five_hundred_findings_of_three_are_merged_at_once() -> None:
    lines = [finding(file=f"f{at % 7}.py", line=at + 1, text=f"Number {at} is wrong.") for at in range(500)]
    watch = Stopwatch()
    merged = merge([(name, lines) for name in ("a", "b", "c")])
    assert watch.seconds < 10
    assert len(merged) == 500
    assert all(one.found_by == ("a", "b", "c") for one in merged)
