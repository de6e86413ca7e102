"""Exit codes, and errors of hosts that know more than this command."""

from __future__ import annotations

import pytest

from actions.cli.answer import error_from, exit_of
from actions.cli.deciding import answer_fields
from actions.errors import ErrorCode

EXITS = {
    2: {"invalid_input", "session_not_selected", "ambiguous"},
    4: {"rejected", "action_disabled", "unsupported_surface", "present_user_required"},
}


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_code_has_its_exit(code: ErrorCode) -> None:
    expected = next((exit for exit, codes in EXITS.items() if code.value in codes), 1)
    assert exit_of(error_from({"code": code.value, "message": "m", "details": {}})) == expected


def test_what_the_provider_calls_retryable_is_75() -> None:
    assert exit_of(error_from({"code": "failed", "message": "m", "details": {"retryable": True}})) == 75
    assert exit_of(error_from({"code": "failed", "message": "m", "details": {"retryable": False}})) == 1


def test_a_code_of_a_newer_host_is_a_failure_that_keeps_its_name() -> None:
    error = error_from({"code": "too_new", "message": "m"})
    assert (error.code, error.details) == (ErrorCode.FAILED, {"code": "too_new"})


def test_answers_in_the_forms_that_people_give() -> None:
    assert answer_fields("blue") == {"answer": "blue"}
    assert answer_fields(7) == {"answer": "7"}
    assert answer_fields({"answer": "blue"}) == {"answer": "blue"}
    assert answer_fields({"decision": "request_changes", "reason": "smaller"}) == {
        "decision": "request_changes",
        "reason": "smaller",
    }
    assert answer_fields({"Which colour?": ["red", "blue"], "Sure?": True}) == {
        "answers": [
            {"question": "Which colour?", "values": ["red", "blue"]},
            {"question": "Sure?", "values": ["true"]},
        ]
    }
    assert answer_fields([{"question": "q", "values": ["v"]}]) == {"answers": [{"question": "q", "values": ["v"]}]}
