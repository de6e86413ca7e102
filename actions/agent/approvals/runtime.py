"""The approvals of one session: the order in which a call is decided, and what an answer sets off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from actions.agent.approvals.audit import Audit
from actions.agent.approvals.decision import Answer, Choice, Decision, Request, Source, SourceKind, Wanted
from actions.agent.approvals.desk import Decided, Deferred, Desk, DeskEvent, DeskWatcher, Requested
from actions.agent.approvals.rules import Rules
from actions.agent.approvals.state import ApprovalState
from actions.catalog.spec import Effect
from actions.patterns.pattern import Pattern, pattern_for

__all__ = ["Approvals", "Decided", "Deferred", "Requested"]

_BY = {"yolo": Decision(approved=True, decided_by="yolo"), "afk": Decision(approved=True, decided_by="afk")}
_ONCE = Decision(approved=True, decided_by="manual")
_NO_WRITE = (
    "Plan mode is on: nothing may be changed except the plan file. Finish the plan and leave plan mode with "
    "ExitPlanMode, or use tools that only read."
)
_NOBODY = (
    "Plan mode is on and nobody is there to allow this call. Finish the plan and leave plan mode with ExitPlanMode, or "
    "use tools that only read."
)
_OUTSIDE = "A tool may only ask for approval inside a call of its own."


class Approvals:
    """Decides whether calls may run; the gate of the dispatcher.

    Order: outside of a call it is refused; plan mode; yolo or afk; a rule; else a person. The ways that need no person
    leave an audit row and no request.

    **Plan mode** (``planning``) beats all of them. Effect write is refused, except the plan file. Danger, and external
    calls other than to a host, ask each time: no rule counts, none is offered, and yolo does not lift this either. With
    afk on nobody could answer, so such a call is refused with the way out instead of waiting for ever.

    Parent and subagents share everything but the source: see :meth:`child`.
    """

    def __init__(
        self,
        *,
        state: ApprovalState,
        rules: Rules,
        audit: Audit | None = None,
        planning: Callable[[], bool] = lambda: False,
        desk: Desk | None = None,
        source: Source | None = None,
    ) -> None:
        """``desk`` and ``source`` are given by :meth:`child` only."""
        self.state = state
        self.rules = rules
        self._audit = audit
        self._planning = planning
        self._source = source
        self._desk = desk or Desk()
        if desk is None:
            self._desk.watch(self._record)
            state.on_switch(self.review)

    def child(self, source: Source) -> Approvals:
        """A subagent's view: same state, rules and requests, under ``source``. A source that already names an agent is
        kept.
        """
        return Approvals(
            state=self.state,
            rules=self.rules,
            audit=self._audit,
            planning=self._planning,
            desk=self._desk,
            source=source,
        )

    # The gate

    def refusal(self, wanted: Wanted) -> str | None:
        """Why no approval could let this call through now, for the model; else None."""
        if not wanted.call.id:
            return _OUTSIDE
        if not self._planning() or wanted.ask.plan_file:
            return None
        if wanted.effect is Effect.WRITE:
            return _NO_WRITE
        return _NOBODY if self.state.afk and _held_back(wanted) else None

    def fast(self, wanted: Wanted) -> Decision | None:
        """The decision of yolo, afk or a rule, with its audit row; None when a person must be asked."""
        if self._planning() and _held_back(wanted):
            return None
        decision = self._settled(wanted)
        if decision is None:
            return None
        if self._audit is not None:
            self._audit.note("decided", self._own(wanted), decision)
        return decision

    async def ask(self, wanted: Wanted) -> Decision:
        """Ask a person and wait, without limit. A cancel of the caller takes the request with it.

        Raises:
            ApprovalCancelled: the request was taken back, by its source's end or by the end of the session.
        """
        wanted = self._own(wanted)
        return await self._desk.ask(wanted, self._releases(wanted))

    def stale(self, wanted: Wanted) -> None:
        """The approval turned out stale: the call did not run."""
        if self._audit is not None:
            self._audit.note("stale", self._own(wanted))

    # Requests

    def watch(self, watcher: DeskWatcher) -> Callable[[], None]:
        """Tell ``watcher`` of each :class:`Requested`, :class:`Deferred` and :class:`Decided`, in order. Returns the
        way to stop that.
        """
        return self._desk.watch(watcher)

    def pending(self) -> tuple[Request, ...]:
        """Open requests of every source, in the order they came; those put off are among them."""
        return self._desk.pending()

    def deferred(self, request_id: str) -> bool:
        """Whether the request is open and put off for later."""
        return self._desk.deferred(request_id)

    def also_released(self, request_id: str) -> tuple[Request, ...]:
        """The other open requests that "session" or "always" would release now."""
        request = self._desk.find(request_id)
        pattern = self._pattern(request.wanted) if request is not None else None
        if request is None or pattern is None:
            return ()
        others = (other for other in self._desk.pending() if other is not request)
        return tuple(other for other in others if self._covers(pattern, request.wanted, other.wanted))

    def resolve(self, request_id: str, answer: Answer) -> bool:
        """Give a person's answer. The first one wins: False when the request is decided, taken back or unknown.

        "session" and "always" make a rule where one is offered (``Request.releases``), else they count once; the rule
        decides every open request that it covers, from any source. "later" leaves the request open. An answer that is
        none of :class:`Choice` is a rejection.
        """
        request = self._desk.find(request_id)
        if request is None:
            return False
        choice = answer.choice
        if choice == Choice.ONCE:
            return self._desk.decide(request_id, _ONCE)
        if choice in (Choice.SESSION, Choice.ALWAYS):
            return self._approve_with_rule(request, always=choice == Choice.ALWAYS)
        if choice == Choice.LATER:
            return self._desk.defer(request_id)
        feedback = answer.feedback.strip()
        return self._desk.decide(request_id, Decision(approved=False, decided_by="manual", feedback=feedback))

    async def wait(self, request_id: str, *, limit: float | None = None) -> Decision:
        """Wait for the decision of any request, open or decided not long ago; ``limit`` in seconds is this waiter's
        own. A cancel of one waiter leaves the others waiting.

        Raises:
            WaitTimeout: the limit passed; the request is still open.
            ApprovalCancelled: the request was taken back.
            NotFound: no request has this id, or it was decided long ago.
        """
        return await self._desk.wait(request_id, limit)

    def cancel_by_source(self, kind: SourceKind, source_id: str) -> int:
        """Take back the open requests of exactly this source; how many there were. At the end of a turn, of a subagent
        and of a background agent.
        """
        return self._take_back(lambda source: source.kind == kind and source.id == source_id)

    def end(self, kind: SourceKind | None = None) -> int:
        """Take back the open requests of one kind: ``turn`` at shutdown, when background agents stay. None: of all,
        when the client is gone.
        """
        return self._take_back(lambda source: kind is None or source.kind == kind)

    def review(self) -> None:
        """Decide the open requests that yolo, afk or a rule cover by now. Runs by itself when yolo or afk change
        and on :meth:`ApprovalState.tell`.
        """
        for request in self._desk.pending():
            wanted = request.wanted
            if self._planning() and _held_back(wanted):
                if self.state.afk:
                    self._desk.decide(request.id, Decision(approved=False, decided_by="afk", feedback=_NOBODY))
            elif (decision := self._settled(wanted)) is not None:
                self._desk.decide(request.id, decision)

    # Inside

    def _settled(self, wanted: Wanted) -> Decision | None:
        answers = self.state.answers
        if answers is not None:
            return _BY[answers]
        rule = self.rules.match(wanted.tool, wanted.effect, wanted.ask.scope)
        return None if rule is None else Decision(approved=True, decided_by="rule", rule=rule.id)

    def _approve_with_rule(self, request: Request, *, always: bool) -> bool:
        wanted = request.wanted
        pattern = self._pattern(wanted)
        if pattern is None:
            return self._desk.decide(request.id, _ONCE)
        rule = self.rules.add(wanted.tool, wanted.effect, pattern, always=always)
        decided = self._desk.decide(request.id, Decision(approved=True, decided_by="manual", rule=rule.id))
        for other in self._desk.pending():
            if self._covers(pattern, wanted, other.wanted):
                self._desk.decide(other.id, Decision(approved=True, decided_by="rule", rule=rule.id))
        return decided

    def _pattern(self, wanted: Wanted) -> Pattern | None:
        if self._planning() and _held_back(wanted):
            return None
        return pattern_for(wanted.ask.scope, wanted.effect)

    def _covers(self, pattern: Pattern, wanted: Wanted, other: Wanted) -> bool:
        if (other.tool, other.effect) != (wanted.tool, wanted.effect) or (self._planning() and _held_back(other)):
            return False
        return pattern.fits(other.ask.scope)

    def _releases(self, wanted: Wanted) -> tuple[str, ...]:
        pattern = self._pattern(wanted)
        return () if pattern is None else (pattern.in_words(wanted.tool),)

    def _own(self, wanted: Wanted) -> Wanted:
        if self._source is None or wanted.source.agent_id is not None:
            return wanted
        return replace(wanted, source=self._source)

    def _take_back(self, of: Callable[[Source], bool]) -> int:
        mine = [request.id for request in self._desk.pending() if of(request.wanted.source)]
        return sum(self._desk.decide(request_id, None) for request_id in mine)

    def _record(self, event: DeskEvent) -> None:
        if self._audit is None or isinstance(event, Requested):
            return
        wanted = event.request.wanted
        if isinstance(event, Deferred):
            self._audit.note("deferred", wanted)
        elif event.decision is None:
            self._audit.note("cancelled", wanted)
        else:
            self._audit.note("decided", wanted, event.decision)


def _held_back(wanted: Wanted) -> bool:
    """Whether plan mode asks for this call each time."""
    if wanted.ask.plan_file:
        return False
    if wanted.effect is Effect.EXTERNAL:
        return wanted.ask.scope.kind != "host"
    return wanted.effect in (Effect.WRITE, Effect.DANGER)
