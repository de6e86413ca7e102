"""Steps that several stories share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from actions.client.connection import HostConnection
from actions.errors import SaysoError
from actions.storage.paths import Paths
from tests.actions.cli.home import COMMAND, Home
from tests.e2e.terminal import Terminal
from tests.running_host import eventually

SCRIPTED = Path(__file__).parents[1] / "fixtures" / "agents" / "scripted.py"
VOICE = Path(__file__).parents[1] / "fixtures" / "voice"
NO_TRACE = "Traceback (most recent call last)"


def add_provider(home: Home, name: str = "scripted", quirks: str = "", command: list[str] | None = None) -> str:
    """A provider of the user's own in ``providers.toml``; its id."""
    argv = command or [sys.executable, str(SCRIPTED)]
    words = ", ".join(f'"{word}"' for word in argv)
    env = f'SCRIPTED = "{quirks}", SCRIPTED_PIDS = "{home.workspace / "pids"}"'
    row = f'[providers.{name}]\nname = "The {name} agent"\ncommand = [{words}]\nenv = {{ {env} }}\n\n'
    file = home.folder / "config" / "providers.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as opened:
        opened.write(row)
    return name


def settings(home: Home, text: str) -> None:
    """Write ``settings.toml``."""
    file = home.folder / "config" / "settings.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def new_session(home: Home, provider: str = "builtin", *words: str) -> str:
    """Start a session by the command; its id."""
    ran = home.json("session", "new", "--provider", provider, *words)
    assert ran.exit == 0, (ran.out, ran.err)
    return ran.data["id"]


def at_terminal(home: Home, *words: str, **env: str) -> Terminal:
    """`sayso` as a present user runs it."""
    return Terminal(COMMAND, *words, env=home.environment(TERM="xterm", **env), cwd=home.workspace)


def asked(home: Home, method: str, **params: Any) -> dict[str, Any]:
    """The host's answer to a call of this process; cheaper than a command where something is looked at again and again.

    Its ``data``; empty when no host runs.
    """
    try:
        host = HostConnection(str(Paths.under(home.folder).socket_file))
        return host.call(method, {"surface": "cli", **params}, repeatable=True).get("data") or {}
    except SaysoError:
        return {}


def looked_at(home: Home, action: str, **input: Any) -> dict[str, Any]:
    """The output of an action that only reads."""
    return asked(home, "execute", action=action, input=input)


def clients(home: Home) -> int:
    """How many windows, and other listeners, the host has."""
    return asked(home, "host.status").get("clients", 0)


def until_state(home: Home, session: str, state: str, seconds: float = 40) -> None:
    eventually(lambda: looked_at(home, "session.status.get", session_id=session).get("state") == state, seconds)


def waiting(home: Home) -> list[dict[str, Any]]:
    """The rows of the inbox."""
    return looked_at(home, "inbox.list").get("rows", [])
