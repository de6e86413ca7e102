"""One session of one client: what is prompted, what is shown, how it is stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actions.agent.acp.link import Link
from actions.agent.acp.names import CallNames
from actions.agent.acp.options import SCOUT, ModelChoice, config_options, mode_state
from actions.agent.acp.updates import WireScreen
from actions.agent.acp.write import AskedWrite
from actions.agent.loop.talk import PromptPart, words_of
from actions.agent.opening import Flags
from actions.agent.scout.request import Ended, Request, Stop
from actions.agent.scout.turn import ScoutTurn
from actions.agent.session.state import Mode, StateKeeper, state_of
from actions.agent.session.store import SessionFile

_TURN_TEXT = 200_000


@dataclass(frozen=True)
class Outcome:
    """How a prompt ended. ``reason`` is a stop reason of ACP 1, ``data`` the structured result of a run."""

    reason: str
    data: dict[str, Any] | None = None


class HostedSession:
    """Close it when the client closes the session or goes away."""

    def __init__(
        self, file: SessionFile, link: Link, flags: Flags, models: Callable[[], Sequence[ModelChoice]]
    ) -> None:
        self.id = file.id
        self.cwd = file.cwd
        self._file = file
        self._records = list(file.records())
        self._state = StateKeeper(file, state_of(self._records))
        self._flags = flags
        self._models = models
        self._link = link
        self._names = CallNames()
        self.screen = WireScreen(link, self.id, Path(self.cwd), self._names)
        self._turns = 0
        self._stop: Stop | None = None
        self._write = AskedWrite(link, self.id, self.screen, self._names)

    @property
    def busy(self) -> bool:
        return self._stop is not None

    @property
    def mode(self) -> Mode:
        """The mode as it is now; what the command line said counts as long as nobody chose one."""
        if self._state.now.mode is Mode.DEFAULT and (self._flags.yolo or self._flags.afk):
            return Mode.AFK if self._flags.afk else Mode.YOLO
        return self._state.now.mode

    def described(self) -> dict[str, Any]:
        """The fields that the answers to new, load, resume and fork share."""
        return {"modes": mode_state(self.mode), "configOptions": self.options()}

    def options(self) -> list[dict[str, Any]]:
        """The complete state of the config options."""
        return config_options(self.mode, SCOUT, self._models())

    def set_mode(self, mode: Mode) -> None:
        """Change the mode and confirm it in both forms."""
        self._flags = Flags()
        self._state.change(mode=mode)
        self.screen.mode(mode.value)
        self.tell_options()

    def tell_options(self) -> None:
        self.screen.update("config_option_update", configOptions=self.options())

    def replay(self) -> None:
        """Everything that was said, once more (ACP 1, session/load)."""
        for record in self._records:
            if record["kind"] == "turn":
                self.screen.user(str(record.get("prompt", "")))
                self.screen.text(str(record.get("answer", "")))

    async def prompt(self, parts: tuple[PromptPart, ...], meta: object) -> Outcome:
        """One turn. ``meta`` is ``_meta.sayso`` of the prompt."""
        request = Request.read(words_of(parts), meta)
        self._turns += 1
        stop = self._stop = Stop()
        self._write.prepare(stop, asks=self.mode not in (Mode.YOLO, Mode.AFK))
        try:
            turn = ScoutTurn(Path(self.cwd), self.screen, self._write)
            ended = await turn.run(
                request,
                stop,
                planning=self._state.now.mode is Mode.PLAN,
                last_plan=self._state.now.plan,
                number=self._turns,
            )
        finally:
            stop()
            self._stop = None
        self._remember(request, ended)
        return Outcome(ended.reason, ended.plan.model_dump(mode="json") if ended.plan else None)

    def cancel(self) -> None:
        """Stop what runs; one that comes when nothing runs is no mistake."""
        if self._stop is not None:
            self._stop()

    async def close(self) -> None:
        self.cancel()
        self._file.close()

    def _remember(self, request: Request, ended: Ended) -> None:
        """Keep the turn. A new title is announced, but for a run: that one has its title from the host."""
        if not ended.answer:
            return
        record: dict[str, Any] = {
            "kind": "turn", "prompt": request.text[:_TURN_TEXT], "answer": ended.answer[:_TURN_TEXT]
        }  # fmt: skip
        self._records.append(record)
        self._file.append("turn", prompt=record["prompt"], answer=record["answer"])
        if ended.plan is not None:
            self._state.change(plan=ended.answer)
        title = " ".join(request.text.split())[:80]
        if self._state.now.title is None and title:
            self._state.change(title=title)
            if request.run is None:
                self.screen.title(title)
