"""The toolset of kimi-cli 1.50.0 (Apache-2.0), as :mod:`tests.bench.floors.dispatch` drives it. Runs in the peer's own
environment; nothing of it is in ours.
"""

from __future__ import annotations

import asyncio
from typing import Any

import kimi_cli.telemetry  # pyright: ignore[reportMissingImports]  # only there in the peer's environment
from kimi_cli.hooks.config import HookDef  # pyright: ignore[reportMissingImports]
from kimi_cli.hooks.engine import HookEngine  # pyright: ignore[reportMissingImports]
from kimi_cli.soul.approval import Approval, ApprovalState  # pyright: ignore[reportMissingImports]
from kimi_cli.soul.toolset import KimiToolset  # pyright: ignore[reportMissingImports]
from kosong.message import ToolCall  # pyright: ignore[reportMissingImports]
from kosong.tooling import CallableTool2, ToolOk  # pyright: ignore[reportMissingImports]
from loguru import logger  # pyright: ignore[reportMissingImports]
from pydantic import BaseModel

logger.remove()
kimi_cli.telemetry._disabled = True


class Params(BaseModel):
    value: int = 0
    text: str = ""


class Noop(CallableTool2[Params]):
    name = "Noop"
    description = "Does nothing."
    params = Params

    async def __call__(self, params: Params) -> Any:
        return ToolOk(output="ok")


class Asking(Noop):
    name = "AP"

    def __init__(self, approval: Any) -> None:
        super().__init__()
        self._approval = approval

    async def __call__(self, params: Params) -> Any:
        answer = await self._approval.request("AP", "act", "description")
        return ToolOk(output="ok") if answer else answer.rejection_error()


class Peer:
    def __init__(self, hooks: int = 0, *, yolo: bool = False) -> None:
        self._toolset = KimiToolset()
        self._toolset.add(Noop())
        self._toolset.add(Asking(Approval(state=ApprovalState(yolo=yolo))))
        if hooks:
            commands = [HookDef(event="PreToolUse", command=f"true #{number}") for number in range(hooks)]
            self._toolset.set_hook_engine(HookEngine(commands))

    @classmethod
    def approving(cls, mode: str) -> Peer:
        return cls(yolo=mode == "yolo")

    def begin(self, previous: Any) -> None:
        self._toolset.begin_step(previous)

    def handle(self, id: str, name: str, arguments: str) -> Any:
        call = ToolCall(id=id, function=ToolCall.FunctionBody(name=name, arguments=arguments))
        result = self._toolset.handle(call)
        if isinstance(result, asyncio.Future):
            return result
        done = asyncio.get_running_loop().create_future()
        done.set_result(result)
        return done

    def end(self) -> Any:
        return self._toolset.end_step()
