"""What actions answer with: the shapes that the window, commands and tools show. Times are UTC milliseconds."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from actions.catalog.server_use_views import SessionTools
from actions.catalog.spec import ActionOutput
from actions.catalog.worktree_views import SessionWorktree


class SessionState(StrEnum):
    STARTING = "starting"
    IDLE = "idle"
    WORKING = "working"
    WAITING = "waiting"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class RunState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def ended(self) -> bool:
        return self not in (RunState.QUEUED, RunState.RUNNING)


class RunKind(StrEnum):
    REVIEW = "review"
    PLAN = "plan"
    DELEGATE = "delegate"


class ModeView(ActionOutput):
    id: str
    name: str
    description: str | None = None


class OptionView(ActionOutput):
    """An option of a session as its agent offers it. ``value`` was acknowledged; a ``select`` has ``choices``."""

    id: str
    name: str
    description: str | None = None
    category: str | None = None
    kind: Literal["select", "boolean"] = "select"
    value: str | bool | None = None
    choices: list[ModeView] = Field(default_factory=list[ModeView])


class Targets(ActionOutput):
    """Which sessions are meant without being named: the primary one, else the one that a window showed last."""

    primary: str | None = None
    tracked: list[str] = Field(default_factory=list[str])
    last_focused: str | None = None


class QueuedMessage(ActionOutput):
    id: str
    text: str


SessionMark = Literal["did_not_ask", "never_asks", "ask_mode_not_set", "option_not_set", "did_not_list_tools"]
"""What a person should know of how a session's agent asks: it acted without asking where it should have asked; it never
asks; it did not confirm the mode, or an option, in which it asks.
"""


class SessionView(ActionOutput):
    """A session as lists and headers show it. ``mode`` is what the agent acknowledged; no ``modes``, no mode
    control.
    """

    id: str
    provider: str
    provider_name: str
    workspace: str
    workspace_id: str
    title: str
    state: SessionState
    mode: str | None = None
    modes: list[ModeView] = Field(default_factory=list[ModeView])
    model: str | None = None
    options: list[OptionView] = Field(default_factory=list[OptionView])
    kind: Literal["user", "run"] = "user"
    parent_session_id: str | None = None
    root_session_id: str | None = None
    run_id: str | None = None
    created: int
    updated: int
    last_activity: int
    archived: bool = False
    pinned: bool = False
    unread: bool = False
    waiting_for: int = 0
    queue: list[QueuedMessage] = Field(default_factory=list[QueuedMessage])
    resumable: bool = False
    forkable: bool = False
    steerable: bool = False
    """Whether the agent takes a message into its running turn."""
    wire_log: bool = False
    worktree: SessionWorktree | None = None
    """Set where it works in a git worktree that was made for it."""
    tools: SessionTools | None = None
    """What its agent was promised and given; set while, and after, it ran under this host."""
    marks: list[SessionMark] = Field(default_factory=list[SessionMark])
    reason: str | None = None
    reason_code: str | None = None
    reason_facts: dict[str, str] = Field(default_factory=dict[str, str])
    """What the reason is one of, and what belongs into it, for those who say it in other words."""
    preview: str | None = None


class SessionList(ActionOutput):
    sessions: list[SessionView]
    next_cursor: str | None = None
    targets: Targets = Targets()


class TranscriptEvent(ActionOutput):
    """One stored event. Events that share an ``item_id`` tell the life of one item."""

    seq: int
    kind: str
    item_id: str | None = None
    turn: int = 0
    at: int
    data: dict[str, Any]


class Transcript(ActionOutput):
    session_id: str
    events: list[TranscriptEvent]
    next_cursor: int | None = None
    previous: int | None = None
    """Of the newest events: what to give as ``before`` for those before them; None at the beginning."""


class SearchHit(ActionOutput):
    """An item of a transcript that holds what was searched for. ``seq`` is its first event; ``at`` is in ms, UTC."""

    session_id: str
    session_title: str
    workspace: str
    kind: str
    turn: int
    seq: int
    at: int
    snippet: str


class SearchHits(ActionOutput):
    """What a search found, newest first."""

    hits: list[SearchHit]


class TurnEnd(ActionOutput):
    """A message that was taken: queued, running, or, when waited for, how its turn ended and what was said."""

    session_id: str
    state: SessionState
    queued: bool = False
    stop_reason: str | None = None
    text: str | None = None


class RunError(ActionOutput):
    """``reason`` is what the message is one of, where it is Sayso's own, for those who say it in other words."""

    code: str
    message: str
    reason: str | None = None


class RunView(ActionOutput):
    """A managed run: a child session of one provider with a purpose and an end."""

    id: str
    kind: RunKind
    provider: str
    state: RunState
    session_id: str | None = None
    host_session_id: str | None = None
    workspace: str
    instructions: str = ""
    scope: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    error: RunError | None = None
    retryable: bool = False
    stale: bool = False
    """A review whose repository has moved on to another commit since: from the ``head`` of its scope to this one."""
    head_now: str | None = None
    created: int
    started: int | None = None
    ended: int | None = None


class RunStart(ActionOutput):
    """``scope`` is the receipt of a review: base, head, and what the change holds."""

    provider: str
    ok: bool
    run_id: str | None = None
    scope: dict[str, Any] | None = None
    error: RunError | None = None


