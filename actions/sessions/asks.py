"""The permission requests that one running agent waits for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from actions.errors import SaysoError
from actions.sessions.events import Draft, Kind, coalesce
from actions.sessions.incoming import PermissionAsk
from actions.sessions.permissions import PermissionRequest, PermissionRequests, already_closed, summary_of
from actions.sessions.writer import EventWriter
from actions.storage.ids import Prefix, new_id

_log = logging.getLogger(__name__)


class OpenAsks:
    """Stores each request and its answer before anyone, person or agent, sees it. There is no time limit on people."""

    def __init__(
        self,
        session_id: str,
        root_session_id: str,
        requests: PermissionRequests,
        writer: EventWriter,
        changed: Callable[[], None],
    ) -> None:
        self._session_id = session_id
        self._root = root_session_id
        self._requests = requests
        self._writer = writer
        self._changed = changed
        self._open: dict[str, tuple[PermissionRequest, PermissionAsk]] = {}

    def __len__(self) -> int:
        return len(self._open)

    async def add(
        self,
        ask: PermissionAsk,
        call: dict[str, Any],
        options: Sequence[dict[str, str]],
        before: Sequence[Draft],
        *,
        turn: int,
    ) -> None:
        """Open a request for ``call`` (folded so far); ``before`` are events that come first."""
        request = PermissionRequest(
            new_id(Prefix.REQUEST), self._session_id, self._root, summary_of(call), tuple(options), tool_call=call
        )
        shown = Draft(
            Kind.PERMISSION,
            {"tool_call_id": call.get("id"), "title": request.summary, "options": list(options)},
            request.id,
        )
        drafts = coalesce([*before, shown])
        await self._writer.through(lambda: self._requests.open(request, drafts, turn=turn))
        self._open[request.id] = (request, ask)
        self._changed()

    async def answer(
        self,
        request: PermissionRequest,
        option: dict[str, str] | None,
        *,
        by: str,
        turn: int,
        feedback: str | None = None,
        patient: bool = False,
    ) -> dict[str, Any]:
        """Answer with one of the request's options (None = ``cancelled``); gives the stored answer.

        Raises ``stale`` when it was answered or withdrawn before, and unless ``patient`` at once when it cannot be
        stored: the request stays open then.
        """
        held = self._open.get(request.id)
        if held is None:
            raise already_closed(request)
        chosen = {"option_id": option["id"], "name": option["name"], "kind": option["kind"]} if option else {}
        answer: dict[str, Any] = {"outcome": "selected" if option else "cancelled", **chosen, "by": by}
        if feedback:
            answer["feedback"] = feedback
        stored = await self._writer.through(lambda: self._requests.close(request, answer, turn=turn), patient=patient)
        if stored is None:
            raise already_closed(request)
        self._open.pop(request.id, None)
        outcome: dict[str, Any] = {"outcome": answer["outcome"]}
        if option:
            outcome["optionId"] = option["id"]
        if feedback:
            outcome["_meta"] = {"sayso": {"feedback": feedback}}
        if not held[1].answer.done():
            held[1].answer.set_result(outcome)
        self._changed()
        return answer

    async def take_back(self, ask: PermissionAsk, *, turn: int) -> None:
        """The agent does not want ``ask`` answered any more; one that was answered stays so."""
        for request, held in list(self._open.values()):
            if held is ask:
                try:
                    await self.answer(request, None, by="agent", turn=turn, patient=True)
                except SaysoError as gone:
                    _log.debug("taking back %s: %s", request.id, gone)

    async def withdraw(self, by: str, *, turn: int) -> None:
        """Answer everything that is open with ``cancelled``."""
        for request, _ in list(self._open.values()):
            try:
                await self.answer(request, None, by=by, turn=turn, patient=True)
            except SaysoError as gone:
                _log.debug("withdrawing %s: %s", request.id, gone)
