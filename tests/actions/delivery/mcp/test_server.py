"""What a session's server says and does: its tools, its calls, and what becomes of them when something goes wrong."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest
from mcp import MCPError
from mcp_types import CallToolResult, TextContent

from actions.catalog.spec import Effect, Exposure, Surface
from actions.delivery.desk import ToolDesk
from actions.delivery.guidance import DELEGATING
from actions.delivery.mcp import progress as reported
from actions.errors import ErrorCode
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected, Request
from actions.policy.settings import Override, PolicySettings
from tests.actions.delivery.mcp.clients import bearer, connected
from tests.actions.delivery.mcp.conftest import ACCEPT, INITIALIZE, Served, agent, catalog, editor

DISCOVERY = ["action_options_resolve", "action_spec_get", "action_spec_search", "action_execute"]
ERAS = pytest.mark.parametrize("modern", [False, True], ids=["handshake", "stateless"])


@ERAS
async def test_an_agent_has_the_discovery_tools_and_its_title(served: Served, modern: bool) -> None:
    async with connected(await served.session(), modern=modern) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [*DISCOVERY, "session_title_set"]
        assert "Finding an action is not a licence to use it." in (client.instructions or "")
        assert served.seen == [("s1", "hello", "mcp 0.1.0"), ("s1", "list", served.seen[-1][2])]


async def test_the_rule_on_delegation_follows_the_setting(served: Served) -> None:
    def texts() -> str:
        return " ".join([served.desk.instructions(), *(tool["description"] for tool in served.desk.tools(agent("s1")))])

    native = texts()
    assert "use your own subagents" in native
    assert "delegate only through runs of Sayso" not in native
    served.delegation = "sayso_required"
    required = texts()
    assert "delegate only through runs of Sayso" in required
    assert "use your own subagents, where you have any" not in required
    assert required.count("Finding an action is not a licence to use it.") == native.count(
        "Finding an action is not a licence to use it."
    )


def test_what_puts_agents_to_work_says_that_the_user_must_have_asked(served_desk: ToolDesk) -> None:
    described = {tool["name"]: tool["description"] for tool in served_desk.tools(editor())}
    for spec in catalog():
        if spec.id in DELEGATING and spec.tool_name in described:
            assert described[spec.tool_name].endswith("Only when the user asked for it.")


def test_annotations_say_what_the_effect_is(served_desk: ToolDesk) -> None:
    listed = {tool["name"]: tool["annotations"] for tool in served_desk.tools(editor())}
    seen: set[Effect] = set()
    for spec in catalog():
        if (annotations := listed.get(spec.tool_name)) is not None:
            seen.add(spec.effect)
            assert annotations["readOnlyHint"] is (spec.effect in (Effect.NONE, Effect.READ)), spec.id
            assert annotations["destructiveHint"] is (spec.effect is Effect.DANGER), spec.id
    assert {Effect.READ, Effect.WRITE, Effect.EXTERNAL} <= seen


async def test_direct_tools_follow_the_exposure(served: Served) -> None:
    exposed = Override(exposure={Surface.SESSION_AGENT: Exposure.DIRECT})
    hidden = Override(exposure={Surface.SESSION_AGENT: Exposure.DISCOVERABLE})
    served.policy = PolicySettings(device={"session.list": exposed, "session.title.set": hidden})
    async with connected(await served.session()) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == [*DISCOVERY, "session_list"]
        refused = await client.call_tool("session_title_set", {"title": "x"})
    assert refused.is_error
    assert refused.structured_content["code"] == "unknown_tool"
    assert "action_id 'session.title.set'" in text(refused)
    assert served.behind.requests == []


async def test_a_disabled_action_is_gone_and_says_why(served: Served) -> None:
    served.policy = PolicySettings(device={"session.title.set": Override(enabled=False)})
    async with connected(await served.session()) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == DISCOVERY


@ERAS
async def test_a_change_of_what_is_offered_is_told(served: Served, modern: bool) -> None:
    told = asyncio.Event()

    async def hear(message: Any) -> None:
        if "list_changed" in str(getattr(message, "method", "")):
            told.set()

    async with connected(await served.session(), modern=modern, message_handler=hear) as client:
        await client.list_tools()
        served.policy = PolicySettings(
            device={"session.list": Override(exposure={Surface.SESSION_AGENT: Exposure.DIRECT})}
        )
        if not modern:  # the stateless era pushes only to those who listen
            for _ in range(100):
                served.gateway.tools_changed()
                if told.is_set():
                    break
                await asyncio.sleep(0.1)
            assert told.is_set()
        assert "session_list" in [tool.name for tool in (await client.list_tools()).tools]


@ERAS
async def test_a_call_comes_from_its_session_with_its_origin(served: Served, modern: bool) -> None:
    async with connected(await served.session("s2"), modern=modern) as client:
        await client.list_tools()
        await client.call_tool("session_title_set", {"title": "x"})
        await client.call_tool("action_execute", {"actionId": "session.list", "input": {"limit": 3}})
    direct, inner = served.behind.requests
    assert (direct.action_id, dict(direct.input)) == ("session.title.set", {"title": "x"})
    assert (inner.action_id, dict(inner.input)) == ("session.list", {"limit": 3})
    for request in (direct, inner):
        assert (request.surface, request.caller.session_id) == (Surface.SESSION_AGENT, "s2")
        assert request.workspace == "/repo"
    assert (direct.origin["tool"], inner.origin["tool"]) == ("session_title_set", "action_execute")


async def test_the_token_of_the_caller_goes_nowhere(served: Served) -> None:
    address = await served.session()
    async with connected(address) as client:
        await client.call_tool("session_title_set", {"title": "x"})
    assert address.token not in repr(served.behind.requests)


OUTCOMES: dict[str, tuple[Outcome, bool, str]] = {
    "pending": (Pending("apr_1", "review.start"), False, "waits for a person's approval (request apr_1)"),
    "rejected": (Rejected("not today"), True, "rejected: session.title.set was rejected by a person: not today"),
    "disabled": (Failed(ErrorCode.ACTION_DISABLED, "It is off."), True, "action_disabled: It is off."),
    "invalid": (
        Failed(
            ErrorCode.INVALID_INPUT, "It does not fit.", {"fields": [{"field": "title", "message": "It is too long."}]}
        ),
        True,
        "- title: It is too long.",
    ),
}


async def test_every_outcome_is_told_in_words_and_fits_the_schema(served: Served) -> None:
    async with connected(await served.session()) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        schema = tools["session_title_set"].output_schema
        assert schema is not None
        for case, (outcome, is_error, words) in OUTCOMES.items():
            served.behind.answer = answering(outcome)
            result = await client.call_tool("session_title_set", {"title": "x"})
            assert (result.is_error, words in text(result)) == (is_error, True), (case, result.content)
            jsonschema.validate(result.structured_content, schema)


def text(result: CallToolResult) -> str:
    """What a model reads of a result."""
    (said,) = result.content
    assert isinstance(said, TextContent)
    return said.text


def answering(outcome: Outcome) -> Callable[[Request], Awaitable[Outcome]]:
    async def answer(request: Request) -> Outcome:
        return outcome

    return answer


async def test_an_unknown_tool_is_told_with_what_was_meant(served: Served) -> None:
    async with connected(await served.session()) as client:
        result = await client.call_tool("action_spec_serch", {})
    assert result.is_error
    assert result.structured_content["details"]["candidates"][0] == {"name": "action_spec_search"}


async def test_a_call_of_action_execute_with_nonsense_names_the_field(served: Served) -> None:
    async with connected(await served.session()) as client:
        for arguments in ({}, {"action_id": "session.list", "input": "[]"}, {"action_id": "x", "secret": "canary-1"}):
            result = await client.call_tool("action_execute", arguments)
            assert result.structured_content["code"] == "invalid_input"
            assert result.structured_content["details"]["fields"]
            assert "canary-1" not in str(result)
        await client.call_tool("action_execute", {"action_id": "session.list", "input": '{"limit": 2}'})
    assert dict(served.behind.requests[-1].input) == {"limit": 2}, "some models write the object as text"


async def test_fifty_megabytes_go_to_a_file(served: Served) -> None:
    served.behind.answer = answering(Completed({"text": "x" * 50_000_000}))
    async with connected(await served.session()) as client:
        result = await client.call_tool("action_spec_search", {"query": "x"})
    assert not result.is_error
    assert result.structured_content["kind"] == "result_in_file"
    folder, mode, kept = await asyncio.to_thread(read, Path(result.structured_content["path"]))
    assert (folder, mode, len(kept["text"])) == (served.results, 0o600, 50_000_000)
    assert len(result.model_dump_json()) < 20_000
    assert result.content[1].type == "resource_link"


def read(file: Path) -> tuple[Path, int, Any]:
    return file.parent, file.stat().st_mode & 0o777, json.loads(file.read_text())


async def test_a_client_that_does_not_read_holds_nobody_up(served: Served) -> None:
    served.behind.answer = answering(Failed(ErrorCode.FAILED, "x" * 400_000))
    address, other = await served.session("s1"), await served.session("s2")
    port = await served.gateway.port()
    slow: list[asyncio.StreamWriter] = []
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "action_spec_search", "arguments": {},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientInfo": {"name": "slow", "version": "1"},
                  "io.modelcontextprotocol/clientCapabilities": {}},
    }})  # fmt: skip
    for _ in range(20):
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(
            f"POST /mcp/session/s1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {address.token}\r\n"
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: action_spec_search\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        slow.append(writer)
    await served.behind.came(20)
    async with connected(other) as client:
        started = time.monotonic()
        await client.call_tool("session_title_set", {"title": "x"})
        assert time.monotonic() - started < 10
    for writer in slow:
        writer.transport.abort()


@ERAS
async def test_a_cancelled_call_is_cancelled_behind_the_door(served: Served, modern: bool) -> None:
    served.behind.answer = served.behind.never
    async with connected(await served.session(), modern=modern) as client:
        await client.list_tools()
        call = asyncio.create_task(client.call_tool("session_title_set", {"title": "x"}))
        await served.behind.came()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(served.behind.cancelled.wait(), 30)
        served.behind.answer = served.behind.at_once
        assert not (await client.call_tool("session_title_set", {"title": "x"})).is_error


async def test_progress_tells_that_a_long_call_is_at_work(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reported, "HEARTBEAT_S", 0.05)
    enough = asyncio.Event()

    async def answer(request: Request) -> Outcome:
        await enough.wait()
        return Pending("apr_1", request.action_id)

    notes: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        notes.append((progress, total, message))
        if len(notes) == 3:
            enough.set()

    served.behind.answer = answer
    async with connected(await served.session()) as client:
        await asyncio.wait_for(client.call_tool("session_title_set", {"title": "x"}, progress_callback=note), 30)
        quiet = await client.call_tool("session_title_set", {"title": "x"})
    assert not quiet.is_error
    assert (notes[0][1], (notes[0][2] or "")[:12]) == (None, "at work for ")


CLIENT = """
import asyncio, sys
from tests.actions.delivery.mcp.clients import connected
from actions.delivery.mcp.gateway import Address

