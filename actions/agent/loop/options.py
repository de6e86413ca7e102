"""What a session is opened with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from actions.agent.loop.screen import Person, Screen
from actions.agent.session.store import SessionFile
from actions.agent.tools.needs import Workspace
from actions.agent.toolset.tool import Tool
from actions.storage.paths import Paths

if TYPE_CHECKING:
    from pathlib import Path

    from actions.agent.loop.speaker import Speaker
    from actions.agent.tools.needs import WebAccess
    from actions.servers.pool.definition import ServerDefinition


STEP_LIMIT = 500
"""Requests to the model in one turn."""


@dataclass(frozen=True)
class Flags:
    """What counts for this run only: ``sayso agent --yolo --afk``."""

    yolo: bool = False
    afk: bool = False


@dataclass(frozen=True)
class AgentOptions:
    """``file`` is the session's record, new or kept: what it holds is taken up. ``model`` None: the scout.

    ``agent_file`` None takes the user's ``agent.yaml`` beside the settings, else the built-in agent. ``web`` None takes
    the settings.
    """

    workspace: Workspace
    file: SessionFile
    screen: Screen
    person: Person
    paths: Paths
    model: Speaker | None = None
    flags: Flags = Flags()
    servers: tuple[ServerDefinition, ...] = ()
    client_tools: tuple[Tool, ...] = ()
    agent_file: Path | None = None
    web: WebAccess | None = None
    step_limit: int = STEP_LIMIT
