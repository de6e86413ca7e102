import pytest

from actions.catalog.domains.requests import AnswerUserAction, DecideApproval, DeferApproval, RespondPermission
from desktop.inbox.choices import Answer, choices, takes_text
from tests.desktop.host import request

INPUTS = {
    "approval.request.decide": DecideApproval,
    "approval.request.defer": DeferApproval,
    "session.permission.respond": RespondPermission,
    "session.user_action.answer": AnswerUserAction,
}
OPTIONS = [
    {"id": "o1", "name": "Reject", "kind": "reject_once"},
    {"id": "o2", "name": "Always", "kind": "allow_always"},
    {"id": "o3", "name": "Once", "kind": "allow_once"},
]


@pytest.mark.parametrize("kind", ["approval", "permission", "question", "exit_plan"])
@pytest.mark.parametrize("options", [[], OPTIONS], ids=["free", "options"])
def test_every_answer_is_a_valid_call(kind: str, options: list) -> None:
    for choice in choices(request("r1", kind, options=options)):
        INPUTS[choice.action].model_validate(choice.filled("because"))
        if not choice.needs_text:
            INPUTS[choice.action].model_validate(choice.filled(""))


def test_an_approval_is_for_once_unless_said_otherwise() -> None:
    approve, reject, later = choices(request("a1"))
    assert approve.filled("ignored") == {"approval_id": "a1", "decision": "approve", "scope": "once"}
    assert reject.filled(" not here ") == {"approval_id": "a1", "decision": "reject", "feedback": "not here"}
    assert reject.filled("") == {"approval_id": "a1", "decision": "reject"}
    assert (later.answer, later.action) == (Answer.LATER, "approval.request.defer")


def test_a_permission_is_answered_by_the_agents_own_options() -> None:
    found = {choice.label: choice for choice in choices(request("p1", "permission", options=OPTIONS))}
    assert found["Reject"].filled("no") == {
        "session_id": "s1",
        "request_id": "p1",
        "decision": "deny",
        "option_id": "o1",
        "feedback": "no",
    }
    assert found["Always"].input["option_id"] == "o2"
    assert [label for label, choice in found.items() if choice.main] == ["Once"]


def test_a_request_that_cannot_be_decided_offers_nothing() -> None:
    assert choices(request("a1", decidable=False)) == []
    assert not takes_text(request("a1", decidable=False))


def test_a_failed_run_can_be_opened_though_it_decides_nothing() -> None:
    (look,) = choices(request("run_1", "failed_run", decidable=False))
    assert (look.answer, dict(look.input)) == (Answer.OPEN_RUN, {"target": "run", "id": "run_1"})
    assert choices(request("a1", decidable=False)) == []
