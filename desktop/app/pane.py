"""What every presenter is made of: handles that end with the pane, tasks that it owns, one place for failures."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Any

from actions.tasks import TaskOwner
from desktop.app.backend import Backend, Outcome

Report = Callable[[str], None]


class Presenter:
    """Stands between a pane and the host: fills models, runs actions, never draws.

    ``report`` shows a sentence to the user when what they asked for failed and no better place for it exists.
    """

    name = "pane"

    def __init__(self, backend: Backend, report: Report) -> None:
        self.backend = backend
        self.report = report
        self.handles = ExitStack()
        self.tasks = TaskOwner(self.name)

    def start(self, coro: Coroutine[Any, Any, Any], name: str) -> None:
        """Run ``coro`` until it ends or the pane closes."""
        self.tasks.start(coro, name=name)

    async def run(self, action_id: str, **input: Any) -> Outcome:
        """Execute an action and report its failure."""
        outcome = await self.backend.execute(action_id, input)
        if not outcome.ok and outcome.message:
            self.report(outcome.message)
        return outcome

    async def close(self) -> None:
        """End subscriptions, last in first out, then the tasks."""
        self.handles.close()
        await self.tasks.close()