async def main():
    async with connected(Address(*sys.argv[1:3])) as client:
        await client.call_tool("session_title_set", {"title": "x"})

asyncio.run(main())
"""


async def test_a_killed_client_leaves_nothing_in_the_way(served: Served) -> None:
    served.behind.answer = served.behind.never
    address = await served.session()
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    client = await asyncio.create_subprocess_exec(sys.executable, "-c", CLIENT, address.url, address.token, env=env)
    await served.behind.came()
    client.send_signal(signal.SIGKILL)
    await client.wait()
    served.behind.answer = served.behind.at_once
    async with connected(await served.session()) as another:
        assert not (await another.call_tool("session_title_set", {"title": "y"})).is_error
    await served.gateway.close_session("s1")
    await asyncio.wait_for(served.behind.cancelled.wait(), 30)


async def test_each_session_has_a_server_of_its_own(served: Served) -> None:
    async with connected(await served.session("s1")) as one, connected(await served.session("s2")) as two:
        await served.gateway.close_session("s1")
        assert (await two.list_tools()).tools
        with pytest.raises(MCPError, match="Session not found"):
            await one.list_tools()
    async with connected(await served.session("s1")) as anew:
        assert (await anew.list_tools()).tools


async def test_a_session_that_has_ended_takes_its_connections_with_it(served: Served) -> None:
    address = await served.session()
    async with httpx2.AsyncClient(timeout=30) as client:
        headers = {**ACCEPT, **bearer(address.token)}
        known = (await client.post(address.url, json=INITIALIZE, headers=headers)).headers["mcp-session-id"]
        await served.gateway.close_session("s1")
        served.sessions.discard("s1")
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        gone = await client.post(address.url, json=ping, headers={**headers, "mcp-session-id": known})
    assert gone.status_code == 401


@pytest.fixture
def served_desk(served: Served) -> ToolDesk:
    return served.desk
