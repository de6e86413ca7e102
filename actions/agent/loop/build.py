"""Puts a session together: reads the agent file, makes every room, and hands each one what it needs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from actions.agent.approvals.audit import Audit
from actions.agent.approvals.decision import Source
from actions.agent.approvals.manage import ManageRules
from actions.agent.approvals.rules import Rules
from actions.agent.approvals.runtime import Approvals
from actions.agent.approvals.state import ApprovalState, StoredState
from actions.agent.hooks.config import Hook
from actions.agent.hooks.runner import Hooks
from actions.agent.loop.agent import AgentSession, Rooms, TurnId
from actions.agent.loop.commands import Commands as SlashCommands
from actions.agent.loop.inbox import Inbox
from actions.agent.loop.instructions import instructions_for
from actions.agent.loop.late import LateCheckpoints, LiveScreen, UnattendedQuestions
from actions.agent.loop.modes import Modes, Planning
from actions.agent.loop.options import AgentOptions
from actions.agent.loop.scout_tools import scout_tools
from actions.agent.loop.screen import Screen
from actions.agent.loop.servers import SessionServers
from actions.agent.loop.settings import AgentSettings, read_settings
from actions.agent.loop.show import show_on
from actions.agent.loop.speaker import Speaker
from actions.agent.loop.subagents import SubagentDesk, Surroundings
from actions.agent.model.usage import Usage
from actions.agent.processes.commands import Commands
from actions.agent.session.state import Mode, StateKeeper, state_of
from actions.agent.tools.background import BackgroundTask, BackgroundTasks
from actions.agent.tools.live import LiveOutput
from actions.agent.tools.needs import (
    Checkpoints,
    ModelSenses,
    PlanMode,
    Questions,
    Spool,
    Subagents,
    TodoList,
    WebAccess,
    Workspace,
)
from actions.agent.tools.plugin import PluginTools
from actions.agent.toolset.agentfile import AgentFile, read_agent_file
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.loading import load_tools
from actions.agent.toolset.plugins import load_plugins
from actions.agent.toolset.telemetry import Telemetry, local_telemetry

if TYPE_CHECKING:
    from actions.agent.loop.brain import Brain


def open_session(options: AgentOptions) -> AgentSession:
    """A session that is ready for prompts; servers connect in the background. Needs a running loop.

    Raises InvalidInput or NotFound for an agent file that is wrong; nothing is left behind then.
    """
    return _Builder(options).build()


@dataclass(frozen=True)
class _Agent:
    """What differs between the session's agent and each of its subagents."""

    spec: AgentFile
    source: Callable[[], Source]
    screen: Screen
    todo: TodoList
    checkpoints: Checkpoints
    kept: Callable[[], bool]


