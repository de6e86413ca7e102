"""AskUserQuestion: questions with answers to choose from, put before the user."""

from __future__ import annotations

from pydantic import BaseModel, Field, model_validator

from actions.agent.tools.needs import Option, Question, Questions
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ErrorClass, ToolResult, failure
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect


class OptionParams(BaseModel):
    label: str = Field(min_length=1, description="The answer, one to five words.")
    description: str = Field(default="", description="What choosing it means.")


class QuestionParams(BaseModel):
    question: str = Field(min_length=1, description="The whole question, ending with a question mark.")
    header: str = Field(default="", max_length=20, description="A label of one or two words.")
    options: list[OptionParams] = Field(min_length=2, max_length=4, description="Two to four answers to choose from.")
    multi: bool = Field(default=False, description="Whether several may be chosen.")

    @model_validator(mode="after")
    def _labels_differ(self) -> QuestionParams:
        if len({option.label for option in self.options}) < len(self.options):
            raise ValueError(f"two options of {self.question!r} have the same label")
        return self


class AskUserQuestionParams(BaseModel):
    questions: list[QuestionParams] = Field(min_length=1, max_length=4)

    @model_validator(mode="after")
    def _questions_differ(self) -> AskUserQuestionParams:
        if len({one.question for one in self.questions}) < len(self.questions):
            raise ValueError("two questions are the same")
        return self


class AskUserQuestion(TypedTool[AskUserQuestionParams]):
    """The answers come back as text, one line a question. To be hidden when ``Questions.available`` is False."""

    name = "AskUserQuestion"
    params = AskUserQuestionParams
    effect = Effect.NONE
    kind = "other"
    user_action = True

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def prepare(self, arguments: AskUserQuestionParams) -> Ask:
        return Ask(" ".join(one.question for one in arguments.questions), Scope("tool", ""))

    async def run(self, params: AskUserQuestionParams) -> ToolResult:
        if not self._questions.available:
            return failure(
                ErrorClass.TOOL_ERROR, "Nobody can be asked here. Decide for yourself and say what you assumed."
            )
        answers = await self._questions.ask([_question(one) for one in params.questions])
        if answers is None:
            return ToolResult(
                message="The user dismissed the questions. Go on with your best judgement, and do not ask them again."
            )
        lines = [
            f"{one.question} {', '.join(answers.get(one.question, [])) or '(no answer)'}" for one in params.questions
        ]
        return ToolResult("\n".join(lines), "The user answered.")


def _question(said: QuestionParams) -> Question:
    options = tuple(Option(option.label, option.description) for option in said.options)
    return Question(said.question, said.header, options, said.multi)
