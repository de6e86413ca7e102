"""What is done to a session beside talking to it, with real agent processes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import func, select

from actions.catalog.context import Caller
from actions.errors import ErrorCode, InvalidInput, NotFound, SaysoError
from actions.storage.schema import (
    audit,
    processes,
    sessions,
    transcript_events,
    transcript_indexed,
    transcript_items,
    user_requests,
)
from actions.storage.secrets import open_secret_store
from tests.actions.sessions.conftest import House, new_room


async def count(house: House, table: Any, session_id: str) -> int:
    query = select(func.count()).select_from(table).where(table.c.session_id == session_id)
    return await house.database.read(lambda db: db.execute(query).scalar_one())


async def said(house: House, session_id: str) -> str:
    return "".join(event.data["text"] for event in await house.events(session_id, "agent"))


# Resume


@pytest.mark.parametrize("quirk", ["resume", "load", "resume,load,forgetsresume"])
async def test_a_stopped_session_is_taken_up_without_a_message(house: House, quirk: str) -> None:
    """Resume is preferred; an agent that offers it and refuses is asked to load."""
    room = house.room.sessions
    session_id = await house.start(quirk)
    await room.send(session_id, "hello", wait=True, timeout_s=30)
    await room.stop(session_id)
    view = await room.care.resume(session_id)
    assert (view.state, view.reason) == ("idle", None)
    assert await house.events(session_id, "notice") == []
    assert (await room.send(session_id, "again", wait=True, timeout_s=30)).text == "You said: again"
    assert await said(house, session_id) == "Hello thereYou said: again"


@pytest.mark.parametrize(
    ("quirk", "why"), [("", "cannot take up an earlier conversation"), ("resume,forgets", "Internal error")]
)
async def test_resume_fails_closed_with_the_reason(house: House, quirk: str, why: str) -> None:
    room = house.room.sessions
    session_id = await house.start(quirk)
    await room.send(session_id, "hello", wait=True, timeout_s=30)
    await room.stop(session_id)
    with pytest.raises(SaysoError, match=why) as refused:
        await room.care.resume(session_id)
    assert refused.value.details["reason"] == "cannot_resume"
    view = await room.get(session_id)
    assert view.state == "failed"
    assert why in (view.reason or "")
    # Nothing was begun instead, and nothing is left running.
    assert [e.data["code"] for e in await house.events(session_id, "notice")] == []
    alive = select(func.count()).select_from(processes).where(processes.c.ended_at.is_(None))
    assert await house.database.read(lambda db: db.execute(alive).scalar_one()) == 0
    # A message is a person's choice to go on without the memory; it is said.
    await room.send(session_id, "hello", wait=True, timeout_s=30)
    assert [e.data["code"] for e in await house.events(session_id, "notice")] == ["fresh_session"]


async def test_a_session_that_never_began_can_be_started_again(house: House) -> None:
    room = house.room.sessions
    with pytest.raises(SaysoError) as failure:
        await house.start("crash")
    session_id = failure.value.details["session_id"]
    house.paths.providers_file.write_text("")
    house.provider()
    assert (await room.care.resume(session_id)).state == "idle"


async def test_an_interrupted_turn_offers_resume(house: House) -> None:
    house.room = new_room(house.database, house.paths, lambda *_: None, cancel_wait=1)
    room = house.room.sessions
    session_id = await house.start("resume")
    await room.send(session_id, "hang")
    await house.heard("hang")
    await room.cancel_turn(session_id)
    view = await room.wait(session_id, until="idle", timeout_s=30)
    assert (view.state, view.resumable) == ("interrupted", True)
    assert (await room.care.resume(session_id)).state == "idle"


async def test_what_was_chosen_at_the_start_is_kept_over_a_host_that_ends(house: House) -> None:
    """Environment, mode, model and options; the environment's values are nowhere but among the secrets."""
    provider = house.provider("resume,options")
    room = house.room.sessions
    view = await room.spawn_new(
        provider=provider,
        workspace=str(house.workspace),
        mode_id="plan",
        model_id="large",
        environment={"MY_FLAG": "gloop-4711", "MY_KEY": "secret:my-key"},
    )
    await room.care.set_option(view.id, "effort", "high")
    await room.close()
    row = await house.database.read(
        lambda db: db.execute(select(sessions.c.detail).where(sessions.c.id == view.id)).scalar_one()
    )
    assert "gloop-4711" not in json.dumps(row)

    house.room = new_room(house.database, house.paths, lambda *_: None)
    room = house.room.sessions
    again = await room.care.resume(view.id)
    assert (again.mode, again.model) == ("plan", "large")
    assert {o.id: o.value for o in again.options} == {"mode": "plan", "model": "large", "effort": "high", "web": False}
    environment = json.loads((await room.send(view.id, "env", wait=True, timeout_s=30)).text or "")
    assert (environment["MY_FLAG"], environment["MY_KEY"]) == ("gloop-4711", "the value")


