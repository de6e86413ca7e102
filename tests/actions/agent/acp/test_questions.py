"""Questions of the agent to the user, over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.actions.agent.acp.wired import Editor, environment, wired
from tests.actions.agent.loop.stage import Server, serve

QUESTIONS = [
    {"question": "Which one?", "header": "One", "options": [{"label": "red"}, {"label": "blue", "description": "sky"}]},
    {"question": "Which ones?", "options": [{"label": "a"}, {"label": "b"}, {"label": "c"}], "multi": True},
]
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "ask": [
        {"tool_calls": [{"tool": ["AskUserQuestion"], "args": {"questions": QUESTIONS}}]},
        {"text": "thanks"},
    ],
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve(tmp_path_factory.mktemp("llm") / "server", {"scripts": SCRIPTS})
    yield server
    server.process.terminate()
    server.process.wait()


async def test_70_the_answers_of_a_form_reach_the_tool(model: Server, tmp_path: Path) -> None:
    """Case 70."""
    forms: list[Any] = []

    def fill(message: str, schema: Any) -> dict[str, Any]:
        forms.append((message, schema))
        return {"q1": "blue", "q2": ["a", "c"], "q2_own": "and d"}

    editor = Editor(form=fill)
    async with wired(editor, environment(model)):
        session = await editor.open(tmp_path)
        await editor.prompt(session, "ask")
    assert editor.text == "thanks"
    ended = editor.calls()[-1]
    assert ended.status == "completed"
    answered = str(ended.raw_output)
    assert all(word in answered for word in ("blue", "and d", "Which ones?"))
    ((message, schema),) = forms
    assert message == "Which one?\nWhich ones?"
    assert [choice.const for choice in schema.properties["q1"].one_of] == ["red", "blue"]
    assert [choice.const for choice in schema.properties["q2"].items.any_of] == ["a", "b", "c"]


@pytest.mark.parametrize("how", ["cancel", "error"])
async def test_a_question_that_is_dismissed_or_answered_with_an_error_goes_on(
    model: Server, tmp_path: Path, how: str
) -> None:
    editor = Editor(form=None if how == "error" else lambda message, schema: None)
    async with wired(editor, environment(model)):
        session = await editor.open(tmp_path)
        assert (await editor.prompt(session, "ask")).stop_reason == "end_turn"
    assert "dismissed" in str(editor.calls()[-1].raw_output).lower()


async def test_71_a_client_without_forms_is_not_asked_and_the_tool_not_offered(model: Server, tmp_path: Path) -> None:
    """Case 71."""
    editor = Editor()
    async with wired(editor, environment(model), forms=False):
        session = await editor.open(tmp_path)
        await editor.prompt(session, "ask")
    offered = model.requests()[-1]["tools"]
    assert "Shell" in offered
    assert "AskUserQuestion" not in offered
