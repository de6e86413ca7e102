"""What the actions on MCP servers answer with. Values that look like secrets are dots in every view."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from actions.catalog.spec import ActionOutput


class BindingView(ActionOutput):
    """Where a server is switched on or off; ``target`` is ``device`` or a workspace's folder.

    ``implied``: nobody wrote it down, a workspace's own file binds what it defines.
    """

    id: str
    server: str
    target: str
    enabled: bool
    overrides: dict[str, Any] = Field(default_factory=dict[str, Any])
    implied: bool = False
    revision: str | None = None


class ServerView(ActionOutput):
    """A server as it is in the workspace that was asked about, else on the device.

    ``reason`` says why it is on or off (``active_by_default``, ``binding_disabled``, ``not_bound``,
    ``not_available_here``, ``missing_value``, ``invalid_definition``), ``problem`` what to mend. ``revision`` is that
    of the file that defines it.
    """

    name: str
    title: str | None = None
    transport: Literal["stdio", "http", "sse", "unknown"]
    scope: Literal["device", "workspace", "override"]
    file: str
    line: int
    enabled: bool
    reason: str
    problem: str | None = None
    command: str | None = None
    args: list[str] = Field(default_factory=list[str])
    cwd: str | None = None
    url: str | None = None
    env: dict[str, str] = Field(default_factory=dict[str, str])
    headers: dict[str, str] = Field(default_factory=dict[str, str])
    connect_timeout_s: float | None = None
    call_timeout_s: float | None = None
    bindings: list[BindingView] = Field(default_factory=list[BindingView])
    warnings: list[str] = Field(default_factory=list[str])
    moved_to_secrets: list[str] = Field(default_factory=list[str])
    """Values that this change put among the secrets, by their names there."""
    content_hash: str
    revision: str


class BrokenFile(ActionOutput):
    """A file that does not parse: nothing of it is in force."""

    file: str
    line: int
    message: str


class ServerList(ActionOutput):
    """``revision`` is that of the device's file, where bindings are."""

    servers: list[ServerView]
    revision: str
    problems: list[BrokenFile] = Field(default_factory=list[BrokenFile])


class ServerTest(ActionOutput):
    """``ok`` when initialize and tools/list were both answered.

    Else ``code`` is one of ``invalid_request``, ``missing_credentials``, ``not_trusted``, ``launch_failed``,
    ``connect_failed``, ``timeout``, ``needs_login``, ``list_tools_failed``, with the end of stderr.
    """

    ok: bool
    tool_count: int = 0
    tools: list[str] = Field(default_factory=list[str])
    ms: int = 0
    era: str | None = None
    server_info: str | None = None
    skipped: list[dict[str, str]] = Field(default_factory=list[dict[str, str]])
    warnings: list[str] = Field(default_factory=list[str])
    code: str | None = None
    message: str | None = None
    stderr: str | None = None
    exit_code: int | None = None


class FoundServer(ActionOutput):
    """A server in another program's configuration, and what becomes of it.

    ``status``: ``new``, ``same`` (we have just that), ``conflict`` (another of that name), ``unsupported`` or
    ``unreadable`` before an import; ``imported``, ``replaced``, ``renamed`` (``saved_as``), ``skipped``,
    ``not_selected`` after one. ``ignored`` are switches that are never taken over, such as automatic approval.
    ``missing`` are variables that are not set here.
    """

    name: str
    transport: str
    status: str
    warnings: list[str] = Field(default_factory=list[str])
    client: str
    file: str | None = None
    scope: str = "user"
    enabled: bool = True
    command: list[str] = Field(default_factory=list[str])
    """The whole argv, uncut."""
    cwd: str | None = None
    url: str | None = None
    env: dict[str, str] = Field(default_factory=dict[str, str])
    headers: dict[str, str] = Field(default_factory=dict[str, str])
    secrets: list[str] = Field(default_factory=list[str])
    """Environment variables and headers whose values go, or went, among the secrets."""
    missing: list[str] = Field(default_factory=list[str])
    """What has to be given: the names to give it by."""
    prompts: dict[str, str] = Field(default_factory=dict[str, str])
    """How the program asks for those of them that it asks for."""
    ignored: list[str] = Field(default_factory=list[str])
    saved_as: str | None = None


class FoundServers(ActionOutput):
    """``problems``: files of other programs that could not be read (``read_failed``, ``parse_failed``)."""

    servers: list[FoundServer]
    problems: list[dict[str, str]] = Field(default_factory=list[dict[str, str]])


class PresetView(ActionOutput):
    """A well-known server, ready to be added. ``asks`` are values that it needs from the user."""

    id: str
    title: str
    description: str
    homepage: str
    definition: dict[str, Any]
    asks: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])


class PresetList(ActionOutput):
    presets: list[PresetView]