class FindingsMessage(ActionOutput):
    """Findings of reviews as a message to an agent; ``notes`` say which reviews are stale, and since when."""

    text: str
    count: int
    notes: list[str]


class FindingsSent(ActionOutput):
    """How many findings went to which session; ``notes`` say what the message warns of."""

    session_id: str
    sent: int
    notes: list[str]


class RunsStarted(ActionOutput):
    """One entry a provider; one failure does not fail the others."""

    results: list[RunStart]


class RunList(ActionOutput):
    runs: list[RunView]
    next_cursor: str | None = None


class WorkspaceView(ActionOutput):
    id: str
    path: str
    name: str
    trusted: bool = False
    exists: bool = True


class WorkspaceList(ActionOutput):
    workspaces: list[WorkspaceView]


class ProviderView(ActionOutput):
    """A provider. ``modes`` and ``capabilities`` are known once a check or a session has seen the agent's
    ``initialize``. ``state`` is ``missing`` where a command of it was not found, ``too_old`` where its version, or the
    Node or Python that runs it, is; ``reason`` then says what to do.
    """

    id: str
    name: str
    delivery: Literal["native_mcp", "shell_bridge", "none"]
    installed: bool
    state: Literal["ready", "missing", "too_old"] = "ready"
    version: str | None = None
    command: list[str]
    auth: str | None = None
    modes: list[ModeView] = Field(default_factory=list[ModeView])
    models: list[ModeView] = Field(default_factory=list[ModeView])
    capabilities: dict[str, Any] = Field(default_factory=dict[str, Any])
    aliases: list[str] = Field(default_factory=list[str])
    reason: str | None = None
    notes: list[str] = Field(default_factory=list[str])
    """What a person should know of it: a version that was not tried, a Node that is too old, whom it asks."""


class ProviderList(ActionOutput):
    providers: list[ProviderView]
    problems: list[str] = Field(default_factory=list[str])


class AuthMethodView(ActionOutput):
    """A way to sign in that an agent offers: it does so itself, in a terminal, or by variables."""

    id: str
    name: str
    description: str | None = None
    kind: Literal["agent", "terminal", "env_var", "other"] = "agent"
    arguments: list[str] = Field(default_factory=list[str])
    """Of a ``terminal``: what the agent's command gets there."""
    variables: list[str] = Field(default_factory=list[str])


class ProviderCheck(ProviderView):
    """A provider after its agent was started: ``initialize``'s answer, its modes, milliseconds to each, or why it did
    not start.
    """

    ok: bool
    agent_name: str | None = None
    agent_version: str | None = None
    protocol_version: int | None = None
    auth_methods: list[str] = Field(default_factory=list[str])
    sign_in: list[AuthMethodView] = Field(default_factory=list[AuthMethodView])
    mode: str | None = None
    options: dict[str, str | bool] = Field(default_factory=dict[str, str | bool])
    mcp: list[str] = Field(default_factory=list[str])
    """How it would be given MCP servers, best first."""
    notices: list[str] = Field(default_factory=list[str])
    ms: dict[str, int] = Field(default_factory=dict[str, int])
    error: RunError | None = None
    stderr: str | None = None


class FieldRow(ActionOutput):
    """One line of what a request would do, made from the input and its hints, never from the caller's text."""

    path: str
    title: str
    value: str


class RequestOption(ActionOutput):
    id: str
    name: str
    kind: str = ""


class InboxKind(StrEnum):
    APPROVAL = "approval"
    PERMISSION = "permission"
    QUESTION = "question"
    EXIT_PLAN = "exit_plan"
    FAILED_RUN = "failed_run"


class InboxRow(ActionOutput):
    """Something that waits for a person. An approval is ours, a permission is a provider's: different rows and
    words.
    """

    id: str
    kind: InboxKind
    session_id: str | None
    session_title: str | None = None
    action: str | None
    title: str
    summary: str
    fields: list[FieldRow]
    state: str
    asked_by: str
    created: int
    options: list[RequestOption] = Field(default_factory=list[RequestOption])
    detail: dict[str, Any] | None = None
    decidable: bool = True
    releases: list[str] = Field(default_factory=list[str])


class Inbox(ActionOutput):
    """Rows in the order in which they came; the first is the oldest."""

    rows: list[InboxRow]


class ApprovalView(ActionOutput):
    """A durable approval request with its decision and its execution."""

    id: str
    status: str
    action: str
    title: str
    summary: str
    fields: list[FieldRow]
    input: dict[str, Any]
    surface: str
    asked_by: str
    caller_chain: list[str] = Field(default_factory=list[str])
    session_id: str | None = None
    created: int
    updated: int
    deferred_until: int | None = None
    decision: dict[str, Any] | None = None
    execution: dict[str, Any] | None = None


class ApprovalList(ActionOutput):
    requests: list[ApprovalView]


class RuleView(ActionOutput):
    id: str
    action: str
    scope: Literal["session", "always"]
    session_id: str | None = None
    surface: str
    created: int
    covers: str


class RuleList(ActionOutput):
    rules: list[RuleView]


class OutcomeView(ActionOutput):
    """An outcome inside an outcome: what running an approved action, or answering a request, gave."""

    outcome: Literal["completed", "pending", "rejected", "failed"]
    id: str | None = None
    status: str | None = None
    result: dict[str, Any] | None = None
    error: RunError | None = None
