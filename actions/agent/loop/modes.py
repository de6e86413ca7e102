"""The mode of a session: what a person chooses, what the agent itself may enter, and what is kept of it."""

from __future__ import annotations

from pathlib import Path

from actions.agent.approvals.state import ApprovalState
from actions.agent.loop.screen import Person, Screen
from actions.agent.session.state import Mode, StateKeeper
from actions.agent.tools.needs import PlanAnswer


class Modes:
    """One session's mode. yolo and afk are switches of the approvals; planning is a state of its own beside them."""

    def __init__(self, keeper: StateKeeper, approvals: ApprovalState, *, planning: bool) -> None:
        self._keeper, self._approvals = keeper, approvals
        self._planning = planning
        self._kept = Mode.DEFAULT if planning else keeper.now.mode
        """What is kept while not planning; the switches may be on for this run only."""

    @property
    def planning(self) -> bool:
        return self._planning

    @property
    def now(self) -> Mode:
        if self._planning:
            return Mode.PLAN
        if self._approvals.yolo:
            return Mode.YOLO
        return Mode.AFK if self._approvals.afk else Mode.DEFAULT

    def choose(self, mode: Mode) -> None:
        """A person chose ``mode``: the switches follow it, and it is kept."""
        self._planning = mode is Mode.PLAN
        self._kept = Mode.DEFAULT if self._planning else mode
        self._approvals.set_yolo(mode is Mode.YOLO)
        self._approvals.set_afk(mode is Mode.AFK)
        self._approvals.tell()
        self._keeper.change(mode=mode)

    def plan(self, *, on: bool) -> None:
        """The agent enters or leaves planning; yolo and afk stay as they are."""
        self._planning = on
        self._approvals.tell()
        self._keeper.change(mode=Mode.PLAN if on else self._kept)


class Planning:
    """Plan mode as the tools see it; implements :class:`actions.agent.tools.needs.PlanMode`.

    An approved plan leaves the mode. While nobody is there (afk) a plan passes unseen.
    """

    def __init__(
        self,
        modes: Modes,
        approvals: ApprovalState,
        keeper: StateKeeper,
        *,
        person: Person,
        screen: Screen,
        file: Path,
    ) -> None:
        self._modes, self._approvals, self._keeper = modes, approvals, keeper
        self._person, self._screen = person, screen
        self._file = file

    @property
    def active(self) -> bool:
        return self._modes.planning

    @property
    def file(self) -> Path:
        return self._file

    async def enter(self) -> None:
        """Start planning; the folder of the plan file is made."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._modes.plan(on=True)
        self._screen.mode(self._modes.now)

    async def propose(self, plan: str) -> PlanAnswer:
        """Put ``plan`` before the person and wait without limit; a yes leaves the mode."""
        self._keeper.change(plan=plan)
        if self._approvals.afk:
            self._modes.plan(on=False)
            self._screen.mode(self._modes.now)
            return PlanAnswer(approved=True)
        verdict = await self._person.decide_plan(plan, str(self._file))
        if verdict.approved:
            mode = Mode(verdict.mode) if verdict.mode in [*Mode] else Mode.DEFAULT
            self._modes.choose(Mode.DEFAULT if mode is Mode.PLAN else mode)
            self._screen.mode(self._modes.now)
        return PlanAnswer(approved=verdict.approved, feedback=verdict.feedback)