async def test_a_wish_that_is_out_of_use_does_not_keep_a_session_shut(house: House) -> None:
    room = house.room.sessions
    provider = house.provider("resume,options")
    view = await room.spawn_new(provider=provider, workspace=str(house.workspace), model_id="large")
    await room.stop(view.id)
    house.paths.providers_file.write_text("")
    house.provider("resume")
    assert (await room.care.resume(view.id)).state == "idle"
    notices = [e.data for e in await house.events(view.id, "notice")]
    assert [n["code"] for n in notices] == ["wish_not_set"]
    assert "large" in notices[0]["text"]


async def test_a_session_that_was_just_started_can_be_taken_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent's id is stored with the start itself, not with what is saved from time to time."""
    monkeypatch.setattr("actions.sessions.hosting._SAVE_SECONDS", 60)
    session_id = await house.start("resume")
    stored = select(sessions.c.agent_session_id).where(sessions.c.id == session_id)
    assert await house.database.read(lambda c: c.execute(stored).scalar_one()) is not None


async def test_resuming_brings_a_session_back_from_the_archive(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start("resume")
    await room.set_archived(session_id, True)
    assert (await room.care.resume(session_id)).archived is False


# Fork


async def test_a_fork_is_a_second_session_with_what_was_said(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start("fork,resume", ask_mode="ask")
    await room.send(session_id, "hello", wait=True, timeout_s=30)
    await room.send(session_id, "slow")
    fork = await room.care.fork(session_id)
    assert fork.id != session_id
    assert (fork.state, fork.mode, fork.kind, fork.forkable) == ("idle", "ask", "user", True)
    assert fork.title.endswith("(fork)")
    kinds = [event.kind for event in await house.events(fork.id)]
    assert kinds == ["mode", "turn_start", "user", "agent", "turn_end", "notice", "mode"], "finished turns only"
    assert (await room.send(fork.id, "apart", wait=True, timeout_s=30)).text == "You said: apart"
    assert "apart" not in await said(house, session_id)
    assert [e.turn for e in await house.events(fork.id, "turn_end")] == [1, 2]
    await room.cancel_turn(session_id)
    # The fork has an id of its own with the agent, and is taken up under it.
    await room.stop(fork.id)
    assert (await room.care.resume(fork.id)).state == "idle"


@pytest.mark.parametrize(
    ("quirk", "why"), [("resume", "does not offer session/fork"), ("fork,forgets", "Internal error")]
)
async def test_a_fork_that_cannot_be_had_leaves_nothing(house: House, quirk: str, why: str) -> None:
    room = house.room.sessions
    session_id = await house.start(quirk)
    with pytest.raises(SaysoError, match=why) as refused:
        await room.care.fork(session_id)
    assert refused.value.details["reason"] == "cannot_fork"
    assert [s.id for s in (await room.list()).sessions] == [session_id]


async def test_a_fork_does_not_inherit_a_mode_that_asks_less(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start("fork,options", ask_mode="ask")
    await room.set_mode(session_id, "yolo")
    assert (await room.care.fork(session_id)).mode == "ask"


async def test_a_point_to_fork_at_is_refused(house: House) -> None:
    session_id = await house.start("fork")
    with pytest.raises(InvalidInput, match="where it stands now"):
        await house.room.sessions.care.fork(session_id, at_message="m1")


# Delete


async def test_deleting_takes_everything_but_the_audit(house: House) -> None:
    room = house.room.sessions
    provider = house.provider()
    view = await room.spawn_new(
        provider=provider, workspace=str(house.workspace), environment={"A_TOKEN": "sesame-open"}
    )
    await room.care.set_wire_log(view.id, True)
    await room.send(view.id, "hello", wait=True, timeout_s=30)
    await room.send(view.id, "permission")
    await house.waiting(view.id)
    await room.respond_permission(view.id, None, decision="allow", decided_by=Caller(present=True), surface="ui")
    await room.wait(view.id, until="idle", timeout_s=30)
    assert len((await room.search("Hello")).hits) > 0
    await house.database.write(
        lambda db: db.execute(
            audit.insert().values(
                id="aud_1", at=1, action_id="x.y", surface="ui", caller={}, outcome="ok", ms=1, session_id=view.id
            )
        )
    )
    assert list(house.paths.logs.glob(f"{view.id}.*"))

    await room.care.delete(view.id)
    for table in (transcript_events, transcript_items, transcript_indexed, user_requests):
        assert await count(house, table, view.id) == 0, table.name
    assert await count(house, audit, view.id) == 1
    assert (await room.search("Hello")).hits == []
    assert list(house.paths.logs.glob(f"{view.id}.*")) == []
    assert open_secret_store(house.paths).get(f"session.{view.id}.environment") is None
    with pytest.raises(NotFound):
        await room.get(view.id)
    with pytest.raises(NotFound):
        await room.send(view.id, "hello")
    assert house.published[-1] == ("session_did_change", {"session_id": view.id, "deleted": True})
    alive = select(func.count()).select_from(processes).where(processes.c.ended_at.is_(None))
    assert await house.database.read(lambda db: db.execute(alive).scalar_one()) == 0


@pytest.mark.parametrize("word", ["slow", "permission"])
async def test_a_session_at_work_is_only_deleted_when_that_is_said(house: House, word: str) -> None:
    room = house.room.sessions
    session_id = await house.start()
    await room.send(session_id, word)
    await house.heard(word)
    with pytest.raises(SaysoError, match="is at work") as refused:
        await room.care.delete(session_id)
    assert refused.value.details["working"] == [session_id]
    assert (await room.get(session_id)).state in ("working", "waiting")
    await room.care.delete(session_id, stop_working=True)
    with pytest.raises(NotFound):
        await room.get(session_id)
    assert await count(house, user_requests, session_id) == 0


# Models and options


async def test_options_are_shown_as_the_agent_offers_them(house: House) -> None:
    room = house.room.sessions
    view = await room.get(await house.start("options"))
    assert [(o.id, o.kind, o.value, o.category) for o in view.options] == [
        ("mode", "select", "ask", "mode"),
        ("model", "select", "small", "model"),
        ("effort", "select", "low", "thought_level"),
        ("web", "boolean", False, None),
    ], "in its order; a type that nobody knows is left out"
    assert [c.id for c in view.options[1].choices] == ["small", "large"]
    assert (view.mode, view.model) == ("ask", "small")


async def test_no_options_no_control(house: House) -> None:
    assert (await house.room.sessions.get(await house.start())).options == []


async def test_a_model_is_shown_once_the_agent_said_so(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start("options")
    assert (await room.care.set_model(session_id, "large")).model == "large"
    with pytest.raises(InvalidInput, match="small, large"):
        await room.care.set_model(session_id, "huge")
    assert (await room.get(session_id)).model == "large"
    plain = await room.spawn_new(provider=house.provider(name="plain"), workspace=str(house.workspace))
    with pytest.raises(InvalidInput, match="no model to choose"):
        await room.care.set_model(plain.id, "large")


async def test_an_option_is_changed_within_what_it_takes(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start("options")
    view = await room.care.set_option(session_id, "web", True)
    assert {o.id: o.value for o in view.options}["web"] is True
    for option, value, says in (("web", "yes", "true or false"), ("effort", "max", "low, high"), ("x", "y", "effort")):
        with pytest.raises(InvalidInput, match=says):
            await room.care.set_option(session_id, option, value)
    await room.care.set_option(session_id, "mode", "plan")
    assert (await room.get(session_id)).mode == "plan"
    assert [e.data["mode"] for e in await house.events(session_id, "mode")] == ["ask", "plan"]


# The queue


async def busy(house: House, *messages: str) -> tuple[str, list[str]]:
    """A session in a long turn with messages that wait; gives it and their ids."""
    room = house.room.sessions
    session_id = await house.start()
    await room.send(session_id, "slow")
    for message in messages:
        assert (await room.send(session_id, message)).queued
    await house.heard("slow")
    return session_id, [m.id for m in (await room.get(session_id)).queue]


async def test_messages_that_wait_are_edited_moved_and_dropped(house: House) -> None:
    room = house.room.sessions
    session_id, (first, second, third) = await busy(house, "one", "two", "three")
    await room.care.edit_queue(session_id, second, "edit", text="deux")
    await room.care.edit_queue(session_id, third, "move", position=0)
    view = await room.care.edit_queue(session_id, first, "drop")
    assert [(m.id, m.text) for m in view.queue] == [(third, "three"), (second, "deux")]
    with pytest.raises(NotFound, match="does not wait any more"):
        await room.care.edit_queue(session_id, first, "edit", text="x")
    with pytest.raises(InvalidInput):
        await room.care.edit_queue(session_id, second, "edit", text=" ")
    for position in (None, -1):
        with pytest.raises(InvalidInput):
            await room.care.edit_queue(session_id, second, "move", position=position)
    # It is stored: a host that starts again knows it.
    other = new_room(house.database, house.paths, lambda *_: None)
    assert [m.text for m in (await other.sessions.get(session_id)).queue] == ["three", "deux"]


async def test_send_now_stops_the_turn_and_the_others_wait_their_turn(house: House) -> None:
    room = house.room.sessions
    session_id, (_, second) = await busy(house, "one", "two")
    await room.care.edit_queue(session_id, second, "send_now")
    await room.wait(session_id, until="idle", timeout_s=30)
    assert [e.data["text"] for e in await house.events(session_id, "user")] == ["slow", "two", "one"]
    assert [e.data["stop_reason"] for e in await house.events(session_id, "turn_end")] == [
        "cancelled", "end_turn", "end_turn",
    ]  # fmt: skip
    assert (await room.get(session_id)).queue == []


async def test_send_now_answers_an_open_permission_first(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start()
    await room.send(session_id, "permission")
    await house.waiting(session_id)
    await room.send(session_id, "instead")
    [waiting] = (await room.get(session_id)).queue
    await room.care.edit_queue(session_id, waiting.id, "send_now")
    await room.wait(session_id, until="idle", timeout_s=30)
    assert [e.data["outcome"] for e in await house.events(session_id, "permission_answer")] == ["cancelled"]
    assert "You said: instead" in await said(house, session_id)


async def test_who_waits_for_a_message_hears_what_became_of_it(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start()
    await room.send(session_id, "slow")
    dropped = asyncio.ensure_future(room.send(session_id, "one", wait=True, timeout_s=30))
    kept = asyncio.ensure_future(room.send(session_id, "two", wait=True, timeout_s=30))
    await house.heard("slow")
    async with asyncio.timeout(30):
        while len((await room.get(session_id)).queue) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    first, second = (await room.get(session_id)).queue
    await room.care.edit_queue(session_id, first.id, "drop")
    await room.care.edit_queue(session_id, second.id, "edit", text="three")
    await room.care.edit_queue(session_id, second.id, "send_now")
    assert (await dropped).stop_reason == "dropped"
    assert (await kept).text == "You said: three"


async def test_send_now_wakes_a_session_that_was_stopped(house: House) -> None:
    room = house.room.sessions
    session_id, (first,) = await busy(house, "one")
    await room.stop(session_id)
    await room.care.edit_queue(session_id, first, "send_now")
    await room.wait(session_id, until="idle", timeout_s=30)
    assert "You said: one" in await said(house, session_id)


# Targets and unread


async def test_targets_are_stored_and_follow_their_sessions(house: House) -> None:
    room = house.room.sessions
    first = await house.start()
    second = (await room.spawn_new(provider="scripted", workspace=str(house.workspace))).id
    await room.care.set_primary(first)
    await room.care.set_tracked([second, first, second])
    await room.care.seen(second)
    targets = (await room.list()).targets
    assert (targets.primary, targets.tracked, targets.last_focused) == (first, [second, first], second)
    assert [kind for kind, _ in house.published if kind == "targets_did_change"] == ["targets_did_change"] * 2
    await room.set_archived(first, True)
    assert (await room.care.targets()).primary is None
    await room.set_archived(first, False)
    assert (await room.care.targets()).primary == first
    await room.care.delete(first)
    assert (await room.care.targets()).tracked == [second]
    assert (await room.care.set_primary(None)).primary is None


async def test_what_nobody_saw_is_unread_until_it_is_seen(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start()
    await room.send(session_id, "hello", wait=True, timeout_s=30)
    await until_unread(house, session_id)
    await room.care.seen(session_id)
    assert (await room.get(session_id)).unread is False
    await room.send(session_id, "permission")
    await house.waiting(session_id)
    await until_unread(house, session_id)


async def test_what_a_window_shows_is_not_unread(house: House) -> None:
    shown: set[str] = set()
    house.room = new_room(house.database, house.paths, lambda *_: None, shown=lambda session_id: session_id in shown)
    session_id = await house.start()
    shown.add(session_id)
    await house.room.sessions.send(session_id, "hello", wait=True, timeout_s=30)
    await asyncio.sleep(0.2)
    assert (await house.room.sessions.get(session_id)).unread is False


async def until_unread(house: House, session_id: str) -> None:
    async with asyncio.timeout(30):
        while not (await house.room.sessions.get(session_id)).unread:  # noqa: ASYNC110  # stored by a task of its own
            await asyncio.sleep(0.02)


async def test_a_permission_of_a_run_marks_its_root(house: House) -> None:
    from actions.sessions.service import Child

    room = house.room.sessions
    root = await house.start()
    child = await room.spawn_new(provider="scripted", workspace=str(house.workspace), child=Child("run_1", root, root))
    await room.send(child.id, "hello", wait=True, timeout_s=30)
    await asyncio.sleep(0.1)
    assert (await room.get(root)).unread is False, "its end is the run's to tell"
    await room.send(child.id, "permission")
    await until_unread(house, root)
    with pytest.raises(SaysoError, match="is at work"):
        await room.care.delete(root)
    await room.care.delete(root, stop_working=True)
    with pytest.raises(NotFound):
        await room.get(child.id)


# The wire


async def test_the_wire_log_holds_what_passed_but_no_secret(house: House) -> None:
    room = house.room.sessions
    provider = house.provider()
    view = await room.spawn_new(
        provider=provider,
        workspace=str(house.workspace),
        environment={"HARMLESS": "plainvalue", "MY_KEY": "secret:my-key", "SOME_TOKEN": "tok-123456"},
    )
    path = await room.care.set_wire_log(view.id, True)
    await room.send(view.id, "hello", wait=True, timeout_s=30)
    await room.send(view.id, "env", wait=True, timeout_s=30)  # the agent says its whole environment
    await room.care.set_wire_log(view.id, False)
    await room.send(view.id, "quietly", wait=True, timeout_s=30)
    text = path.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    methods = [(line["direction"], line["message"].get("method")) for line in lines]
    assert methods[0] == ("out", "session/prompt")
    assert ("in", "session/update") in methods
    assert "plainvalue" in text
    for secret in ("the value", "tok-123456", f"token-{view.id}", "quietly"):
        assert secret not in text
    assert path.stat().st_mode & 0o777 == 0o600


async def test_the_wire_log_goes_on_over_a_new_start(house: House) -> None:
    room = house.room.sessions
    session_id = await house.start("resume")
    path = await room.care.set_wire_log(session_id, True)
    await room.stop(session_id)
    assert (await room.care.resume(session_id)).wire_log is True
    methods = [json.loads(line)["message"].get("method") for line in path.read_text().splitlines()]
    assert [m for m in methods if m][-2:] == ["initialize", "session/resume"]


async def test_stopped_starts_raise_what_the_host_knows(house: House) -> None:
    """A session that is gone cannot be looked at, resumed, forked or edited."""
    care = house.room.sessions.care
    for call in (
        care.resume("ses_none"), care.fork("ses_none"), care.delete("ses_none"), care.set_model("ses_none", "m"),
        care.edit_queue("ses_none", "m", "drop"), care.set_wire_log("ses_none", True),
    ):  # fmt: skip
        with pytest.raises(NotFound) as gone:
            await call
        assert gone.value.code is ErrorCode.NOT_FOUND
