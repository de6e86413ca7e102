"""A host-like process for the test of SIGKILL: starts a session, opens a permission request, says so, waits."""

from __future__ import annotations

import asyncio
import json
import sys

from actions.storage.database import Database
from actions.storage.paths import Paths
from tests.actions.sessions.conftest import new_room


async def main(provider: str, workspace: str) -> None:
    paths = Paths.from_environment()
    paths.ensure()
    database = Database(paths.database_file, paths.backups)
    await database.open()
    room = new_room(database, paths, lambda *_: None)
    view = await room.sessions.spawn_new(provider=provider, workspace=workspace)
    await room.sessions.send(view.id, "permission")
    await room.sessions.wait(view.id, until="attention", timeout_s=30)
    await asyncio.sleep(0.3)
    print(json.dumps({"session_id": view.id}), flush=True)
    await asyncio.sleep(60)


asyncio.run(main(*sys.argv[1:]))
