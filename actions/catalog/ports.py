"""The ports that handlers call through their context. Services implement them; the catalog does no I/O itself.

Every method raises a SaysoError with the code that fits; none returns an empty value in place of a failure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from actions.catalog import run_views as r
from actions.catalog import views as v
from actions.catalog import worktree_views as w
from actions.catalog.context import ActionContext, Caller, Progress
from actions.catalog.hints import RefKind
from actions.catalog.server_ports import ServersPort
from actions.catalog.server_use_ports import ServerUsePort

if TYPE_CHECKING:
    from actions.catalog.domains.preference import SettingList, SettingView


class SessionsPort(Protocol):
    """Hosted sessions of agents."""

    async def list(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        active_only: bool = False,
        archived_only: bool = False,
        resumable_only: bool = False,
        workspace: str | None = None,
        include_preview: bool = False,
        include_runs: bool = False,
    ) -> v.SessionList: ...

    async def get(self, session_id: str) -> v.SessionView: ...

    async def spawn_new(
        self,
        *,
        provider: str,
        workspace: str,
        title: str | None = None,
        mode_id: str | None = None,
        model_id: str | None = None,
        initial_message: str | None = None,
        environment: Mapping[str, str] | None = None,
        mcp_selection: Mapping[str, Any] | None = None,
        wait: bool = False,
        timeout_s: float | None = None,
        told: Progress | None = None,
    ) -> v.SessionView:
        """Start an agent in ``workspace`` (a directory). Returns once the agent answered ``session/new``.

        With ``wait`` it returns when the turn of the initial message has ended. ``told`` hears of a start that takes
        long; a caller that is cancelled before the agent is ready ends it.
        """
        ...

    async def send(
        self, session_id: str, message: str, *, wait: bool = False, timeout_s: float | None = None
    ) -> v.TurnEnd: ...

    async def cancel_turn(self, session_id: str) -> v.SessionView: ...

    async def stop(self, session_id: str) -> v.SessionView: ...

    async def set_mcp_selection(self, session_id: str, selection: Mapping[str, Any] | None) -> v.SessionView:
        """What it takes and leaves of the user's MCP servers, from its agent's next start on."""
        ...

    async def set_title(self, session_id: str, title: str) -> v.SessionView: ...

    async def set_mode(self, session_id: str, mode_id: str) -> v.SessionView: ...

    async def set_archived(self, session_id: str, archived: bool) -> v.SessionView: ...

    async def set_pinned(self, session_id: str, pinned: bool) -> v.SessionView: ...

    async def transcript(
        self, session_id: str, *, cursor: int | None = None, limit: int = 500, kinds: Sequence[str] = ()
    ) -> v.Transcript:
        """Events after ``cursor`` (a seq), oldest first."""
        ...

    async def newest(
        self, session_id: str, *, before: int | None = None, limit: int = 500, kinds: Sequence[str] = ()
    ) -> v.Transcript:
        """The newest ``limit`` events (before a seq), oldest first; a few more where a turn's start is near."""
        ...

    async def search(self, query: str, *, limit: int = 50) -> v.SearchHits:
        """Items of all transcripts that hold every word of ``query``, newest first."""
        ...

    async def export(self, session_id: str, *, form: str) -> str:
        """A transcript as one text: ``markdown`` or ``jsonl``."""
        ...

    async def wait(self, session_id: str, *, until: str, timeout_s: float | None = None) -> v.SessionView:
        """Wait for ``idle`` or ``attention``; raises ``timeout``, which ends nothing."""
        ...

    async def respond_permission(
        self,
        session_id: str | None,
        request_id: str | None,
        *,
        decision: str,
        option_id: str | None = None,
        scope: str | None = None,
        feedback: str | None = None,
        decided_by: Caller,
        surface: str,
    ) -> v.OutcomeView:
        """Answer a permission with ``allow`` or ``deny``, or by the agent's own option id, never by position.

        What lasts (``scope`` session or always) is kept as a rule of ours.
        """
        ...

    async def answer_user_action(
        self,
        session_id: str | None,
        request_id: str | None,
        answer: Mapping[str, Any],
        *,
        decided_by: Caller,
        surface: str,
    ) -> v.OutcomeView: ...


