"""A provider: an agent that can be chosen. Data only; what an agent can do is asked of the agent itself."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Delivery = Literal["native_mcp", "shell_bridge", "none"]
Asks = Literal["client", "own_config", "never", "unknown"]


class SecretName(BaseModel):
    """``{ secret = "name" }``: a value that is kept in the secret store."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    secret: str = Field(min_length=1)


class SignIn(BaseModel):
    """A call of ``authenticate`` before ``session/new``, made where ``when_env`` is set for the agent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    method: str
    when_env: str


class Provider(BaseModel):
    """One row of ``providers.toml``. User rows have the same fields as shipped ones."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    name: str = Field(min_length=1)
    """For people."""
    command: tuple[str, ...] = Field(min_length=1)
    """What is started, looked up on the login shell's PATH."""
    env: dict[str, str | SecretName] = {}
    """Variables that are set for it."""
    pass_env: tuple[str, ...] = ()
    """Further variables, or patterns such as ``OPENAI_*``, that it inherits."""
    delivery: Delivery | None = None
    """How it gets our tools; None = native where ``initialize`` offers MCP, else the shell bridge."""
    ask_mode: str | None = None
    """The mode in which it asks; set right after a session starts. None = as the agent starts."""
    plan_mode: str | None = None
    """The mode in which it only reads, for plan runs."""
    options: dict[str, str | bool] = {}
    """Config options that are set together with the ask mode."""
    asks: Asks = "client"
    """Whom it asks: us, only where its own configuration says so, or nobody."""
    sign_in: SignIn | None = None
    version_command: tuple[str, ...] = ()
    auth_hint: str | None = None
    install_hint: str = ""
    aliases: tuple[str, ...] = ()
    """How it is called in speech."""
    shipped: bool = False
