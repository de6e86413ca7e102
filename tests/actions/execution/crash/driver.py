"""Runs a scenario again and again, each time killed one point later, until it ends by itself.

One process imports everything and forks for each run, so that hundreds of real crashes take seconds. For each crash one
line of JSON: what was stored at that moment, what had happened, and what a new host made of it.

    python -m tests.actions.execution.crash.driver FOLDER approve|ask|keyed|resume [lines [EVERY]]
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from actions.catalog.spec import Surface
from actions.errors import SaysoError
from actions.execution import approval as store
from actions.execution.approval import Status
from actions.execution.request import Outcome, Pending, Request
from tests.actions.execution.crash.steps import Steps
from tests.actions.execution.house import EDITOR, PERSON, TERMINAL, House, open_house

CODE = ("actions/execution/", "actions/storage/database.py", "tests/actions/execution/house.py")


def gated(house: House) -> Request:
    return house.request("note.send", Surface.MCP, EDITOR, text="x", idempotency_key="ask")


def direct(house: House) -> Request:
    return house.request("note.write", Surface.CLI, TERMINAL, text="x", idempotency_key="call")


async def _asked(folder: Path) -> str:
    async with open_house(folder) as house:
        outcome = await house.door.execute(gated(house))
        assert isinstance(outcome, Pending)
        return outcome.approval_id


async def prepare(folder: Path, scenario: str) -> None:
    """What is there before the part that crashes."""
    if scenario in ("approve", "resume"):
        approval_id = await _asked(folder)
        if scenario == "resume":
            async with open_house(folder) as house:
                decision = {"by": "user"}
                await house.database.write(
                    lambda c: store.move(c, approval_id, since=[Status.OPEN], to=Status.APPROVED, decision=decision)
                )
    else:
        async with open_house(folder):
            pass


async def crash(folder: Path, scenario: str, steps: Steps) -> None:
    """The part that is killed somewhere."""
    steps.watch_tasks(asyncio.get_running_loop())
    if scenario == "resume":
        steps.begin()
        await asyncio.create_task(_resume(folder))
        return
    async with open_house(folder) as house:
        steps.begin()
        match scenario:
            case "approve":
                await asyncio.create_task(house.approvals.approve(_only_id(folder), PERSON))
            case "ask":
                await asyncio.create_task(house.door.execute(gated(house)))
            case _:
                await asyncio.create_task(house.door.execute(direct(house)))


async def _resume(folder: Path) -> None:
    async with open_house(folder) as house:
        await house.approvals.wait(_only_id(folder))


async def recover(folder: Path, scenario: str) -> dict[str, Any]:
    """What a new host makes of it, then what asking or approving once more gives."""
    async with open_house(folder) as house:
        for row in stored(folder):
            if row["status"] in ("approved", "executing"):  # resumed: it may have begun by now
                await house.approvals.wait(row["id"])
        settled = {"rows": stored(folder), "effects": len(house.effects)}
        again: Outcome | str
        try:
            if scenario == "keyed":
                again = await house.door.execute(direct(house))
            else:
                again = await house.door.execute(gated(house))
                approval_id = again.approval_id if isinstance(again, Pending) else _only_id(folder)
                again = await house.approvals.approve(approval_id, PERSON)
        except SaysoError as error:
            again = str(error)
        told = again if isinstance(again, str) else again.as_json()
        return {"settled": settled, "again": told, "rows": stored(folder), "effects": len(house.effects)}


def stored(folder: Path) -> list[dict[str, Any]]:
    connection = sqlite3.connect(folder / "sayso.db")
    try:
        rows = connection.execute("SELECT id, status FROM approvals ORDER BY id").fetchall()
        return [
            {
                "id": id,
                "status": status,
                "audited": connection.execute(
                    "SELECT count(*) FROM audit WHERE approval_id = ? AND outcome != 'pending'", (id,)
                ).fetchone()[0],
            }
            for id, status in rows
        ]
    finally:
        connection.close()


def _only_id(folder: Path) -> str:
    (row,) = stored(folder)
    return row["id"]


def effects(folder: Path) -> int:
    file = folder / "effects.txt"
    return len(file.read_text().splitlines()) if file.exists() else 0


def forked(work: Callable[[], Awaitable[Any]]) -> int:
    """Run ``work`` in a child process of its own; its wait status."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            asyncio.run(_settle(work))
            code = 0
        finally:
            sys.stdout.flush()
            os._exit(code)
    return os.waitpid(pid, 0)[1]


async def _settle(work: Callable[[], Awaitable[Any]]) -> None:
    await work()


async def _warm_up(folder: Path, scenario: str) -> None:
    """Once through everything, so that the forks find imports made and statements compiled."""
    await prepare(folder, scenario)
    await crash(folder, scenario, Steps(0))
    await recover(folder, scenario)


def run(base: Path, scenario: str, *, lines: bool = False, every: int = 1) -> None:
    """Crash at each point (or each ``every``-th) until a run ends by itself."""
    warm = base / "warm"
    warm.mkdir(parents=True)
    asyncio.run(_warm_up(warm, scenario))
    folder, template = base / "run", base / "template"
    folder.mkdir()
    asyncio.run(prepare(folder, scenario))
    folder.rename(template)
    kill_at = 0
    while True:
        kill_at += every
        shutil.copytree(template, folder)  # at the place where it was made: requests remember their directory
        steps = Steps(kill_at, CODE if lines else ())

        async def crashing(steps: Steps = steps) -> None:
            steps.watch_database()
            await crash(folder, scenario, steps)

        status = forked(crashing)
        killed = os.WIFSIGNALED(status)
        assert killed or status == 0, f"the run failed by itself at {kill_at}: {status}"
        found = {"at": kill_at, "killed": killed, "rows": stored(folder), "effects": effects(folder)}

        async def recovering(found: dict[str, Any] = found) -> None:
            print(json.dumps({**found, "after": await recover(folder, scenario)}))

        assert forked(recovering) == 0, f"the new host failed at {kill_at}"
        shutil.rmtree(folder)
        if not killed:
            return


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2], lines="lines" in sys.argv[3:], every=int((sys.argv[4:] or ["1"])[0]))
