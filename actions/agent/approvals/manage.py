"""The command `/rules`: what was allowed for this session or always in this workspace, and the way to take it back."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from actions.agent.approvals.rule import Rule
from actions.agent.approvals.rules import Rules
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect
from actions.errors import SaysoError

ALL = "all"
_HOW = "Take one back with `/rules revoke ID`, all of them with `/rules revoke all`."
_NONE = "No rule allows anything here: each call that needs your yes asks for it."


class ManageRulesParams(BaseModel):
    """What to do, and with which rule."""

    does: str = Field(default="list", description="list or revoke")
    rule: str = Field(default="", description="Id of a rule, or all; only for revoke")


class ManageRules(TypedTool[ManageRulesParams]):
    """Hidden from the model: it is the person's way to the rules, from any client. It can only make calls ask again."""

    name = "ApprovalRules"
    description = "Lists the rules that allow calls without a question, and takes them back."
    params = ManageRulesParams
    parameters = ManageRulesParams.model_json_schema()
    effect = Effect.NONE
    kind = "other"

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    async def run(self, params: ManageRulesParams) -> ToolResult:
        """The rules, or those that were taken back."""
        there = self._rules.listed()
        fault = self._rules.fault() or ""
        if params.does == "list":
            listed = "\n".join((*map(_told, there), "", _HOW)) if there else _NONE
            return _shown(f"{fault}\n\n{listed}" if fault else listed)
        if params.does != "revoke":
            raise ToolFailure(f"`/rules` does not know {params.does!r}. {_HOW}", error=ErrorClass.INVALID_INPUT)
        wanted = [rule for rule in there if params.rule in (ALL, rule.id)]
        if not wanted and params.rule != ALL:
            known = ", ".join(rule.id for rule in there) or "none"
            why = f"There is no rule {params.rule!r}. Known: {known}. `/rules` lists them. {fault}"
            raise ToolFailure(why.rstrip(), error=ErrorClass.NOT_FOUND)
        try:
            gone = [rule for rule in wanted if self._rules.revoke(rule.id)]
        except SaysoError as error:
            raise ToolFailure(f"{error.message} The rule stands.") from error
        told = "\n".join(("Taken back; these ask again:", *map(_told, gone))) if gone else _NONE
        return _shown(f"{told}\n\n{fault}" if fault else told)


def read_arguments(rest: str) -> dict[str, Any]:
    """What follows `/rules`: nothing, or what to do and the rule's id."""
    does, _, rule = rest.partition(" ")
    return {"does": does.lower() or "list", "rule": rule.strip().lower()}


def _told(rule: Rule) -> str:
    held = "always in this workspace" if rule.always else "this session"
    counts = "" if rule.pattern.sound else "does not count, such a rule would free too much: "
    return f"- `{rule.id}` ({held}): {counts}{rule.in_words}"


def _shown(text: str) -> ToolResult:
    return ToolResult(text, display=(TextDisplay(text, "markdown"),))
