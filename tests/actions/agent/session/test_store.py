"""The record of a session on disk: appended to, private, and readable whatever a crash left of it."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from actions.agent.session.state import Mode, SessionState, StateKeeper, state_of
from actions.agent.session.store import SessionStore
from actions.errors import NotFound


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    return SessionStore(tmp_path / "sessions")


def test_a_new_session_can_be_opened_listed_and_forked(store: SessionStore) -> None:
    file = store.create("/srv/shop")
    file.append("turn", prompt="hi", answer="hello")
    StateKeeper(file).change(title="Greeting")
    again = store.open(file.id)
    assert again.cwd == "/srv/shop"
    assert [r["kind"] for r in again.records()] == ["state", "turn", "state"]
    assert [(head.id, head.cwd, head.title) for head in store.list()] == [(file.id, "/srv/shop", "Greeting")]
    assert store.list("/elsewhere") == []

    copy = store.fork(file.id, "/srv/other")
    copy.append("turn", prompt="more", answer="yes")
    assert [r["prompt"] for r in copy.records() if r["kind"] == "turn"] == ["hi", "more"]
    assert [r["prompt"] for r in store.open(file.id).records() if r["kind"] == "turn"] == ["hi"]
    assert store.open(copy.id).cwd == "/srv/other"
    assert state_of(copy.records()).title == "Greeting"


def test_files_are_the_users_alone(store: SessionStore, tmp_path: Path) -> None:
    file = store.create("/work")
    path = tmp_path / "sessions" / f"{file.id}.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("torn", [b'{"kind":"turn","prompt":"ha', b"\x00\x00\x00", b'{"kind":"turn"'])
def test_a_torn_last_line_is_left_out_and_does_not_spoil_the_next(
    store: SessionStore, tmp_path: Path, torn: bytes
) -> None:
    file = store.create("/work")
    file.append("turn", prompt="one", answer="1")
    file.close()
    with (tmp_path / "sessions" / f"{file.id}.jsonl").open("ab") as raw:
        raw.write(torn)
    again = store.open(file.id)
    assert [r["prompt"] for r in again.records() if r["kind"] == "turn"] == ["one"]
    again.append("turn", prompt="two", answer="2")
    assert [r["prompt"] for r in store.open(file.id).records() if r["kind"] == "turn"] == ["one", "two"]


def test_a_broken_line_in_the_middle_costs_only_itself(store: SessionStore, tmp_path: Path) -> None:
    file = store.create("/work")
    path = tmp_path / "sessions" / f"{file.id}.jsonl"
    with path.open("ab") as raw:
        raw.write(b"not json\n[1,2]\n" + b"[" * 100_000 + b"\n")
    file.append("turn", prompt="after", answer="")
    assert [r["kind"] for r in store.open(file.id).records()] == ["state", "turn"]


def test_unknown_and_strange_ids_are_not_found(store: SessionStore, tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text('{"kind":"session","cwd":"/"}\n')
    for session_id in ("ses_nothere", "../secret", "", "ses_../../secret"):
        with pytest.raises(NotFound, match="no session"):
            store.open(session_id)


def test_a_session_of_the_earlier_format_is_taken_over(store: SessionStore, tmp_path: Path) -> None:
    old = tmp_path / "sessions" / "ses_old1.json"
    old.parent.mkdir()
    kept = {
        "id": "ses_old1",
        "cwd": "/srv/shop",
        "mode": "plan",
        "title": "A plan",
        "updated": "2026-01-02T03:04:05+00:00",
        "plan": "# Plan",
        "turns": [{"prompt": "plan it", "answer": "# Plan"}],
    }
    old.write_text(json.dumps(kept))
    assert [(head.id, head.title) for head in store.list()] == [("ses_old1", "A plan")]
    file = store.open("ses_old1")
    assert file.cwd == "/srv/shop"
    assert state_of(file.records()) == SessionState(mode=Mode.PLAN, title="A plan", plan="# Plan")
    assert [r["answer"] for r in file.records() if r["kind"] == "turn"] == ["# Plan"]
    assert not old.exists()
    assert [head.id for head in store.list()] == ["ses_old1"]


def test_the_cost_of_a_record_does_not_grow_with_the_record(store: SessionStore) -> None:
    file = store.create("/work")

    def took() -> float:
        begun = time.process_time()
        for _ in range(300):
            file.append("turn", prompt="x" * 200, answer="y" * 200)
        return time.process_time() - begun

    first = min(took() for _ in range(3))
    for _ in range(30):
        took()
    assert min(took() for _ in range(3)) < 3 * first


def test_a_title_is_found_in_a_long_record_without_reading_it_all(store: SessionStore) -> None:
    file = store.create("/work")
    StateKeeper(file).change(title="Early")
    for _ in range(100):
        file.append("turn", prompt="x" * 10_000, answer="")
    assert store.list()[0].title == "Early"
    StateKeeper(file, SessionState(title="Early")).change(title="Late")
    assert store.list()[0].title == "Late"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_costs_the_later_load_only(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir(mode=0o500)
    SessionStore(tmp_path / "sessions").create("/work").append("turn", prompt="a", answer="b")


def test_a_folder_that_cannot_be_made_costs_the_later_load_only(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("a file is in the way")
    file = SessionStore(tmp_path / "sessions").create("/work")
    file.append("turn", prompt="a", answer="b")
    assert list(file.records()) == []


def test_state_that_cannot_be_understood_counts_as_never_said() -> None:
    records = [{"kind": "state", "mode": "wild", "todo": [["a", "done"], ["b"], 3], "title": 7}]
    assert state_of(records) == SessionState(todo=(("a", "done"),))
