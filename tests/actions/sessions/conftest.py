"""Real services over a real database; agents are real processes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest

from actions.catalog.views import TranscriptEvent
from actions.errors import NotFound
from actions.sessions.detection import Detection
from actions.sessions.launcher import Launcher
from actions.sessions.ledger import ProcessLedger
from actions.sessions.providers import BUILTIN, ProviderService
from actions.sessions.registry import ProviderFile
from actions.sessions.service import SessionService
from actions.sessions.vault import EnvironmentVault
from actions.sessions.workspaces import WorkspaceService
from actions.storage.database import Database
from actions.storage.paths import Paths
from actions.storage.secrets import open_secret_store

T = TypeVar("T")
SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"


@dataclass
class SessionRoom:
    """The services of this room, put together as the host does it."""

    sessions: SessionService
    providers: ProviderService
    workspaces: WorkspaceService
    launcher: Launcher


@dataclass
class House:
    """The room with what surrounds it."""

    room: SessionRoom
    database: Database
    paths: Paths
    workspace: Path
    published: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def provider(self, quirks: str = "", *, name: str = "scripted", **row: str) -> str:
        """Write a provider of the user's own that runs the scripted agent; gives its id."""
        lines = [f"[providers.{name}]", f'name = "Scripted ({name})"']
        lines.append(f'command = ["{sys.executable}", "{SCRIPTED}"]')
        env = {"SCRIPTED": quirks, "SCRIPTED_PIDS": str(self.workspace / "pids"), "SCRIPTED_HEARD": str(self._heard)}
        lines.append("env = {" + ", ".join(f'{key} = "{value}"' for key, value in env.items()) + "}")
        lines += [f'{key} = "{value}"' for key, value in row.items()]
        file = self.paths.providers_file
        before = file.read_text() if file.exists() else ""
        file.write_text(before + "\n".join(lines) + "\n\n")
        return name

    async def start(self, quirks: str = "", **row: str) -> str:
        """A session of the scripted agent, ready for its first prompt; gives its id."""
        view = await self.room.sessions.spawn_new(provider=self.provider(quirks, **row), workspace=str(self.workspace))
        return view.id

    async def events(self, session_id: str, *kinds: str) -> list[TranscriptEvent]:
        return (await self.room.sessions.transcript(session_id, limit=10_000, kinds=kinds)).events

    @property
    def _heard(self) -> Path:
        return self.workspace.with_name("heard")

    async def heard(self, text: str) -> None:
        """Wait until a prompt has arrived at an agent: what comes before that is nothing to the agent."""
        async with asyncio.timeout(30):
            while not self._heard.exists() or text not in self._heard.read_text().splitlines():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def seen(self, session_id: str, *kinds: str) -> list[TranscriptEvent]:
        """Wait for the first event of a kind; gives those there are."""
        async with asyncio.timeout(30):
            while not (events := await self.events(session_id, *kinds)):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return events

    async def eventually(self, look: Callable[[], Awaitable[T]], seconds: float = 30) -> T:
        """The first true value of ``look``."""
        async with asyncio.timeout(seconds):
            while not (found := await look()):  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.02)
        return found

    async def said(self, session_id: str) -> None:
        """Wait for the agent's first word."""
        await self.eventually(lambda: self.events(session_id, "agent"))

    async def is_in(self, session_id: str, state: str) -> bool:
        return (await self.room.sessions.get(session_id)).state == state

    async def waiting(self, session_id: str) -> str:
        """Wait for a permission request; gives its id."""
        await self.room.sessions.wait(session_id, until="attention", timeout_s=30)
        return (await self.events(session_id, "permission"))[-1].item_id or ""


async def _secret(name: str) -> str:
    if name == "my-key":
        return "the value"
    raise NotFound(f"There is no secret {name!r}.")


def new_room(
    database: Database,
    paths: Paths,
    publish: Callable[[str, dict[str, Any]], None],
    *,
    start_timeout: float = 60,
    cancel_wait: float = 20,
    patience: float = 10,
    shown: Callable[[str], bool] = lambda session_id: False,
) -> SessionRoom:
    detection = Detection()
    ledger = ProcessLedger(database)
    launcher = Launcher(
        ledger,
        logs=paths.logs,
        search_path=detection.search_path,
        secret=_secret,
        session_env=lambda session_id: {"SAYSO_TOKEN": f"token-{session_id}", "SAYSO_ENDPOINT": "unix:/nowhere"},
        start_timeout=start_timeout,
    )
    providers = ProviderService(
        ProviderFile(paths.providers_file), detection, launcher, lambda: BUILTIN, patience=patience
    )
    workspaces = WorkspaceService(database, publish)
    sessions = SessionService(
        database,
        providers=providers,
        workspaces=workspaces,
        launcher=launcher,
        ledger=ledger,
        vault=EnvironmentVault(lambda: open_secret_store(paths)),
        logs=paths.logs,
        publish=publish,
        shown=shown,
        cancel_wait=cancel_wait,
        patience=patience,
    )
    return SessionRoom(sessions, providers, workspaces, launcher)


@pytest.fixture
async def house(sayso_home: Path, tmp_path: Path) -> AsyncIterator[House]:
    paths = Paths.from_environment()
    paths.ensure()
    workspace = tmp_path / "repo"
    workspace.mkdir()
    database = Database(paths.database_file, paths.backups)
    await database.open()
    published: list[tuple[str, dict[str, Any]]] = []
    room = new_room(database, paths, lambda kind, data: published.append((kind, data)))
    built = House(room, database, paths, workspace, published)
    yield built
    await built.room.sessions.close()
    await database.close()
    leftover = [task for task in asyncio.all_tasks() if task is not asyncio.current_task() and not task.done()]
    assert not leftover, leftover
