"""The requests to a person that one running agent waits for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from actions.errors import SaysoError
from actions.execution.grants import Grant
from actions.sessions.asking import Place, Reply, chosen, shown, withdrawn
from actions.sessions.events import Draft, coalesce
from actions.sessions.incoming import Ask
from actions.sessions.requests import PERMISSION, UserRequest, UserRequests, already_closed
from actions.sessions.writer import EventWriter

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Held:
    """An open request, and all that ask it: an agent may ask the same about one call twice."""

    request: UserRequest
    asks: list[Ask] = field(default_factory=list[Ask])

    def is_the_same(self, request: UserRequest) -> bool:
        """Whether one answer is an answer to both: the same call, with the same to choose from."""
        mine = self.request
        same = (mine.kind, mine.tool_call, mine.asked) == (request.kind, request.tool_call, request.asked)
        return same and mine.tool_call is not None and list(mine.options) == list(request.options)

    def settle(self, reply: Reply) -> None:
        for ask in self.asks:
            if reply.wire is None:
                ask.drop()
            elif not ask.answer.done():
                ask.answer.set_result(reply.wire)


class OpenAsks:
    """Stores each request and its answer before anyone, person or agent, sees it. There is no time limit on people."""

    def __init__(self, place: Place, requests: UserRequests, writer: EventWriter, changed: Callable[[], None]) -> None:
        self._place = place
        self._requests = requests
        self._writer = writer
        self._changed = changed
        self._open: dict[str, _Held] = {}

    def __len__(self) -> int:
        return len(self._open)

    @property
    def place(self) -> Place:
        return self._place

    def waits_for(self, tool_call_id: str) -> bool:
        """Whether a permission for a call is not answered yet."""
        calls = (held.request.tool_call or {} for held in self._open.values() if held.request.kind == PERMISSION)
        return any(call.get("id") == tool_call_id for call in calls)

    async def add(self, request: UserRequest, ask: Ask, before: Sequence[Draft], *, turn: int) -> None:
        """Open a request; ``before`` are events that come first. A rule may answer it at once."""
        twin = next((held for held in self._open.values() if held.is_the_same(request)), None)
        if twin is not None:
            await self._writer.append(before, turn=turn)
            if twin.request.id in self._open:
                twin.asks.append(ask)
                return
            before = ()
        drafts = coalesce([*before, shown(request)])
        if request.kind == PERMISSION and (grant := await self._rule_for(request)) is not None:
            await self._by_rule(request, ask, grant, drafts, turn=turn)
            return
        await self._writer.through(lambda: self._requests.open(request, drafts, turn=turn))
        self._open[request.id] = _Held(request, [ask])
        self._changed()

    async def answer(
        self,
        request: UserRequest,
        reply: Reply,
        *,
        turn: int,
        patient: bool = False,
        rule: tuple[Grant, Mapping[str, Any]] | None = None,
        by_rule: Grant | None = None,
    ) -> dict[str, Any]:
        """Answer a request; gives the stored answer. ``rule`` is put in force with it, ``by_rule`` gave it.

        Raises ``stale`` when it was answered or withdrawn before, and unless ``patient`` at once when it cannot be
        stored: the request stays open then.
        """
        held = self._open.get(request.id)
        if held is None:
            raise already_closed(await self._requests.get(request.id))
        stored = await self._writer.through(
            lambda: self._requests.close(request, reply.stored, turn=turn, rule=rule, by_rule=by_rule),
            patient=patient,
        )
        if stored is None:
            raise already_closed(await self._requests.get(request.id))
        self._open.pop(request.id, None)
        held.settle(reply)
        self._changed()
        return reply.stored

    async def take_back(self, ask: Ask, *, turn: int) -> None:
        """The agent does not want ``ask`` answered any more; one that was answered stays so."""
        for held in list(self._open.values()):
            if held.asks == [ask]:
                await self._withdraw(held.request, "agent", turn=turn)
            elif ask in held.asks:
                held.asks.remove(ask)
                ask.drop()

    async def withdraw(self, by: str, *, turn: int) -> None:
        """Answer everything that is open with ``cancelled``."""
        for held in list(self._open.values()):
            await self._withdraw(held.request, by, turn=turn)

    async def _withdraw(self, request: UserRequest, by: str, *, turn: int) -> None:
        try:
            await self.answer(request, withdrawn(by), turn=turn, patient=True)
        except SaysoError as gone:
            _log.debug("withdrawing %s: %s", request.id, gone)

    async def _rule_for(self, request: UserRequest) -> Grant | None:
        try:
            return await self._requests.covering(request.session_id, request.tool_call or {}, request.options)
        except SaysoError as unread:  # then a person is asked
            _log.warning("the rules could not be read: %s", unread)
            return None

    async def _by_rule(
        self, request: UserRequest, ask: Ask, grant: Grant, drafts: Sequence[Draft], *, turn: int
    ) -> None:
        reply = by_rule(request, grant)
        await self._writer.through(
            lambda: self._requests.answered_by_rule(request, drafts, grant, reply.stored, turn=turn)
        )
        _Held(request, [ask]).settle(reply)


def by_rule(request: UserRequest, grant: Grant) -> Reply:
    """The answer that a rule gives: the agent's own option to allow it once."""
    once = next(option for option in request.options if option["kind"] == "allow_once")
    return chosen(once, by="rule", rule={"rule_id": grant.id, "scope": grant.scope.value})
