"""A provider: an agent that can be chosen. Data only; what an agent can do is asked of the agent itself."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from actions.sessions.quirks import KNOWN

Delivery = Literal["native_mcp", "shell_bridge", "none"]
Asks = Literal["client", "escalated", "own_config", "never", "unknown"]
Transport = Literal["http", "stdio", "sse"]
AskVia = Literal["config_option", "set_mode"]


class SecretName(BaseModel):
    """``{ secret = "name" }``: a value that is kept in the secret store."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    secret: str = Field(min_length=1)


class SignIn(BaseModel):
    """A call of ``authenticate`` before ``session/new``, made where ``when_env`` is set for the agent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    method: str
    when_env: str


class Tried(BaseModel):
    """The lowest and the highest version that this row was seen to work with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    lowest: str
    highest: str


class BadVersions(Tried):
    """Versions in which something does not work."""

    why: str


class Provider(BaseModel):
    """One row of ``providers.toml``. User rows have the same fields as shipped ones."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    name: str = Field(min_length=1)
    """For people."""
    command: tuple[str, ...] = Field(min_length=1)
    """What is started, looked up on the login shell's PATH."""
    older_command: tuple[str, ...] = ()
    """What starts older versions of it, tried where one ends at once because it does not know an argument."""
    needs: tuple[str, ...] = ()
    """Further commands that have to be on that PATH."""
    env: dict[str, str | SecretName] = {}
    """Variables that are set for it; ``{private}`` is the session's private folder, ``{workspace}`` its workspace."""
    pass_env: tuple[str, ...] = ()
    """Further variables, or patterns such as ``OPENAI_*``, that it inherits."""
    trusted_env: dict[str, str] = {}
    """Variables set only in a workspace that the user trusts, for an agent that has a trust of its own."""
    unset_env: tuple[str, ...] = ()
    """Variables or patterns that it never gets, whatever else passes them."""
    files: dict[str, str] = {}
    """Configuration written for each session: path in its private folder -> text, with the placeholders of ``env``."""
    delivery: Delivery | None = None
    """How it gets our tools; None = native where ``initialize`` offers MCP, else the shell bridge."""
    mcp: tuple[Transport, ...] = ("http", "stdio", "sse")
    """How it takes MCP servers, best first; what it does not advertise is left out."""
    own_servers: str | None = None
    """Whose configuration it reads MCP servers from by itself, by the name of the program that an import knows."""
    mcp_tool_name: str | None = None
    """How its model sees a tool, from ``{server}`` and ``{tool}``."""
    ask_mode: str | None = None
    """The mode in which it asks; set right after a session starts. None = as the agent starts."""
    ask_via: AskVia | None = None
    """How the ask mode was seen to be set; the agent's own offer decides."""
    plan_mode: str | None = None
    """The mode in which it only reads, for plan runs."""
    options: dict[str, str | bool] = {}
    """Config options that are set together with the ask mode."""
    asks: Asks = "client"
    """Whom it asks: us; us, but only to leave its sandbox; only where its own configuration says so; or nobody."""
    sign_in: SignIn | None = None
    version_command: tuple[str, ...] = ()
    tried: Tried | None = None
    known_bad: tuple[BadVersions, ...] = ()
    version_min: str | None = None
    """The oldest version that is started at all, by what ``version_command`` says."""
    node_min: str | None = None
    """The oldest Node that runs it; None for an agent that needs none."""
    python_min: str | None = None
    """The oldest Python that runs it; None for an agent that needs none."""
    start_limit_s: float | None = Field(default=None, gt=0, le=600)
    """How many seconds each step of its start may take; None = as the others."""
    auth_hint: str | None = None
    install_hint: str = ""
    aliases: tuple[str, ...] = ()
    """How it is called in speech."""
    quirks: tuple[str, ...] = ()
    """Names of :data:`actions.sessions.quirks.KNOWN`: what it does otherwise than the others, with code behind each."""
    client_tools: bool = False
    """It calls tools that run at our end: Sayso's own extension of ACP."""
    shipped: bool = False

    @field_validator("quirks")
    @classmethod
    def _known(cls, quirks: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := sorted(set(quirks) - KNOWN.keys()):
            raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(sorted(KNOWN))}")
        return quirks

    @field_validator("files")
    @classmethod
    def _inside(cls, files: dict[str, str]) -> dict[str, str]:
        for path in files:
            if path.startswith(("/", "~", "\\")) or ".." in path.replace("\\", "/").split("/") or ":" in path:
                raise ValueError(f"{path!r} leaves the private folder; give a path inside it")
        return files

    @property
    def bridge_works(self) -> bool:
        """Whether its shell can reach us."""
        return not any(KNOWN[name].no_bridge for name in self.quirks)

    @model_validator(mode="after")
    def _reachable(self) -> Provider:
        if self.delivery == "shell_bridge":
            for why in (KNOWN[name].no_bridge for name in self.quirks):
                if why is not None:
                    raise ValueError(f"delivery cannot be shell_bridge: {why}; use native_mcp or none")
        return self
