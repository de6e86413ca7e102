"""The command ``sayso`` for agents: a folder that holds nothing else, first on their PATH.

So the shell of an agent finds the Sayso that hosts it, whatever else of that name is installed, and nothing of ours
takes the place of the user's own programs.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from actions.storage.files import write_atomic


def put_own_command(folder: Path, *, windows: bool = os.name == "nt", python: str = sys.executable) -> None:
    """Write the command into ``folder``, where it is not there as it should be. Raises SaysoError, OSError."""
    module = "-E -P -m actions.cli.main"
    if windows:
        file, text = folder / "sayso.cmd", f'@"{python}" {module} %*\r\n'
    else:
        file, text = folder / "sayso", f'#!/bin/sh\nexec {shlex.quote(python)} {module} "$@"\n'
    content = text.encode()
    if file.is_file() and file.read_bytes() == content and os.access(file, os.X_OK):
        return
    write_atomic(file, content, mode=0o700)
