"""What is done to a session beside talking to it: resume, fork, delete, model, options, queue, targets, wire log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from actions.catalog.modes import effect_of_mode
from actions.catalog.spec import Effect
from actions.catalog.views import SessionState, SessionView, Targets
from actions.errors import InvalidInput, SaysoError
from actions.sessions.conversation import can_fork
from actions.sessions.deletion import Deletion
from actions.sessions.events import Draft
from actions.sessions.forgetting import AgentMemory
from actions.sessions.hosting import Hosted, Hosting
from actions.sessions.link import Wishes
from actions.sessions.records import SessionRecords
from actions.sessions.targets import TargetStore
from actions.sessions.turns import TurnResult
from actions.sessions.vault import EnvironmentVault
from actions.sessions.wirelog import wire_file
from actions.storage.ids import Prefix, new_id, now_ms

QueueOperation = Literal["edit", "move", "drop", "send_now", "steer"]
_AT_WORK = (SessionState.STARTING, SessionState.WORKING, SessionState.WAITING)


class SessionCare:
    """Implements :class:`actions.catalog.ports.SessionCarePort`. ``view`` gives a session as it is now."""

    def __init__(
        self,
        hosting: Hosting,
        records: SessionRecords,
        vault: EnvironmentVault,
        deletion: Deletion,
        memory: AgentMemory,
        targets: TargetStore,
        *,
        logs: Path,
        view: Callable[[str], Awaitable[SessionView]],
        publish: Callable[[str, dict[str, Any]], None],
    ) -> None:
        self._hosting = hosting
        self._records = records
        self._vault = vault
        self._deletion = deletion
        self._memory = memory
        self._targets = targets
        self._logs = logs
        self._view = view
        self._publish = publish

    async def note(self, session_id: str, draft: Draft) -> None:
        """Put an event of our own into the transcript. Raises NotFound."""
        await self._hosting.say(await self._hosting.get(session_id), draft)

    async def ready(self, session_id: str) -> None:
        """Wait, without an end, until the session's agent runs and rests. Raises NotFound once it was deleted."""
        hosted = await self._hosting.get(session_id)
        await self._hosting.wait_for(hosted, lambda now: now.leaving or now.state is SessionState.IDLE, None)
        await self._hosting.get(session_id)

    async def resume(self, session_id: str) -> SessionView:
        """Start a session's agent again where it left off, and bring the session back from the archive.

        Raises SaysoError with the reason when the agent cannot take the conversation up again: none is begun instead.
        """
        hosted = await self._hosting.get(session_id)
        await self._hosting.start(hosted, strict=True)
        if hosted.record.archived:
            await self._hosting.change(hosted, archived_at=None)
        return await self._view(session_id)

    async def fork(self, session_id: str, *, at_message: str | None = None) -> SessionView:
        """Begin a second session from where this one stands; it has an agent of its own.

        It keeps folder, environment and model, and the mode where that one asks. Raises SaysoError with the reason when
        the agent offers no fork or refuses it; then no session is left behind.
        """
        if at_message is not None:
            message = "Agents fork a session only where it stands now. Leave the message out."
            raise InvalidInput(message, [{"field": "at_message", "message": "cannot be chosen"}])
        view = await self._view(session_id)
        hosted = await self._hosting.get(session_id)
        record, facts = hosted.record, hosted.facts
        link = hosted.actor.link if hosted.actor is not None else None
        agent_session_id = link.agent_session_id if link is not None else record.agent_session_id
        if agent_session_id is None or not can_fork(facts.get("capabilities") or {}):
            raise SaysoError(
                f"{view.provider_name} cannot fork a session: it does not offer session/fork.",
                details={"session_id": session_id, "reason": "cannot_fork"},
            )
        mode = view.mode if effect_of_mode(view.mode) is not Effect.DANGER else None
        now = now_ms()
        fork = replace(
            record,
            id=new_id(Prefix.SESSION),
            title=f"{view.title} (fork)",
            state=SessionState.STARTING,
            created=now,
            updated=now,
            last_activity=now,
            kind="user",
            parent_session_id=None,
            root_session_id=None,
            run_id=None,
            agent_session_id=None,
            archived=False,
            pinned=False,
            unread=False,
            end_reason=None,
            detail={
                "titled": True,
                "forked_from": session_id,
                "wished_mode": mode,
                "wished_model": facts.get("wished_model"),
                "environment": facts.get("environment"),
                "mcp_selection": facts.get("mcp_selection"),
            },
        )
        environment = await self._vault.of(session_id) if facts.get("environment") else {}
        wishes = Wishes(mode, facts.get("wished_model"), fork=agent_session_id, environment=environment)
        try:
            await self._hosting.create(fork, wishes, history_of=replace(record, title=view.title))
        except SaysoError:
            if (left := self._hosting.peek(fork.id)) is not None:
                await self._remove([left])
            raise
        return await self._view(fork.id)

    async def delete(self, session_id: str, *, stop_working: bool = False) -> None:
        """Delete a session for good, with the sessions of its runs; their agents are ended first.

        Raises SaysoError when one is at work and ``stop_working`` does not say that it is to be stopped.
        """
        family = [await self._hosting.get(session_id)]
        family += [self._hosting.hold(record) for record in await self._records.descendants(session_id)]
        busy = [hosted for hosted in family if hosted.state in _AT_WORK]
        if busy and not stop_working:
            names = ", ".join(f"“{hosted.record.title}”" for hosted in busy)
            raise SaysoError(
                f"{names} is at work. Stop it first, or say with stop_working that it is to be stopped and deleted.",
                details={"session_id": session_id, "reason": "at_work", "working": [h.record.id for h in busy]},
            )
        await self._remove(family)

    async def _remove(self, family: Sequence[Hosted]) -> None:
        for hosted in family:
            hosted.leaving = True
        reason = {"code": "deleted", "message": "It was deleted."}
        try:
            for hosted in family:
                await self._hosting.stop(hosted, SessionState.STOPPED, reason)
                await self._memory.forget(hosted)
            await self._deletion.delete([hosted.record.id for hosted in family])
        except BaseException:
            for hosted in family:
                hosted.leaving = False
            raise
        for hosted in family:
            self._hosting.forget(hosted.record.id)
            hosted.wake()
            self._publish("session_did_change", {"session_id": hosted.record.id, "deleted": True})
        for hosted in family:
            if hosted.facts.get("environment"):
                await self._vault.forget(hosted.record.id)

    async def set_model(self, session_id: str, model_id: str) -> SessionView:
        """Change the agent's model, starting the agent if need be. Raises InvalidInput with the models it has."""
        hosted = await self._hosting.get(session_id)
        actor = await self._hosting.start(hosted)
        await actor.set_model(model_id)
        await self._hosting.change(hosted, detail={"wished_model": model_id})
        return await self._view(session_id)

    async def set_option(self, session_id: str, option_id: str, value: str | bool) -> SessionView:
        """Change one of the agent's options. Raises InvalidInput with the options, or the values, that it has."""
        hosted = await self._hosting.get(session_id)
        actor = await self._hosting.start(hosted)
        await actor.set_option(option_id, value)
        wished: dict[str, str | bool] = {**(hosted.facts.get("wished_options") or {}), option_id: value}
        await self._hosting.change(hosted, detail={"wished_options": wished})
        return await self._view(session_id)

    async def edit_queue(
        self,
        session_id: str,
        message_id: str,
        operation: QueueOperation,
        *,
        text: str | None = None,
        position: int | None = None,
    ) -> SessionView:
        """Change a message that waits, its place (0 is next), drop it, or send it now: the running turn is cancelled.

        ``steer`` hands it to the running turn instead, where the agent takes it.

        Raises NotFound when it does not wait any more, InvalidInput when the operation lacks its value.
        """
        hosted = await self._hosting.get(session_id)
        match operation:
            case "edit":
                if not (text or "").strip():
                    raise InvalidInput("The message is empty.", [{"field": "text", "message": "must not be empty"}])
                hosted.queue.edit(message_id, text or "")
            case "move":
                if position is None or position < 0:
                    raise InvalidInput("Say where to.", [{"field": "position", "message": "0 is the next one"}])
                hosted.queue.move(message_id, position)
            case "drop":
                hosted.queue.drop(message_id)
            case "send_now":
                hosted.queue.move(message_id, 0)
                actor = await self._hosting.start(hosted)
                await actor.send_now()
            case "steer":
                await self._steer(hosted, message_id)
        await self._hosting.change(hosted, detail={})
        return await self._view(session_id)

    async def _steer(self, hosted: Hosted, message_id: str) -> None:
        """Put a message that waits into the running turn. Raises SaysoError when the agent does not take it there."""
        prompt = hosted.queue.get(message_id)
        hosted.queue.remove(prompt)
        taken = False
        try:
            taken = (actor := hosted.running) is not None and await actor.steer(prompt)
        finally:
            if not taken:
                hosted.queue.add(prompt, first=True)
        if taken and not prompt.ended.done():
            prompt.ended.set_result(TurnResult("steered"))
        if not taken:
            raise SaysoError(
                "The agent takes no message into its turn now. It waits for the end of the turn; or send it now, which "
                "stops the turn.",
                details={"session_id": hosted.record.id, "reason": "cannot_steer"},
            )

    async def set_wire_log(self, session_id: str, on: bool) -> Path:
        """Write down what passes between host and agent from now on, also over its next starts; gives the file."""
        hosted = await self._hosting.get(session_id)
        if hosted.actor is not None and (link := hosted.actor.link) is not None:
            link.tap.open = on
        await self._hosting.change(hosted, detail={"wire_log": on})
        return wire_file(self._logs, session_id)

    async def targets(self) -> Targets:
        """The sessions that are meant when none is named."""
        return await self._targets.get()

    async def set_primary(self, session_id: str | None) -> Targets:
        """Choose the session that commands mean when they name none."""
        return self._told(await self._targets.set_primary(session_id))

    async def set_tracked(self, session_ids: Sequence[str]) -> Targets:
        """Choose the sessions to keep an eye on."""
        return self._told(await self._targets.set_tracked(session_ids))

    async def seen(self, session_id: str) -> None:
        """A window shows this session. One that is gone is nothing to remember."""
        hosted = await self._hosting.get(session_id)
        if hosted.record.unread:
            await self._hosting.change(hosted, unread=False)
        await self._targets.focused(session_id)

    async def needs_reading(self, session_id: str, *, asks: bool, shown: Callable[[str], bool]) -> None:
        """Mark a session unread whose turn ended, or (``asks``) whose agent asks: a run's request is its root's."""
        hosted = await self._hosting.get(session_id)
        if hosted.record.kind == "run":
            if not asks or hosted.record.root == session_id:
                return
            hosted = await self._hosting.get(hosted.record.root)
        if not hosted.record.unread and not hosted.leaving and not shown(hosted.record.id):
            await self._hosting.change(hosted, unread=True)

    def _told(self, targets: Targets) -> Targets:
        self._publish("targets_did_change", targets.model_dump(mode="json"))
        return targets