class SessionCarePort(Protocol):
    """What is done to a session beside talking to it."""

    async def resume(self, session_id: str) -> v.SessionView:
        """Start the agent again where it left off; raises with the reason when it cannot: nothing is begun instead."""
        ...

    async def fork(self, session_id: str, *, at_message: str | None = None) -> v.SessionView: ...

    async def delete(self, session_id: str, *, stop_working: bool = False) -> None:
        """Raises when it, or a run of it, is at work, unless ``stop_working``."""
        ...

    async def set_model(self, session_id: str, model_id: str) -> v.SessionView: ...

    async def set_option(self, session_id: str, option_id: str, value: str | bool) -> v.SessionView: ...

    async def edit_queue(
        self,
        session_id: str,
        message_id: str,
        operation: Literal["edit", "move", "drop", "send_now", "steer"],
        *,
        text: str | None = None,
        position: int | None = None,
    ) -> v.SessionView: ...

    async def set_wire_log(self, session_id: str, on: bool) -> Path:
        """Begin or end the wire log; gives its file."""
        ...

    async def targets(self) -> v.Targets: ...

    async def set_primary(self, session_id: str | None) -> v.Targets: ...

    async def set_tracked(self, session_ids: Sequence[str]) -> v.Targets: ...


class RunsPort(Protocol):
    """Managed runs: one child session a provider."""

    async def start_plan(
        self,
        *,
        providers: Sequence[str],
        instructions: str,
        workspace: str,
        host_session_id: str | None,
        model_id: str | None = None,
        retention: str = "ephemeral",
        permission_mode: str = "read_only",
        asked_by: str | None = None,
    ) -> v.RunsStarted: ...

    async def start_delegate(
        self,
        *,
        providers: Sequence[str],
        instructions: str,
        workspace: str,
        host_session_id: str | None,
        model_id: str | None = None,
        retention: str = "ephemeral",
        permission_mode: str = "workspace_write",
        asked_by: str | None = None,
    ) -> v.RunsStarted: ...

    async def start_review(
        self,
        *,
        providers: Sequence[str],
        instructions: str,
        workspace: str,
        host_session_id: str | None,
        change: str = "uncommitted",
        base: str | None = None,
        model_id: str | None = None,
        permission_mode: str = "read_only",
        asked_by: str | None = None,
    ) -> v.RunsStarted:
        """Raises ``empty_scope`` when there is nothing to review: then no run is made."""
        ...

    async def findings(self, run_id: str, *, with_change: bool = False) -> r.ReviewFindings:
        """What a review and the others of its change found, merged over providers."""
        ...

    async def findings_message(
        self, run_ids: Sequence[str], *, only_errors: bool = False, only: Sequence[str] = ()
    ) -> v.FindingsMessage:
        """The findings of reviews, merged over providers, as a message; raises ``empty_scope`` when there are none."""
        ...

    async def list(
        self,
        *,
        session_id: str | None = None,
        provider: str | None = None,
        status: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> v.RunList: ...

    async def get(self, run_id: str, *, asked_by: str | None = None) -> v.RunView: ...

    async def stop(self, run_id: str, *, asked_by: str | None = None) -> v.RunView: ...

    async def send(self, run_id: str, message: str, *, resume: bool = False) -> v.RunView:
        """Say more to a run; one that has ended is taken up again only with ``resume``."""
        ...

    async def wait(self, run_id: str, *, timeout_s: float | None = None, asked_by: str | None = None) -> v.RunView:
        """Wait until the run ended; raises ``timeout``, which leaves the run alive."""
        ...


class WorkspacesPort(Protocol):
    async def add(self, path: str, *, name: str | None = None) -> v.WorkspaceView: ...

    async def list(self) -> v.WorkspaceList: ...

    async def find(self, reference: str) -> v.WorkspaceView:
        """By id, id prefix, name or directory; a directory that is not registered yet is added."""
        ...

    async def branches(self, path: str) -> list[str]:
        """The local git branches of a directory, the current one first; empty where it is no repository."""
        ...

    async def files(self, path: str, query: str, *, most: int = 20) -> list[str]:
        """The files of a directory that ``query`` fits best, relative to it."""
        ...

    async def trust(self, reference: str, *, trusted: bool) -> v.WorkspaceView:
        """Whether agents are told that the user trusts it."""
        ...

    async def remove(self, reference: str) -> v.WorkspaceView:
        """Take it off the list; no file is touched, and its sessions keep it."""
        ...


class WorktreesPort(Protocol):
    """Git worktrees made for sessions; named by id, id prefix, branch or folder."""

    async def list(self, *, workspace: str | None = None, include_removed: bool = False) -> w.WorktreeList: ...

    async def find(self, reference: str) -> w.WorktreeView: ...

    async def status(self, reference: str, *, into: str | None = None) -> w.WorktreeStatus:
        """What would be lost with it, and what merging it back would do; nothing is touched."""
        ...

    async def create(
        self, workspace: str, *, name: str = "", branch: str | None = None, base: str | None = None
    ) -> w.WorktreeView:
        """A new folder with a new branch, named after ``name`` or as given."""
        ...

    async def merge(self, reference: str, *, into: str | None = None, fast_forward: bool = True) -> w.WorktreeMerged:
        """Merge back; raises, with nothing changed, where either side is not clean or the two conflict."""
        ...

    async def remove(
        self, reference: str, *, keep_branch: bool = False, with_ignored: bool = False
    ) -> w.WorktreeRemoved:
        """Take it away; raises, with what would be lost, where it is not clean, or ignored files were not agreed to."""
        ...

    async def base_of(self, workspace: str, *, base: str | None = None) -> str:
        """The commit that a new worktree would begin from; raises where none can be made."""
        ...

    async def merge_proof(self, reference: str, *, into: str | None = None) -> Mapping[str, Any]:
        """What must not have moved between a look and the merge; raises what would keep it from happening."""
        ...

    async def removal_proof(self, reference: str, *, with_ignored: bool = False) -> Mapping[str, Any]:
        """As :meth:`merge_proof`, for the removal."""
        ...


class ProvidersPort(Protocol):
    async def list(self, *, include_missing: bool = True) -> v.ProviderList: ...

    async def get(self, provider_id: str) -> v.ProviderView: ...

    async def check(
        self, provider_id: str, *, sign_in: str | None = None, told: Progress | None = None
    ) -> v.ProviderCheck:
        """Start the agent and end it again. ``told`` hears of a start that takes long."""
        ...

    def default_id(self) -> str:
        """The provider that the settings name, else the built-in one."""
        ...


class ApprovalsPort(Protocol):
    async def list(
        self, *, status: str | None = None, session_id: str | None = None, limit: int = 50
    ) -> v.ApprovalList: ...

    async def get(self, approval_id: str) -> v.ApprovalView: ...

    async def create(
        self, *, action_id: str, input: Mapping[str, Any], summary: str, ctx: ActionContext
    ) -> v.ApprovalView: ...

    async def decide(
        self, approval_id: str, *, decision: str, scope: str = "once", feedback: str | None = None, ctx: ActionContext
    ) -> v.OutcomeView:
        """Approve (and run once) or reject. A second approve returns the recorded outcome."""
        ...

    async def withdraw(self, session_id: str) -> None:
        """Cancel the open requests of a session that is gone, and of what it started."""
        ...

    async def defer(self, approval_id: str, *, until: int | None = None) -> v.ApprovalView: ...

    async def rules(self) -> v.RuleList: ...

    async def revoke(self, rule_id: str) -> v.RuleList: ...


class InboxPort(Protocol):
    async def list(self, *, session_id: str | None = None, limit: int = 200) -> v.Inbox: ...

    async def get(self, request_id: str) -> v.InboxRow: ...


class DirectoryPort(Protocol):
    """The catalog seen by a caller: what it may find, and under which policy."""

    def search(self, query: str, limit: int, ctx: ActionContext) -> list[dict[str, Any]]: ...

    def get(self, action_id: str, ctx: ActionContext) -> dict[str, Any]: ...

    async def preview(self, action_id: str, draft: Mapping[str, Any], ctx: ActionContext) -> dict[str, Any]:
        """What a call would do, before it is made."""
        ...

    async def options(
        self,
        *,
        action_id: str | None,
        field_path: str | None,
        source: str | None,
        draft: Mapping[str, Any],
        query: str,
        limit: int,
        include_disabled: bool,
        ctx: ActionContext,
    ) -> dict[str, Any]: ...

    def policy(self, action_id: str | None, surface: str | None, ctx: ActionContext) -> dict[str, Any]: ...

    async def set_policy(
        self,
        action_id: str,
        *,
        surface: str | None,
        enabled: str | None,
        approval: str | None,
        exposure: str | None,
        workspace: str | None,
    ) -> dict[str, Any]: ...


class ReferencesPort(Protocol):
    """Resolves what a person or program calls a thing to its id."""

    async def resolve(self, kind: RefKind, text: str) -> str:
        """The full id; raises ``not_found``, or ``ambiguous`` with candidates."""
        ...

    async def usual_session(self) -> str | None:
        """The session that a person means who names none: the primary one, else the one that a window showed last."""
        ...


class PreferencesPort(Protocol):
    """The settings of the app."""

    def list(self, key: str | None = None) -> SettingList: ...

    def set(self, key: str, value: str | None) -> SettingView:
        """Store a value given as text; None goes back to the default."""
        ...


class WindowPort(Protocol):
    """What only a connected window can do. Raises ``failed`` with the fix where no window is connected."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Ports:
    """Everything that a handler may reach."""

    sessions: SessionsPort
    care: SessionCarePort
    runs: RunsPort
    workspaces: WorkspacesPort
    worktrees: WorktreesPort
    servers: ServersPort
    server_use: ServerUsePort
    providers: ProvidersPort
    approvals: ApprovalsPort
    inbox: InboxPort
    directory: DirectoryPort
    preferences: PreferencesPort
    references: ReferencesPort
    window: WindowPort
