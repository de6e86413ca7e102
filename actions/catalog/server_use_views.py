"""What the actions on trust, preview, pins and logins of MCP servers answer with."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from actions.catalog.server_views import FoundServer
from actions.catalog.spec import ActionOutput

Trusted = Literal["own", "trusted", "not_trusted", "trust_changed", "environment"]


class ChangeView(ActionOutput):
    """One field that is different; null where it was not, or is not any more. Hidden characters are written out."""

    field: str
    before: str | None = None
    after: str | None = None


class HiddenView(ActionOutput):
    """Characters of a tool's text that a reader does not see: ``tags``, ``zero_width``, ``bidi``, ``control`` or a
    ``comment``; ``says`` is what they spell, written out.
    """

    kind: str
    where: str
    says: str


class WouldRun(ActionOutput):
    """What a server of a workspace's file starts, uncut: argv, folder, names of variables and headers, url.

    ``resolved`` is the program that the command is here; ``scripts`` are files of the workspace that the command line
    names, with the hash of each. ``environment`` are variables that can change which program runs: each needs a yes of
    its own. ``changes`` say what is different since the last yes.
    """

    server: str
    trust: Trusted
    transport: str
    command: list[str] = Field(default_factory=list[str])
    resolved: str | None = None
    cwd: str | None = None
    env: list[str] = Field(default_factory=list[str])
    url: str | None = None
    headers: list[str] = Field(default_factory=list[str])
    scripts: dict[str, str] = Field(default_factory=dict[str, str])
    environment: list[str] = Field(default_factory=list[str])
    changes: list[ChangeView] = Field(default_factory=list[ChangeView])
    file: str = ""
    line: int = 0
    problem: str | None = None


class TrustReview(ActionOutput):
    """What the servers of a workspace's file would run, with the hash of all of it that a yes is for."""

    workspace: str
    content_hash: str
    trusted: bool
    servers: list[WouldRun] = Field(default_factory=list[WouldRun])


class ToolRow(ActionOutput):
    """One tool as a session would get it.

    ``source`` is ``sayso`` or a server; ``shown_as`` the name that the agent's model sees. ``approval``: ``asks``
    or ``allowed`` by Sayso, or ``agent`` where only the agent decides whether it asks. ``tokens`` are an estimate
    of what its definition costs. ``reason_code`` says in a word why it is not there at once: ``by_search``,
    ``gets_none``, ``off``, ``invalid``, ``unsupported_by_provider``, ``pin_new``, ``pin_changed``. ``pin`` says
    whether it is as it was seen, with what is different; ``content_hash`` accepts it.
    """

    name: str
    source: str
    shown_as: str
    title: str | None = None
    description: str = ""
    delivery: Literal["native", "sayso", "bridge", "none"]
    exposure: Literal["direct", "discoverable"]
    approval: Literal["asks", "allowed", "agent"]
    available: bool
    reason_code: str | None = None
    reason: str | None = None
    tokens: int = 0
    input_schema: dict[str, Any] = Field(default_factory=dict[str, Any])
    hidden: list[HiddenView] = Field(default_factory=list[HiddenView])
    pin: Literal["same", "new", "changed"] | None = None
    content_hash: str | None = None
    changes: list[ChangeView] = Field(default_factory=list[ChangeView])


class ServerState(ActionOutput):
    """One server as a session would get it.

    ``state``: ``off``, or how its connection stands (``pending``, ``connecting``, ``connected``, ``failed``,
    ``unauthorized``). ``reason`` is a word for a program, ``message`` for a person; so are ``delivery_code`` and
    ``delivery_reason`` (``shell``, ``chosen``, ``held``, ``login``, ``unseen``, ``apart``, ``transport``).
    ``error`` is what went wrong, ``stderr`` the end of what it wrote there.
    """

    name: str
    title: str | None = None
    state: str
    reason: str
    message: str = ""
    tools: int = 0
    error: str | None = None
    error_code: str | None = None
    stderr: str | None = None
    exit_code: int | None = None
    transport: Literal["stdio", "http", "sse", "unknown"]
    scope: Literal["device", "workspace", "override"]
    file: str
    line: int = 0
    auth: Literal["none", "secret", "environment", "plain_text", "login"] = "none"
    selected: bool
    selectable: bool
    availability: Literal["active", "available", "unavailable"]
    delivery: Literal["native", "sayso", "bridge", "none"]
    delivery_code: str = ""
    delivery_reason: str = ""
    trust: Trusted | None = None
    environment: list[str] = Field(default_factory=list[str])
    changes: list[ChangeView] = Field(default_factory=list[ChangeView])
    protocol: str | None = None
    server_info: str | None = None
    elapsed_s: float | None = None
    retry_in_s: float | None = None
    can_log_in: bool = False
    warnings: list[str] = Field(default_factory=list[str])
    tokens: int = 0


class Collision(ActionOutput):
    """Tools that the agent's model would see under one name."""

    name: str
    tools: list[dict[str, str]]


class Totals(ActionOutput):
    """What the model is given at once: usable direct tools, and the tokens of their definitions (an estimate)."""

    tools: int
    tokens: int


class ToolPreview(ActionOutput):
    """What a session gets. ``loading`` while a server has neither connected nor failed: ask again, or wait."""

    tools: list[ToolRow]
    servers: list[ServerState]
    totals: Totals
    collisions: list[Collision] = Field(default_factory=list[Collision])
    loading: bool = False
    problems: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    """Files that cannot be read: file, line, message."""
    brought: list[FoundServer] = Field(default_factory=list[FoundServer])
    """Servers that the agent's own configuration names. It starts them by itself; Sayso does not see their tools."""


class LoginState(ActionOutput):
    """How a login stands: ``waiting`` for the person, with the page to open; ``done``; ``failed``, with the reason;
    ``logged_out``.
    """

    server: str
    state: Literal["waiting", "done", "failed", "logged_out"]
    url: str | None = None
    seconds_left: int | None = None
    message: str | None = None


class ServerCall(ActionOutput):
    """What a tool of a server returned: content blocks as they came (MCP, ``ContentBlock``)."""

    server: str
    tool: str
    content: list[dict[str, Any]]
    structured: Any = None
    is_error: bool = False


class DeliveredServer(ActionOutput):
    """A server that a session was promised, and what is known of its coming.

    ``promised`` are its tools at the start. ``evidence``: ``listed`` (the agent has listed our tools, its among them),
    ``called`` (a tool of it was called), ``handed_over`` (the agent was given it and does not say what became of it),
    ``not_yet`` (the agent has not listed our tools), ``failed`` (it did not connect).
    """

    name: str
    delivery: Literal["native", "sayso", "bridge", "none"]
    promised: int
    delivered: int | None = None
    evidence: Literal["listed", "called", "handed_over", "not_yet", "failed"]
    message: str = ""


class SessionTools(ActionOutput):
    """What the agent of a session was given. ``listed_at``: when it last listed our tools, which proves that it has
    them; ``client`` is what it calls itself.
    """

    delivery: Literal["native_mcp", "shell_bridge", "none"]
    listed_at: int | None = None
    client: str | None = None
    servers: list[DeliveredServer] = Field(default_factory=list[DeliveredServer])
