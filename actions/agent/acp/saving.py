"""The one write of the scout: the last plan as a Markdown file, after a yes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from actions.agent.acp.client import Permission, TurnClient
from actions.agent.acp.request import Ended, Stop
from actions.errors import InvalidInput, SaysoError
from actions.storage.files import write_atomic
from actions.tasks import TaskOwner


def place_for_plan(cwd: Path, said: str) -> Path:
    """The real path that ``said`` names inside ``cwd``. Raises InvalidInput for one that may not be written."""
    root = Path(os.path.realpath(cwd))
    file = Path(os.path.realpath(root / Path(said).expanduser()))
    if not file.is_relative_to(root) or file == root:
        raise InvalidInput(f"`{said}` is outside the workspace. Name a file inside it, like `docs/plan.md`.")
    if ".git" in file.relative_to(root).parts:
        raise InvalidInput(f"`{said}` belongs to git itself. Name a file elsewhere, like `docs/plan.md`.")
    if file.suffix.lower() not in (".md", ".markdown"):
        raise InvalidInput(f"A plan is Markdown, so its file ends in `.md`; `{said}` does not.")
    if file.is_dir():
        raise InvalidInput(f"`{said}` is a folder. Name a file in it, like `{said.rstrip('/')}/plan.md`.")
    return file


class SavePlan:
    """Asks, then writes. ``asks`` off means that the person said beforehand that nothing is to be asked."""

    def __init__(self, client: TurnClient, *, asks: bool) -> None:
        self._client = client
        self._asks = asks

    async def run(self, said: str, cwd: Path, plan: str | None, call_id: str, stop: Stop) -> Ended:
        """Write ``plan`` to ``said`` inside ``cwd``. Nothing is written without a yes, or outside ``cwd``."""
        if plan is None:
            return await self._say(
                "There is no plan in this session yet. Switch to mode Plan and ask for one, then back to mode Ask and "
                "say this again."
            )
        try:
            file = place_for_plan(cwd, said)
            old = _text(file)
        except (SaysoError, OSError, ValueError) as error:
            return await self._say(f"Nothing was written. {error}")
        title = f"Write the plan to {said}"
        await self._client.write_started(call_id, title, file, old, plan)
        answer = await self._ask(call_id, title, file, old, plan, stop) if self._asks else Permission(allowed=True)
        if answer is None:
            await self._client.stopped(call_id, "cancelled")
            return Ended("cancelled")
        if not answer.allowed:
            await self._client.stopped(call_id, "rejected")
            why = f" You said: {answer.feedback}" if answer.feedback else ""
            return await self._say(f"You said no, so nothing was written to `{said}`.{why}")
        return await self._write(call_id, said, file, plan)

    async def _ask(
        self, call_id: str, title: str, file: Path, old: str | None, plan: str, stop: Stop
    ) -> Permission | None:
        """The person's answer, None after a cancel; a client that forgets to answer does not hold the cancel up."""
        tasks = TaskOwner(f"permission {call_id}")
        asking = tasks.start(self._client.may_write(call_id, title, file, old, plan), name="answer")
        stopping = tasks.start(stop.told.wait(), name="stop")
        try:
            await asyncio.wait((asking, stopping), return_when=asyncio.FIRST_COMPLETED)
            return None if stopping.done() else asking.result()
        finally:
            await tasks.close()

    async def _write(self, call_id: str, said: str, file: Path, plan: str) -> Ended:
        try:
            _replace(file, plan)
        except (SaysoError, OSError) as error:
            await self._client.stopped(call_id, str(error))
            return await self._say(f"The plan could not be written to `{said}`: {error}")
        await self._client.write_ended(call_id)
        return await self._say(f"The plan is in `{said}`.")

    async def _say(self, text: str) -> Ended:
        await self._client.say(text)
        return Ended("end_turn", text)


def _replace(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
    write_atomic(file, text.encode(), mode=mode)


def _text(file: Path) -> str | None:
    """What stands in ``file`` now; None when there is none yet."""
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else None
