"""The tools that change nothing on the machine: todo list, questions, plan mode, notes to oneself, subagents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import ValidationError

from actions.agent.tools.agent import Agent, AgentParams
from actions.agent.tools.ask_user import AskUserQuestion, AskUserQuestionParams
from actions.agent.tools.dmail import SendDMail, SendDMailParams
from actions.agent.tools.needs import Option, PlanAnswer, Question, TodoList
from actions.agent.tools.plan_mode import EnterPlanMode, EnterPlanModeParams, ExitPlanMode, ExitPlanModeParams
from actions.agent.tools.todo import SetTodoList, SetTodoListParams
from actions.agent.toolset.results import ErrorClass, TextDisplay, TodoDisplay, ToolFailure, ToolResult
from actions.agent.toolset.tool import SkipThisTool
from actions.catalog.spec import Effect

# ---- todo

_TODOS = {
    "todos": [{"title": "Read", "status": "done"}, {"title": "Write", "status": "in_progress"}, {"title": "Test"}]
}
_ITEMS = (("Read", "done"), ("Write", "in_progress"), ("Test", "pending"))


async def test_the_list_is_replaced_and_shown() -> None:
    kept = TodoList((("Old", "pending"),))
    tool = SetTodoList(kept)
    result = await tool.run(SetTodoListParams.model_validate(_TODOS))
    assert kept.items == _ITEMS
    assert result.display == (TodoDisplay(_ITEMS),)
    assert result.output == "[x] Read\n[>] Write\n[ ] Test"
    assert "1 of 3 done" in result.message
    assert (await tool.run(SetTodoListParams())).output == result.output
    await tool.run(SetTodoListParams(todos=[]))
    assert kept.items == ()


async def test_65_the_todo_list_is_shown_as_a_list() -> None:
    """Case 65, todo."""
    ask = await SetTodoList(TodoList()).prepare(SetTodoListParams.model_validate(_TODOS))
    assert ask.preview == (TodoDisplay(_ITEMS),)


def test_a_status_that_there_is_not() -> None:
    with pytest.raises(ValidationError):
        SetTodoListParams.model_validate({"todos": [{"title": "x", "status": "half"}]})


# ---- questions

_ASKED = {
    "questions": [
        {
            "question": "Which one?",
            "header": "Choice",
            "options": [{"label": "A (Recommended)", "description": "fast"}, {"label": "B"}],
        },
        {"question": "And these?", "options": [{"label": "X"}, {"label": "Y"}], "multi": True},
    ]
}


@dataclass
class Person:
    """Answers questions with what was prepared."""

    answers: dict[str, list[str]] | None
    available: bool = True
    asked: list[Question] = field(default_factory=list)

    async def ask(self, questions: Sequence[Question]) -> dict[str, list[str]] | None:
        self.asked = list(questions)
        return self.answers


async def test_70_the_answers_reach_the_tool() -> None:
    """Case 70."""
    person = Person({"Which one?": ["B"], "And these?": ["X", "my own words"]})
    result = await AskUserQuestion(person).run(AskUserQuestionParams.model_validate(_ASKED))
    assert person.asked == [
        Question("Which one?", "Choice", (Option("A (Recommended)", "fast"), Option("B"))),
        Question("And these?", "", (Option("X"), Option("Y")), multi=True),
    ]
    assert result.output == "Which one? B\nAnd these? X, my own words"
    assert result.error is None


async def test_dismissed_questions_are_no_error() -> None:
    result = await AskUserQuestion(Person(None)).run(AskUserQuestionParams.model_validate(_ASKED))
    assert result.error is None
    assert "dismissed" in result.message


async def test_71_without_a_client_that_answers_nothing_is_asked() -> None:
    """Case 71, for a call of the hidden tool."""
    person = Person({}, available=False)
    result = await AskUserQuestion(person).run(AskUserQuestionParams.model_validate(_ASKED))
    assert result.is_error
    assert person.asked == []


@pytest.mark.parametrize(
    "asked",
    [
        [],
        [{"question": "One?", "options": [{"label": "only"}]}],
        [{"question": "Five?", "options": [{"label": str(n)} for n in range(5)]}],
        [{"question": "Same?", "options": [{"label": "a"}, {"label": "a"}]}],
        [{"question": "Twice?", "options": [{"label": "a"}, {"label": "b"}]}] * 2,
        [{"question": f"{n}?", "options": [{"label": "a"}, {"label": "b"}]} for n in range(5)],
    ],
)
def test_questions_that_make_no_sense(asked: list[object]) -> None:
    with pytest.raises(ValidationError):
        AskUserQuestionParams.model_validate({"questions": asked})


# ---- plan mode


@dataclass
class Planning:
    """A plan mode whose person answers as prepared."""

    file: Path
    answer: PlanAnswer = field(default_factory=lambda: PlanAnswer(approved=True))
    active: bool = False
    proposed: list[str] = field(default_factory=list)

    async def enter(self) -> None:
        self.active = True

    async def propose(self, plan: str) -> PlanAnswer:
        self.proposed.append(plan)
        self.active = not self.answer.approved
        return self.answer


@pytest.fixture
def planning(tmp_path: Path) -> Planning:
    return Planning(tmp_path / "plan.md")


async def test_entering_names_the_plan_file(planning: Planning) -> None:
    tool = EnterPlanMode(planning)
    result = await tool.run(EnterPlanModeParams())
    assert planning.active
    assert str(planning.file) in result.message
    assert "on already" in (await tool.run(EnterPlanModeParams())).message


async def test_the_plan_file_is_proposed(planning: Planning) -> None:
    planning.active = True
    planning.file.write_text("# Plan\n", encoding="utf-8")
    tool = ExitPlanMode(planning)
    assert (await tool.prepare(ExitPlanModeParams())).preview == (TextDisplay("# Plan\n", "markdown"),)
    result = await tool.run(ExitPlanModeParams())
    assert planning.proposed == ["# Plan\n"]
    assert (result.error, result.output) == (None, "# Plan\n")
    assert "approved" in result.message


async def test_a_plan_in_the_call_goes_before_the_file(planning: Planning) -> None:
    planning.active = True
    await ExitPlanMode(planning).run(ExitPlanModeParams(plan="Short."))
    assert planning.proposed == ["Short."]


async def test_changes_wanted_reach_the_model_and_a_plain_no_ends_the_turn(planning: Planning) -> None:
    planning.active = True
    planning.answer = PlanAnswer(approved=False, feedback="smaller steps")
    result = await ExitPlanMode(planning).run(ExitPlanModeParams(plan="x"))
    assert (result.error, result.feedback) == (ErrorClass.REJECTED, "smaller steps")
    assert "smaller steps" in result.message
    planning.answer = PlanAnswer(approved=False)
    result = await ExitPlanMode(planning).run(ExitPlanModeParams(plan="x"))
    assert (result.error, result.feedback) == (ErrorClass.REJECTED, None)
    assert planning.active


async def test_without_plan_or_mode_nothing_is_proposed(planning: Planning) -> None:
    with pytest.raises(ToolFailure, match="not on"):
        await ExitPlanMode(planning).run(ExitPlanModeParams(plan="x"))
    planning.active = True
    with pytest.raises(ToolFailure, match="no plan yet"):
        await ExitPlanMode(planning).run(ExitPlanModeParams())
    assert planning.proposed == []


def test_leaving_is_the_users_action() -> None:
    assert (ExitPlanMode.user_action, ExitPlanMode.effect, EnterPlanMode.effect) == (True, Effect.NONE, Effect.NONE)


# ---- notes to an earlier checkpoint


@dataclass
class Points:
    last: int
    went: list[tuple[int, str]] = field(default_factory=list)

    def go_back(self, checkpoint: int, note: str) -> None:
        if checkpoint > self.last:
            raise ValueError(f"there is no checkpoint {checkpoint}")
        self.went.append((checkpoint, note))


async def test_a_note_goes_back() -> None:
    points = Points(last=3)
    result = await SendDMail(points).run(SendDMailParams(message="it is in b.py", checkpoint=2))
    assert points.went == [(2, "it is in b.py")]
    assert result.error is None


async def test_a_checkpoint_that_there_is_not() -> None:
    with pytest.raises(ToolFailure, match="0 to 3") as caught:
        await SendDMail(Points(last=3)).run(SendDMailParams(message="x", checkpoint=4))
    assert caught.value.result.error is ErrorClass.INVALID_INPUT
    with pytest.raises(ToolFailure, match="no checkpoint yet"):
        await SendDMail(Points(last=-1)).run(SendDMailParams(message="x", checkpoint=0))
    with pytest.raises(ValidationError):
        SendDMailParams(message="x", checkpoint=-1)


# ---- subagents


@dataclass
class Desk:
    types: dict[str, str]
    ran: list[tuple[str, str, str, bool]] = field(default_factory=list)

    async def run(self, kind: str, description: str, prompt: str, *, background: bool) -> ToolResult:
        self.ran.append((kind, description, prompt, background))
        return ToolResult("the report")


async def test_a_task_is_handed_on() -> None:
    desk = Desk({"explore": "Looks."})
    arguments = AgentParams(description="find it", prompt="Find b.", type="explore", background=True)
    result = await Agent(desk).run(arguments)
    assert desk.ran == [("explore", "find it", "Find b.", True)]
    assert result.output == "the report"
    assert (await Agent(desk).prepare(arguments)).summary == "Hand to a subagent (explore): find it"


async def test_a_kind_that_there_is_not_is_told_with_those_there_are() -> None:
    desk = Desk({"explore": "Looks.", "plan": "Plans."})
    with pytest.raises(ToolFailure, match="explore, plan"):
        await Agent(desk).run(AgentParams(description="x", prompt="x", type="painter"))
    assert desk.ran == []


def test_an_agent_without_subagents_has_no_such_tool() -> None:
    with pytest.raises(SkipThisTool):
        Agent(Desk({}))
