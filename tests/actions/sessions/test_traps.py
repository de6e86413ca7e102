"""What real agents were seen to do on the wire, played by the scripted one: nothing of it costs a session."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from actions.catalog.context import Caller, CallerKind
from actions.catalog.views import SessionState
from actions.errors import Ambiguous, SaysoError
from actions.sessions.detection import Detection
from actions.sessions.items import fold
from actions.sessions.providers import refusal_on
from tests.actions.sessions.conftest import SCRIPTED, House

USER = Caller(CallerKind.WINDOW, present=True)
LONG = 50.0


async def said(house: House, session_id: str, message: str) -> str:
    return (await house.room.sessions.send(session_id, message, wait=True, timeout_s=LONG)).text or ""


async def calls(house: House, session_id: str) -> dict[str, dict[str, Any]]:
    items = fold(await house.events(session_id))
    return {str(item.id): dict(item.data) for item in items if item.kind == "tool_call"}


async def answered(house: House, session_id: str, word: str, decision: str) -> None:
    """Play a trap that asks, decide, and wait for the end of its turn."""
    sessions = house.room.sessions
    await sessions.send(session_id, word)
    await sessions.wait(session_id, until="attention", timeout_s=LONG)
    request_id = (await house.events(session_id, "permission"))[-1].item_id
    await sessions.respond_permission(session_id, request_id, decision=decision, decided_by=USER, surface="ui")
    await sessions.wait(session_id, until="idle", timeout_s=LONG)


async def test_calls_out_of_order_are_one_call_each(house: House) -> None:
    session_id = await house.start()
    await said(house, session_id, "unannounced")
    await answered(house, session_id, "asks_first", "allow")
    await said(house, session_id, "terminal")
    await said(house, session_id, "named")
    seen = await calls(house, session_id)
    assert {call_id: call["status"] for call_id, call in seen.items()} == dict.fromkeys(
        ("never-announced", "k1", "t1", "n1"), "completed"
    )
    assert seen["never-announced"]["title"] == "Read a.py"
    assert len(await house.events(session_id, "permission")) == 1
    assert seen["t1"]["terminal"] == {"terminal_exit": {"exit_code": 0}}
    terminals = [
        event.data["terminal"] for event in await house.events(session_id, "tool_call") if "terminal" in event.data
    ]
    assert {"terminal_output_delta": {"data": "a.py\n"}} in terminals
    assert seen["n1"]["name"] == "mcp__sayso__session_title_set"


async def test_what_we_do_not_offer_is_refused_and_the_agent_goes_on(house: House) -> None:
    session_id = await house.start()
    client = json.loads(await said(house, session_id, "client"))
    assert client["codes"] == [-32601] * 3
    offered = client["capabilities"]
    assert not (offered.get("fs") or {}).get("readTextFile")
    assert not (offered.get("fs") or {}).get("writeTextFile")
    assert not offered.get("terminal")
    assert await said(house, session_id, "foreign") == "-32601"
    view = await house.room.sessions.get(session_id)
    assert (view.state, view.mode) == (SessionState.IDLE, "auto"), "what is outside of the protocol changes nothing"


async def test_a_request_that_is_taken_back_with_a_cancel_or_without(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    assert await said(house, session_id, "takes_back") == '"cancelled"'
    await sessions.send(session_id, "cancels_request")
    await sessions.wait(session_id, until="attention", timeout_s=LONG)
    await sessions.cancel_turn(session_id)
    view = await sessions.wait(session_id, until="idle", timeout_s=LONG)
    assert view.waiting_for == 0
    answers = await house.events(session_id, "permission_answer")
    assert [event.data["outcome"] for event in answers] == ["cancelled"] * 2
    assert (await house.events(session_id, "turn_end"))[-1].data["stop_reason"] == "cancelled"


async def test_a_rejection_may_end_the_turn_and_costs_no_more(house: House) -> None:
    session_id = await house.start()
    await answered(house, session_id, "rejected_ends", "deny")
    assert (await house.events(session_id, "turn_end"))[-1].data["stop_reason"] == "cancelled"
    assert await said(house, session_id, "hello") == "Hello there"


async def test_options_are_answered_by_id_and_always_is_never_guessed(house: House) -> None:
    sessions = house.room.sessions
    session_id = await house.start()
    await answered(house, session_id, "many_always", "allow")
    assert json.loads((await house.events(session_id, "agent"))[-1].data["text"]) == {
        "outcome": "selected", "optionId": "o1",
    }  # fmt: skip
    await sessions.send(session_id, "twice")
    await sessions.wait(session_id, until="attention", timeout_s=LONG)
    request_id = (await house.events(session_id, "permission"))[-1].item_id
    with pytest.raises(Ambiguous):
        await sessions.respond_permission(session_id, request_id, decision="allow", decided_by=USER, surface="ui")
    await sessions.respond_permission(
        session_id, request_id, decision="allow", option_id="b", decided_by=USER, surface="ui"
    )
    await sessions.wait(session_id, until="idle", timeout_s=LONG)
    assert json.loads((await house.events(session_id, "agent"))[-1].data["text"])["optionId"] == "b"


async def test_a_prompt_that_fails_is_an_error_and_the_next_one_works(house: House) -> None:
    session_id = await house.start()
    with pytest.raises(SaysoError, match="Internal error"):
        await said(house, session_id, "fails_once")
    assert (await house.room.sessions.get(session_id)).state is SessionState.IDLE
    await said(house, session_id, "fails_once")
    assert "429" in await said(house, session_id, "in_words")
    ends = [event.data["stop_reason"] for event in await house.events(session_id, "turn_end")]
    assert ends == ["error", "end_turn", "end_turn"]


async def test_what_follows_a_load_is_taken_and_what_was_replayed_is_not(house: House) -> None:
    session_id = await house.start("load,afterload")
    await said(house, session_id, "hello")
    await house.room.sessions.stop(session_id)
    await said(house, session_id, "hello")
    texts = "".join(event.data["text"] for event in await house.events(session_id, "agent"))
    assert texts == "Hello there" * 2
    states = [event.data for event in await house.events(session_id, "usage", "commands")]
    assert [state["commands"][0]["name"] for state in states if "commands" in state] == ["early", "init"]
    assert {"used": 1, "size": 10} in states


async def test_a_sign_in_that_is_not_advertised_is_told_by_the_row(house: House) -> None:
    """auggie: no methods in ``initialize``, and -32000 for a session."""
    provider = house.provider("auth", auth_hint="Run `an-agent login`.")
    check = await house.room.providers.check(provider)
    assert (check.ok, check.sign_in, check.protocol_version) == (False, [], 1), "initialize is reported all the same"
    assert (check.version, check.capabilities["mcpCapabilities"]["http"]) == ("1.2.3", True)
    assert check.error is not None
    assert "Run `an-agent login`." in check.error.message


async def test_an_agent_of_before_is_started_as_it_was_then(house: House) -> None:
    """gemini: older releases know `--experimental-acp` only."""
    command = f'"{sys.executable}", "{SCRIPTED}"'
    house.paths.providers_file.write_text(
        f'[providers.old]\ncommand = [{command}, "--acp"]\nolder_command = [{command}, "--experimental-acp"]\n'
        'env = { SCRIPTED = "older" }\n'
        f'[providers.lost]\ncommand = [{command}, "--acp"]\nenv = {{ SCRIPTED = "older" }}\n'
    )
    assert (await house.room.providers.check("old")).ok
    lost = await house.room.providers.check("lost")
    assert lost.error is not None
    assert "Unknown argument: acp" in lost.error.message


async def test_a_version_that_hangs_is_not_started(house: House, tmp_path: Path) -> None:
    """pi: with one older than 0.81 session/new never answers."""
    pi = tmp_path / "pi"
    pi.write_text("#!/bin/sh\necho 0.80.2\n")
    pi.chmod(0o755)
    house.paths.providers_file.write_text(
        f'[providers.old]\ncommand = ["{sys.executable}", "{SCRIPTED}"]\nversion_command = ["{pi}"]\n'
        'version_min = "0.81"\ninstall_hint = "Install a newer one."\n'
    )
    row = await house.room.providers.require("old")
    said = "Sayso needs its version 0.81 or newer; this one is 0.80.2. Install a newer one."
    assert await refusal_on(Detection(), row) == said
    view = await house.room.providers.get("old")
    assert (view.installed, view.state, view.reason) == (True, "too_old", said)
    pi.write_text("#!/bin/sh\necho 0.81.0\n")
    assert await refusal_on(Detection(), row) is None


async def test_a_program_that_must_have_a_subcommand_is_not_started_bare(house: House) -> None:
    """kimi 1.51 and later download an installer."""
    ran = house.workspace / "ran"
    program = house.workspace / "kimi"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    house.paths.providers_file.write_text(f'[providers.bare]\ncommand = ["{program}"]\nquirks = ["never_bare"]\n')
    check = await house.room.providers.check("bare")
    assert check.error is not None
    assert "may install something else" in check.error.message
    assert not ran.exists()
