"""Agent: hands a task to a subagent."""

from __future__ import annotations

from pydantic import BaseModel, Field

from actions.agent.tools.needs import Subagents
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ErrorClass, ToolFailure, ToolResult
from actions.agent.toolset.tool import SkipThisTool, TypedTool
from actions.catalog.spec import Effect


class AgentParams(BaseModel):
    description: str = Field(min_length=1, description="The task in three to five words, for the user.")
    prompt: str = Field(min_length=1, description="The task, with everything that the subagent has to know.")
    type: str = Field(description="The kind of subagent.")
    background: bool = Field(default=False, description="Return at once; you are told when it ends.")


class Agent(TypedTool[AgentParams]):
    """Has no effect of its own: what the subagent's tools do is asked for by them, at the root session."""

    name = "Agent"
    params = AgentParams
    effect = Effect.NONE
    kind = "other"
    key_argument = "description"
    remarks = frozenset({"description"})

    def __init__(self, subagents: Subagents) -> None:
        if not subagents.types:
            raise SkipThisTool("this agent has no subagents")
        self._subagents = subagents
        self.words = {"types": "\n".join(f"- `{kind}`: {told}" for kind, told in subagents.types.items())}

    async def prepare(self, arguments: AgentParams) -> Ask:
        return Ask(f"Hand to a subagent ({arguments.type}): {arguments.description}", Scope("tool", ""))

    async def run(self, params: AgentParams) -> ToolResult:
        if params.type not in self._subagents.types:
            known = ", ".join(self._subagents.types)
            raise ToolFailure(
                f"There is no kind of subagent {params.type!r}. There are: {known}.", error=ErrorClass.INVALID_INPUT
            )
        return await self._subagents.run(params.type, params.description, params.prompt, background=params.background)
