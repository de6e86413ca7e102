"""The switches that answer for the person: yolo and afk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class StoredState:
    """What is kept with a session."""

    yolo: bool = False
    afk: bool = False


class ApprovalState:
    """yolo: whatever the agent's own tools ask is approved; questions and plans still come.
    afk, unattended: approved too, questions are dismissed and plans pass. Both may be on.

    afk exists stored and for this run only (``afk_run``), which is never stored; switching afk off clears both.
    A session and its subagents share one state.
    """

    def __init__(self, stored: StoredState | None = None, *, afk_run: bool = False) -> None:
        self._stored = stored or StoredState()
        self._afk_run = afk_run
        self._on_change: list[Callable[[StoredState], None]] = []
        self._on_switch: list[Callable[[], None]] = []
        self.answers: Literal["yolo", "afk"] | None = None
        """Who approves now; None: a rule or a person. Where both are on it is yolo."""
        self._work_out()

    @property
    def yolo(self) -> bool:
        return self._stored.yolo

    @property
    def afk(self) -> bool:
        """Whether nobody is there: stored or for this run."""
        return self._stored.afk or self._afk_run

    @property
    def afk_run(self) -> bool:
        return self._afk_run

    @property
    def stored(self) -> StoredState:
        return self._stored

    def set_yolo(self, on: bool) -> None:
        self._set(StoredState(on, self._stored.afk), self._afk_run)

    def set_afk(self, on: bool) -> None:
        """Switch the stored afk; off clears afk for this run as well."""
        self._set(StoredState(self._stored.yolo, on), self._afk_run and on)

    def set_afk_run(self, on: bool) -> None:
        """Switch afk for this run only."""
        self._set(self._stored, on)

    def on_change(self, callback: Callable[[StoredState], None]) -> Callable[[], None]:
        """Call back on each real change of what is stored. Returns the way to stop that."""
        self._on_change.append(callback)
        return lambda: self._on_change.remove(callback)

    def on_switch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back on each change of any switch, stored or not. Returns the way to stop that."""
        self._on_switch.append(callback)
        return lambda: self._on_switch.remove(callback)

    def _set(self, stored: StoredState, afk_run: bool) -> None:
        was = self._stored, self._afk_run
        self._stored, self._afk_run = stored, afk_run
        self._work_out()
        if stored != was[0]:
            for changed in tuple(self._on_change):
                changed(stored)
        if (stored, afk_run) != was:
            self.tell()

    def tell(self) -> None:
        """Call the ``on_switch`` callbacks: a switch changed, or plan mode began or ended, which is kept elsewhere."""
        for switched in tuple(self._on_switch):
            switched()

    def _work_out(self) -> None:
        self.answers = "yolo" if self.yolo else "afk" if self.afk else None
