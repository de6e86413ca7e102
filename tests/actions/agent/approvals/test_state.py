"""yolo and afk (cases 25 to 30)."""

from __future__ import annotations

import pytest

from actions.agent.approvals.state import ApprovalState, StoredState
from tests.actions.agent.approvals.calls import SessionDesk, wanted


def test_25_yolo_only() -> None:
    """Case 25."""
    state = ApprovalState(StoredState(yolo=True))
    assert state.answers == "yolo"
    assert not state.afk


@pytest.mark.parametrize("state", [ApprovalState(StoredState(afk=True)), ApprovalState(afk_run=True)])
def test_26_afk_only(state: ApprovalState) -> None:
    """Case 26."""
    assert state.answers == "afk"
    assert state.afk
    assert not state.yolo


async def test_27_neither_asks(desk: SessionDesk) -> None:
    """Case 27."""
    assert desk.approvals.fast(wanted()) is None


async def test_28_yolo_off_while_afk_is_on(desk: SessionDesk) -> None:
    """Case 28."""
    state = desk.approvals.state
    state.set_yolo(True)
    state.set_afk(True)
    state.set_yolo(False)
    decision = desk.approvals.fast(wanted())
    assert decision is not None
    assert (decision.approved, decision.decided_by) == (True, "afk")


def test_29_afk_on_then_off() -> None:
    """Case 29."""
    seen: list[StoredState] = []
    state = ApprovalState(afk_run=True)
    state.on_change(seen.append)
    state.set_afk(True)
    state.set_afk(False)
    assert seen == [StoredState(afk=True), StoredState(afk=False)]
    assert not state.afk_run
    assert not state.afk


async def test_30_a_call_under_yolo(desk: SessionDesk) -> None:
    """Case 30, the gate's part: the mode; an audit row and no request. The step number is the dispatcher's."""
    desk.approvals.state.set_yolo(True)
    decision = desk.approvals.fast(wanted())
    assert decision is not None
    assert (decision.approved, decision.decided_by) == (True, "yolo")
    assert [(row["mode"], row["subject"]) for row in desk.rows()] == [("yolo", "make test")]
    assert desk.events == []


def test_afk_for_this_run_is_never_stored() -> None:
    seen: list[StoredState] = []
    state = ApprovalState()
    state.on_change(seen.append)
    state.set_afk_run(True)
    assert state.afk
    assert state.stored == StoredState()
    state.set_afk(False)
    assert not state.afk
    assert seen == []


def test_the_callback_fires_on_real_changes_only() -> None:
    seen: list[StoredState] = []
    switched: list[None] = []
    state = ApprovalState()
    stop = state.on_change(seen.append)
    state.on_switch(lambda: switched.append(None))
    state.set_yolo(False)
    state.set_yolo(True)
    state.set_yolo(True)
    assert seen == [StoredState(yolo=True)]
    assert len(switched) == 1
    stop()
    state.set_yolo(False)
    assert len(seen) == 1
