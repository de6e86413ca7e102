"""`sayso host`: the host in the foreground, its state, its end."""

from __future__ import annotations

import os
import sys

from actions.cli.answer import Answer
from actions.cli.invocation import Invocation
from actions.errors import HostUnavailable


def serve(call: Invocation) -> Answer:
    """Become the host: it prints its address when it is ready, and serves until a signal."""
    sys.stdout.flush()
    # A process of its own kind: the command's modules are not the host's, and a signal meets the host itself.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "actions.host"])


def status(call: Invocation) -> Answer:
    """What the running host is doing. It does not start one."""
    return Answer("host", call.checked("host.status", host=call.host(start=False)))


def stop(call: Invocation) -> Answer:
    """End the running host, and with it its agents. No host is no failure."""
    try:
        return Answer("host", call.checked("host.stop", host=call.host(start=False)), text="The host is stopping.")
    except HostUnavailable:
        return Answer("host", {"stopping": False}, text="No host was running.")