class _Builder:
    """Makes the rooms of one session, in the order in which they need each other."""

    def __init__(self, options: AgentOptions) -> None:
        self._options = options
        self._folder = options.paths.state / "agent"
        self._stack = AsyncExitStack()
        self._stack.callback(options.file.close)
        self._settings: AgentSettings = read_settings(options.paths.settings_file)
        records = list(options.file.records())
        self._keeper = StateKeeper(options.file, state_of(records))
        self._spent = _spent(records)
        self._model: Speaker | None = options.model
        self._spec = read_agent_file(self._agent_file())
        self._approvals, self._modes = self._rule()
        self._hooks = self._make_hooks((), self._stack)
        self._telemetry: Telemetry | None = local_telemetry(self._folder, enabled=self._settings.telemetry)
        self._spool = Spool(self._folder / "spool" / options.file.id)
        self._commands = Commands()
        self._tasks = BackgroundTasks(self._spool, self._commands)
        self._inbox = Inbox()
        self._checkpoints = LateCheckpoints()
        self._questions = UnattendedQuestions(options.person.questions, self._approvals.state)
        self._planning = Planning(
            self._modes,
            self._approvals.state,
            self._keeper,
            person=options.person,
            screen=options.screen,
            file=self._folder / "plans" / f"{options.file.id}.md",
        )
        self._servers = SessionServers(
            options.servers,
            paths=options.paths,
            workspace=options.workspace,
            spool=self._spool,
            screen=options.screen,
            stack=self._stack,
        )
        self._session: AgentSession | None = None

    def build(self) -> AgentSession:
        options, turn = self._options, TurnId()
        todo = TodoList(self._keeper.now.todo)
        self._desk = self._make_desk()
        agent = _Agent(
            self._spec,
            turn.source,
            options.screen,
            todo,
            self._checkpoints,
            lambda: self._keeper.change(todo=todo.items),
        )
        toolset = self._toolset(agent, self._stack)
        self._servers.manage(toolset)
        for tool in (*scout_tools(options.workspace, self._approvals, turn.source), ManageRules(self._approvals.rules)):
            toolset.add(tool, "builtin")
            toolset.hide(tool.name)
        for tool in options.client_tools:
            toolset.add(tool, "client")
        self._tasks.watch(lambda task: self._inbox.put_notice(_ended(task)))
        self._end_in_order()
        for problem in self._settings.problems:
            options.screen.notice(problem)
        self._session = AgentSession(
            Rooms(
                workspace=options.workspace,
                file=options.file,
                screen=options.screen,
                keeper=self._keeper,
                approvals=self._approvals,
                modes=self._modes,
                planning=self._planning,
                toolset=toolset,
                subagents=self._desk,
                inbox=self._inbox,
                commands=SlashCommands(toolset, options.screen, self._keeper),
                servers_ready=self._servers.ready,
                turn=turn,
                refit=lambda model: self._refit(agent, toolset, model.senses),
                think=lambda model, spend: self._brain(model, toolset, spend),
                stack=self._stack,
            ),
            model=options.model,
            spent=self._spent,
        )
        self._servers.start()
        return self._session

    def _agent_file(self) -> Path | str:
        own = self._options.paths.agent_file
        return self._options.agent_file or (own if own.is_file() else "default")

    def _rule(self) -> tuple[Approvals, Modes]:
        """The approvals as the session left them; what counts for this run comes on top."""
        options, kept = self._options, self._keeper.now.mode
        stored = StoredState(yolo=kept is Mode.YOLO or options.flags.yolo, afk=kept is Mode.AFK)
        state = ApprovalState(stored, afk_run=options.flags.afk)
        modes = Modes(self._keeper, state, planning=kept is Mode.PLAN)
        where = hashlib.sha256(str(options.workspace.root).encode()).hexdigest()[:16]
        rules = Rules(self._folder / "rules" / f"{where}.json", warn=options.screen.notice)
        audit = Audit(self._folder / "approvals.jsonl")
        self._stack.push_async_callback(audit.close)
        return Approvals(state=state, rules=rules, audit=audit, planning=lambda: modes.planning), modes

    def _make_hooks(self, more: Sequence[Hook], stack: AsyncExitStack) -> Hooks | None:
        """The hooks of the settings and of the agent file, which hold for subagents too, and ``more``."""
        hooks = [*self._settings.hooks, *self._spec.hooks, *more]
        if not hooks and not self._settings.unusable_hooks:
            return None
        options = self._options
        runner = Hooks(
            hooks,
            session_id=options.file.id,
            cwd=str(options.workspace.root),
            warn=options.screen.notice,
            unusable=self._settings.unusable_hooks,
        )
        stack.push_async_callback(runner.close)
        return runner

    def _hooks_for(self, spec: AgentFile, stack: AsyncExitStack) -> Hooks | None:
        """Those of the session; for a subagent whose file has hooks of its own, these as well."""
        own = [hook for hook in spec.hooks if hook not in self._spec.hooks]
        return self._make_hooks(own, stack) if own else self._hooks

    def _make_desk(self) -> SubagentDesk:
        options = self._options

        def toolset(spec: AgentFile, source: Callable[[], Source], screen: Screen, stack: AsyncExitStack) -> Toolset:
            return self._toolset(_Agent(spec, source, screen, TodoList(), LateCheckpoints(), lambda: False), stack)

        return SubagentDesk(
            self._spec.subagents,
            Surroundings(
                workspace=options.workspace,
                screen=options.screen,
                tasks=self._tasks,
                spool=self._spool,
                model=lambda: self._session.model if self._session else None,
                toolset=toolset,
                cancel_requests=lambda source: self._approvals.cancel_by_source(source.kind, source.id),
                spent=lambda usage: self._session.spend(usage) if self._session else None,
            ),
        )

    def _toolset(self, agent: _Agent, stack: AsyncExitStack) -> Toolset:
        options = self._options
        toolset = Toolset(
            self._approvals,
            source=agent.source,
            hooks=self._hooks_for(agent.spec, stack),
            telemetry=self._telemetry,
            spool=self._spool,
            root=str(options.workspace.root),
        )
        stack.push_async_callback(toolset.close)
        senses = options.model.senses if options.model is not None else ModelSenses()
        loaded = load_tools(agent.spec.tools, self._table(agent, senses), agent.spec.troubles)
        for tool in loaded.tools:
            toolset.add(tool, "builtin")
        plugins = load_plugins(
            options.paths.config / "plugins",
            PluginTools(self._commands, self._spool),
            taken={tool.name for tool in loaded.tools},
            host={"workspace": str(options.workspace.root), "session_id": options.file.id},
        )
        for tool in plugins.tools:
            toolset.add(tool, "plugin")
        for trouble in loaded.missing:
            agent.screen.notice(f"A tool was left out, its module cannot be imported here: {trouble}")
        for trouble in plugins.left_out:
            agent.screen.notice(f"A plugin was left out: {trouble}")
        if not self._questions.available:
            toolset.hide("AskUserQuestion")
        self._servers.fill(toolset, stack)
        show_on(agent.screen, toolset, agent.todo, agent.kept)
        return toolset

    def _refit(self, agent: _Agent, toolset: Toolset, senses: ModelSenses) -> None:
        """Add the tools that were left out because no model was there, or one that sees less."""
        for tool in load_tools(agent.spec.tools, self._table(agent, senses)).tools:
            if toolset.find(tool.name) is None:
                toolset.add(tool, "builtin")

    def _table(self, agent: _Agent, senses: ModelSenses) -> dict[Any, object]:
        options = self._options
        return {
            Workspace: options.workspace,
            Spool: self._spool,
            WebAccess: options.web or self._settings.web,
            ModelSenses: senses,
            Questions: self._questions,
            PlanMode: self._planning,
            TodoList: agent.todo,
            Checkpoints: agent.checkpoints,
            Subagents: self._desk,
            Commands: self._commands,
            BackgroundTasks: self._tasks,
            LiveOutput: LiveScreen(agent.screen),
        }

    def _brain(self, model: Speaker, toolset: Toolset, spend: Callable[[Usage], None]) -> Brain:
        from actions.agent.loop.brain import Brain
        from actions.agent.session.context import Context

        options = self._options
        words = self._spec.system_prompt.read_text(encoding="utf-8") if self._spec.system_prompt else ""
        context = Context.read(options.file.records(), options.file)
        self._checkpoints.context = context
        return Brain(
            model,
            context,
            toolset,
            options.screen,
            inbox=self._inbox,
            instructions=lambda: instructions_for(words, options.workspace),
            spent=spend,
            spool=self._spool,
            step_limit=options.step_limit,
        )

    def _end_in_order(self) -> None:
        """Background tasks end before the commands that they are made of."""
        self._stack.push_async_callback(self._commands.close)
        self._stack.push_async_callback(self._tasks.close)


def _ended(task: BackgroundTask) -> str:
    code = f", exit code {task.code}" if task.code is not None else ""
    return f"The background task {task.id} ({task.description}) has ended: {task.state}{code}. TaskOutput reads it."


def _spent(records: Sequence[dict[str, Any]]) -> Usage:
    """What the session has used so far, as its last record of that says."""
    nothing: dict[str, Any] = {}
    last = next((record for record in reversed(records) if record["kind"] == "usage"), nothing)
    try:
        cost = Decimal(last["cost_usd"]) if isinstance(last.get("cost_usd"), str) else None
    except InvalidOperation:
        cost = None
    numbers = [value if isinstance(value := last.get(key), int) else 0 for key in ("input", "output", "cached")]
    return Usage(numbers[0], numbers[1], numbers[2], cost)
