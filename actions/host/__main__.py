"""``python -m actions.host``: a host for the home of the environment.

It prints one line of JSON when it is ready, then serves until SIGINT or SIGTERM. With ``--detached`` it ends when
nobody has needed it for a while.
"""

from __future__ import annotations

import os
import signal

if __name__ == "__main__":  # Ctrl+C while the rest loads; from then on it is the loop's
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))

import asyncio
import json
import logging
import sys

from actions.errors import SaysoError
from actions.storage.paths import Paths


def main(argv: list[str] | None = None) -> int:
    """Run a host. Exit codes: 0 done, 1 it could not start (one JSON document on stdout says why)."""
    arguments = sys.argv[1:] if argv is None else argv
    # A detached host writes into its log file, where one wants to read later why it ended.
    usual = "info" if "--detached" in arguments else "warning"
    logging.basicConfig(
        level=os.environ.get("SAYSO_LOG", usual).upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns of each line for a client that has just gone
    try:
        asyncio.run(_serve(linger="--detached" in arguments))
    except SaysoError as error:
        _print({"ok": False, "error": error.as_json()})
        return 1
    return 0


async def _serve(*, linger: bool) -> None:
    from actions.host.service import Host

    host = Host(Paths.from_environment(), linger=linger)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, host.life.stop, f"it got {number.name}")
    await host.start()
    try:
        _print({"ok": True, "kind": "host", "data": {"endpoint": f"unix:{host.paths.socket_file}", "pid": os.getpid()}})
        await host.life.ended()
    finally:
        await host.close()


def _print(document: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # everything is closed; taking the modules apart one by one would only take time
