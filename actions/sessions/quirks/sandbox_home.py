"""A sandbox that hides the very folder its helper lies in."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path


def sandbox_cannot_work(environment: Mapping[str, str]) -> str | None:
    """What keeps the agent's sandbox from running a command in ``environment``; None when nothing does.

    WORKAROUND(codex-acp 2.6 on Linux, seen by us): its helper lies under HOME, and its sandbox hides the system's
    temporary folder; with HOME in there every sandboxed command fails. It also needs bubblewrap.
    """
    if not sys.platform.startswith("linux"):
        return None
    home = Path(environment.get("HOME") or Path.home())
    if home.is_relative_to(environment.get("TMPDIR") or tempfile.gettempdir()):
        return f"Its sandbox cannot run commands while HOME ({home}) lies in the system's temporary folder."
    if shutil.which("bwrap", path=environment.get("PATH")) is None:
        return "Its sandbox needs bubblewrap, which is not installed (Debian: apt-get install bubblewrap)."
    return None
