"""Questions to the user as a form (ACP, "Elicitation")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from actions.agent.acp.link import Link, Refused
from actions.agent.acp.names import CallNames
from actions.agent.tools.needs import Question
from actions.agent.toolset.call import current_call


class FormQuestions:
    """Implements :class:`actions.agent.tools.needs.Questions`. ``available``: the client shows forms."""

    def __init__(self, link: Link, session_id: str, names: CallNames, *, available: bool) -> None:
        self._link = link
        self._session_id = session_id
        self._names = names
        self._available = available

    @property
    def available(self) -> bool:
        return self._available

    async def ask(self, questions: Sequence[Question]) -> dict[str, list[str]] | None:
        """The answers by question. None when they were dismissed: declined, cancelled, or answered with an error."""
        call = current_call.get()
        params: dict[str, Any] = {
            "sessionId": self._session_id,
            "mode": "form",
            "message": "\n".join(question.question for question in questions),
            "requestedSchema": {"type": "object", "properties": _fields(questions)},
        }
        if call is not None:
            params["toolCallId"] = self._names.of(None, call.id)
        try:
            answer: object = await self._link.call("elicitation/create", params)
        except (Refused, ConnectionError):
            return None
        said = cast("dict[str, Any]", answer) if isinstance(answer, dict) else {}
        content = said.get("content")
        if said.get("action") != "accept" or not isinstance(content, dict):
            return None
        given = cast("dict[str, object]", content)
        return {question.question: _answer(given, at) for at, question in enumerate(questions, 1)}


def _fields(questions: Sequence[Question]) -> dict[str, Any]:
    """Two fields a question: the choice, and a line for words of one's own."""
    fields: dict[str, Any] = {}
    for at, question in enumerate(questions, 1):
        choices = [
            {"const": option.label, "title": option.label}
            | ({"description": option.description} if option.description else {})
            for option in question.options
        ]
        named: dict[str, Any] = {"title": question.header or question.question, "description": question.question}
        if question.multi:
            fields[f"q{at}"] = {"type": "array", **named, "items": {"anyOf": choices}}
        else:
            fields[f"q{at}"] = {"type": "string", **named, "oneOf": choices}
        fields[f"q{at}_own"] = {"type": "string", "title": "Or in your own words"}
    return fields


def _answer(given: dict[str, object], at: int) -> list[str]:
    chosen, own = given.get(f"q{at}"), given.get(f"q{at}_own")
    listed = cast("list[object]", chosen) if isinstance(chosen, list) else [chosen]
    return [text for text in (*listed, own) if isinstance(text, str) and text.strip()]
