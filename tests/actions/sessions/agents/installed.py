"""Which real agents are here: ``packaging/agents.sh`` puts each into its own folder under ``.agents``."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actions.sessions.provider import Provider
from actions.sessions.registry import shipped

ROOT = Path(__file__).parents[4]
AGENTS = ROOT / ".agents"
ROWS: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests/fixtures/acp/agents.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Agent:
    """One agent: its shipped row, and what the tests set so that it talks to the scripted model."""

    id: str
    version: str
    asks: dict[str, str] = field(default_factory=dict[str, str])
    env: dict[str, str] = field(default_factory=dict[str, str])
    files: dict[str, str] = field(default_factory=dict[str, str])
    reject: str = ""
    defers_tools: bool = False
    needs_account: bool = False

    @property
    def row(self) -> Provider:
        return shipped()[self.id]

    @property
    def folders(self) -> list[str]:
        """What is put before the PATH: its own commands, then the Node that it needs."""
        own = [AGENTS / self.id / "node_modules" / ".bin", AGENTS / self.id / "bin"]
        return [str(folder) for folder in (*own, AGENTS / "nodejs" / "bin") if folder.is_dir()]

    def missing(self) -> str:
        """Why it cannot be tested here; empty when it can."""
        note = AGENTS / self.id / "why-not"
        if note.is_file():
            return note.read_text(encoding="utf-8").strip()
        for command in (self.row.command[0], *self.row.needs):
            if not any((Path(folder) / command).exists() for folder in (*self.folders, "/")):
                return f"{command!r} is not installed under .agents/{self.id}; run `make agents`"
        if "sandbox_home" in self.row.quirks and sys.platform == "linux" and shutil.which("bwrap") is None:
            return "its sandbox needs bubblewrap (Debian: apt-get install bubblewrap)"
        return ""

    def installed_version(self) -> str:
        """What is really there, from the packages' own files."""
        lock = AGENTS / self.id / "package.json"
        if not lock.is_file():
            return self.version
        modules = AGENTS / self.id / "node_modules"
        packages: dict[str, str] = json.loads(lock.read_text(encoding="utf-8"))["dependencies"]
        files = [modules / package / "package.json" for package in packages]
        return " + ".join(str(json.loads(file.read_text(encoding="utf-8"))["version"]) for file in files)


def agent(agent_id: str) -> Agent:
    return Agent(agent_id, **ROWS[agent_id])


def path_for(found: Agent) -> str:
    return os.pathsep.join([*found.folders, os.environ.get("PATH", os.defpath)])
