"""SendDMail: a note to an earlier checkpoint of the same session. The context goes back there, files stay."""

from __future__ import annotations

from pydantic import BaseModel, Field

from actions.agent.tools.needs import Checkpoints
from actions.agent.toolset.results import ErrorClass, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect


class SendDMailParams(BaseModel):
    message: str = Field(min_length=1, description="The note. Everything you need to know, for you will not remember.")
    checkpoint: int = Field(ge=0, description="The checkpoint to go back to, as its mark in the conversation says.")


class SendDMail(TypedTool[SendDMailParams]):
    name = "SendDMail"
    params = SendDMailParams
    effect = Effect.NONE
    kind = "think"

    def __init__(self, checkpoints: Checkpoints) -> None:
        self._checkpoints = checkpoints

    async def run(self, params: SendDMailParams) -> ToolResult:
        if self._checkpoints.last < 0:
            raise ToolFailure("There is no checkpoint yet.", error=ErrorClass.INVALID_INPUT)
        try:
            self._checkpoints.go_back(params.checkpoint, params.message)
        except ValueError as error:
            raise ToolFailure(
                f"{error}. Checkpoints go from 0 to {self._checkpoints.last}.", error=ErrorClass.INVALID_INPUT
            ) from error
        return ToolResult(message=f"After this step you are back at checkpoint {params.checkpoint} with your note.")
