"""A process that owns a pool and gets no chance to close it: killed_owner.py SERVER_SCRIPT MODE. Prints the pid."""

import asyncio
import os
import sys

from actions.servers.pool.definition import ServerDefinition, Stdio
from actions.servers.pool.pool import Pool
from actions.servers.pool.surroundings import Surroundings


async def main() -> None:
    pool = Pool(Surroundings(dict(os.environ)))
    pool.start([ServerDefinition("x", Stdio(sys.executable, tuple(sys.argv[1:])))])
    snapshot = await pool.wait_ready(50.0)
    assert snapshot is not None
    print(snapshot.servers[0].pid, flush=True)
    await asyncio.sleep(60.0)


asyncio.run(main())
