"""Parameters of any shape: every request is answered, none with an internal error, and the agent lives on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from acp import RequestError

from actions.agent.acp.hello import Hello
from actions.agent.opening import NotAgreed, agree
from tests.actions.agent.acp.wired import Editor, wired

METHODS = (
    "initialize", "session/new", "session/load", "session/resume", "session/fork", "session/list", "session/close",
    "session/set_mode", "session/set_config_option", "session/prompt", "_sayso/permission/answer", "session/dance",
)  # fmt: skip
DEEP: Any = "x"
for _ in range(200):
    DEEP = [DEEP]
JUNK: tuple[Any, ...] = (
    None, 5, "text", [], [{}], {}, {"sessionId": 5}, {"sessionId": "ses_x", "prompt": 5}, {"sessionId": "../../etc"},
    {"cwd": 5}, {"cwd": ""}, {"cwd": "/no/such"}, {"cwd": "/", "mcpServers": [{"name": 5}]}, {"a": DEEP},
    {"cwd": "/", "additionalDirectories": ["relative"]}, {"cursor": "*"}, {"cursor": {"a": 1}},
    {"sessionId": "ses_x", "prompt": [{"type": "hologram"}]}, {"sessionId": "\ud800", "cwd": "/tmp\u0000"},
    {"protocolVersion": True}, {"protocolVersion": -1}, {"_meta": 5}, {"_meta": {"sayso": [1]}},
)  # fmt: skip
ANSWERED = {-32602, -32601, -32600, -32002}


async def test_every_request_is_answered_in_words(tmp_path: Path) -> None:
    editor, codes = Editor(), set[int]()
    async with wired(editor, {}):
        for method in METHODS:
            for junk in JUNK:
                try:
                    await editor.connection._conn.send_request(method, junk)
                except RequestError as error:
                    codes.add(error.code)
        assert codes <= ANSWERED
        session = await editor.open(tmp_path)
        assert (await editor.say(session, "hello")).stop_reason == "end_turn"


async def test_a_session_survives_junk_in_its_prompts(tmp_path: Path) -> None:
    editor = Editor()
    async with wired(editor, {}):
        session = await editor.open(tmp_path)
        for block in (
            {"type": "text", "text": "hello"},
            {"type": "image", "data": "no base64!", "mimeType": "image/png"},
            {"type": "resource_link", "uri": "nowhere:", "name": "x"},
            {"type": "resource", "resource": {"uri": "file:///a", "blob": "AA==", "mimeType": "image/png"}},
            {"type": "resource", "resource": {"uri": "file:///a"}},
        ):
            params = {"sessionId": session, "prompt": [block]}
            answer = await editor.connection._conn.send_request("session/prompt", params)
            assert answer["stopReason"] == "end_turn"


def test_initialize_of_any_shape_is_agreed_or_refused() -> None:
    refusals: list[str] = []
    for junk in JUNK:
        assert Hello.read(junk).forms is False
        try:
            agree(junk)
        except NotAgreed as refused:
            refusals.append(str(refused))
    assert len(refusals) == len(JUNK)
    assert all("protocolVersion" in refusal for refusal in refusals)
    for tools in (5, "x", [5], {"name": "x"}, [None]):
        _, answer = agree({"protocolVersion": 1, "_meta": {"sayso": {"client_tools": tools}}})
        assert len(answer["_meta"]["sayso"]["client_tools"]["rejected"]) <= 1
