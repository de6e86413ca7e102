"""The messages of a session: checkpoints, the way back, compaction, and no call without a result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from actions.agent.session.context import Context, Revert
from actions.agent.session.store import SessionFile, SessionStore


@pytest.fixture
def file(tmp_path: Path) -> SessionFile:
    return SessionStore(tmp_path).create("/work")


def asked(text: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(content=text)])


def called(*ids: str) -> ModelResponse:
    return ModelResponse(parts=[TextPart(content="now"), *(ToolCallPart("Shell", "{}", call_id) for call_id in ids)])


def returned(*ids: str) -> ModelRequest:
    return ModelRequest(parts=[ToolReturnPart("Shell", f"out of {call_id}", call_id) for call_id in ids])


def shape(context: Context) -> list[str]:
    """Each message in short: ``user:hi``, ``call:c1,c2``, ``result:c1,c2``."""
    return [short(message) for message in context.messages]


def short(message: ModelMessage) -> str:
    calls = [part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart)]
    results = [part.tool_call_id for part in message.parts if isinstance(part, ToolReturnPart)]
    if calls or results:
        return f"{'call' if calls else 'result'}:{','.join(calls or results)}"
    first: Any = message.parts[0]
    return f"{'user' if isinstance(message, ModelRequest) else 'said'}:{first.content}"


def content(context: Context, at: int) -> Any:
    """What the first part of a message holds."""
    part: Any = context.messages[at].parts[0]
    return part.content


def reread(file: SessionFile) -> Context:
    return Context.read(file.records())


def test_what_was_added_is_there_after_a_load(file: SessionFile) -> None:
    context = Context(file)
    picture = ModelRequest(parts=[UserPromptPart(content=["see", BinaryContent(b"\x89PNG", media_type="image/png")])])
    for message in (asked("hi"), called("c1"), returned("c1"), picture):
        context.add(message)
    loaded = reread(file)
    assert shape(loaded)[:3] == ["user:hi", "call:c1", "result:c1"]
    picture_again = content(loaded, 3)[1]
    assert isinstance(picture_again, BinaryContent)
    assert picture_again.data == b"\x89PNG"


def test_the_way_back_leaves_the_note_and_the_load_agrees(file: SessionFile) -> None:
    context = Context(file)
    context.add(asked("do it"))
    assert context.checkpoint() == 0
    context.add(called("c1"))
    context.add(returned("c1"))
    assert context.checkpoint() == 1
    context.add(called("c2"))
    context.add(returned("c2"))
    context.go_back(0, "the file is useless")
    assert context.wanted == Revert(0, "the file is useless")
    context.revert(Revert(0, "the file is useless"))
    assert shape(context) == ["user:do it", "user:the file is useless"]
    assert context.last == 0
    assert context.checkpoint() == 2
    assert shape(reread(file)) == shape(context)
    assert reread(file).last == context.last


@pytest.mark.parametrize("checkpoint", [-1, 1, 99])
def test_a_checkpoint_that_is_not_there_is_refused(file: SessionFile, checkpoint: int) -> None:
    context = Context(file)
    context.checkpoint()
    with pytest.raises(ValueError, match="no checkpoint"):
        context.go_back(checkpoint, "note")
    assert context.wanted is None


def test_a_record_that_broke_off_in_the_middle_of_a_step_gets_results(file: SessionFile) -> None:
    context = Context(file)
    context.add(asked("go"))
    context.add(called("c1", "c2"))
    loaded = reread(file)
    assert shape(loaded) == ["user:go", "call:c1,c2", "result:c1,c2"]
    assert "not known" in content(loaded, 2)

    # The next run goes on from there; a second load closes the gap in the same place.
    again = Context.read(file.records(), file)
    again.add(asked("go on"))
    assert shape(reread(file)) == ["user:go", "call:c1,c2", "result:c1,c2", "user:go on"]


def test_a_result_that_is_missing_among_others_is_added(file: SessionFile) -> None:
    context = Context(file)
    context.add(called("c1", "c2"))
    context.add(returned("c2"))
    assert shape(reread(file)) == ["call:c1,c2", "result:c1,c2"]


def test_compaction_keeps_the_last_messages_and_their_checkpoints(file: SessionFile) -> None:
    context = Context(file)
    for number in range(3):
        context.add(asked(f"q{number}"))
        context.checkpoint()
        context.add(called(f"c{number}"))
        context.add(returned(f"c{number}"))
    context.compact(6, "so far")
    assert shape(context) == ["user:so far", "user:q2", "call:c2", "result:c2"]
    with pytest.raises(ValueError, match="there are 2 to 2"):
        context.go_back(1, "gone")
    context.revert(Revert(2, "back"))
    assert shape(context) == ["user:so far", "user:q2", "user:back"]
    assert shape(reread(file)) == shape(context)


def test_ids_are_given_once_in_a_session() -> None:
    context = Context()
    context.add(called("call_1"))
    child = Context(call_ids=context.call_ids)
    assert context.fresh_id("call_1") == "call_1-2"
    assert child.fresh_id("call_1") == "call_1-3"
    assert child.fresh_id("other") == "other"
    assert context.fresh_id("") == "call"


def test_tokens_are_what_the_model_counted_and_an_estimate_for_the_rest() -> None:
    context = Context()
    context.add(asked("x" * 3500))
    assert 1000 <= context.tokens <= 1020
    context.counted(700)
    assert context.tokens == 700
    context.add(asked("x" * 350))
    assert 800 <= context.tokens <= 815


def test_lines_that_are_no_messages_are_left_out(file: SessionFile) -> None:
    context = Context(file)
    context.add(asked("hi"))
    file.append("message", message={"kind": "request", "parts": [{"part_kind": "never heard of"}]})
    file.append("revert", checkpoint=12)
    file.append("message", message="nonsense")
    context.add(asked("there"))
    assert shape(reread(file)) == ["user:hi", "user:there"]


def test_a_lone_surrogate_is_kept(file: SessionFile) -> None:
    context = Context(file)
    context.add(ModelResponse(parts=[ToolCallPart("Shell", '{"command": "\ud800"}', "c1")]))
    context.add(ModelRequest(parts=[ToolReturnPart("Shell", "caf\udce9", "c1")]))
    assert content(reread(file), 1) == "caf\udce9"


def test_a_result_whose_call_was_lost_is_left_out_on_load(file: SessionFile) -> None:
    """The line with the call was torn: no model takes a result without its call, so the session would be dead."""
    context = Context(file)
    context.add(asked("hi"))
    context.add(returned("c1"))
    context.add(ModelRequest(parts=[*returned("c2").parts, UserPromptPart(content="and?")]))
    assert shape(reread(file)) == ["user:hi", "user:and?"]


def test_two_agents_that_wrote_to_one_file_leave_a_context_that_a_model_takes(file: SessionFile) -> None:
    context = Context(file)
    for message in (asked("one"), called("a1", "a2"), asked("two"), called("b1"), returned("a1", "a2"), returned("b1")):
        context.add(message)
    loaded = reread(file)
    assert shape(loaded) == ["user:one", "call:a1,a2", "result:a1,a2", "user:two", "call:b1", "result:b1"]
    assert "outcome_unknown" in str(loaded.messages[2].parts[0])
