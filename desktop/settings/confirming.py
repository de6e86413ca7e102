"""Dangerous changes from the window: the host makes a request of each, the window asks about it at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from actions.catalog.views import ApprovalView
from desktop.app.backend import Backend, HostEvent, Outcome

_PATIENCE_S = 900.0
"""As long as the dialog may stay open; then the request waits in the inbox like any other."""


@dataclass(frozen=True)
class Asked:
    """What a person is asked, as the host tells it; ``more`` is what the page knows besides, uncut."""

    id: str
    title: str
    summary: str
    rows: Sequence[tuple[str, str]] = ()
    more: Sequence[str] = field(default_factory=tuple[str, ...])


Ask = Callable[[Asked], Awaitable[bool]]


class Confirmer:
    """Runs actions of which the host asks first, and puts its request to the person while the call waits.

    A call may carry a secret, which is stored with no request: so the call waits, and the answer is another call.
    """

    def __init__(self, backend: Backend, ask: Ask) -> None:
        self._backend = backend
        self._ask = ask
        self._one = asyncio.Lock()

    async def execute(
        self,
        action_id: str,
        input: Mapping[str, Any],
        *,
        more: Sequence[str] = (),
        agreed: bool = False,
        attached: bool = False,
    ) -> Outcome:
        """Run an action to its end. ``agreed``: the person has just said yes to all of it, in a dialog of its own.
        ``attached``: the action ends when this call is cancelled.
        """
        async with self._one:
            opened: asyncio.Queue[str] = asyncio.Queue()

            def heard(event: HostEvent) -> None:
                if event.type == "inbox_did_change" and event.data.get("status") == "open":
                    opened.put_nowait(str(event.data.get("id")))

            with self._backend.subscribe(heard):
                call = asyncio.ensure_future(
                    self._backend.execute(action_id, input, patience_s=_PATIENCE_S, attached=attached)
                )
                try:
                    return await self._answer(action_id, call, opened, more, agreed=agreed)
                finally:
                    call.cancel()

    async def _answer(
        self,
        action_id: str,
        call: asyncio.Future[Outcome],
        opened: asyncio.Queue[str],
        more: Sequence[str],
        *,
        agreed: bool,
    ) -> Outcome:
        while not call.done():
            next_one = asyncio.ensure_future(opened.get())
            try:
                await asyncio.wait({call, next_one}, return_when=asyncio.FIRST_COMPLETED)
                if not next_one.done():
                    break
                request_id = next_one.result()
            finally:
                next_one.cancel()
            if (request := await self._ours(request_id, action_id)) is not None:
                yes = agreed or await self._ask(_asked(request, more))
                decision = {"approval_id": request_id, "decision": "approve" if yes else "reject"}
                decided = await self._backend.execute("approval.request.decide", decision)
                if not decided.ok and not call.done() and decided.code:
                    return decided
                break
        return await call

    async def _ours(self, request_id: str, action_id: str) -> ApprovalView | None:
        """The request of this very call: asked in the window, for that action. Others stay in the inbox."""
        outcome = await self._backend.execute("approval.request.get", {"approval_id": request_id})
        if not outcome.ok:
            return None
        view = ApprovalView.model_validate(outcome.data)
        return view if view.action == action_id and view.surface == "ui" else None


def _asked(view: ApprovalView, more: Sequence[str]) -> Asked:
    return Asked(view.id, view.title, view.summary, [(row.title, row.value) for row in view.fields], more)
