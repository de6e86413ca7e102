"""What a host does not load before someone needs it."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("acp", "fastmcp", "mcp", "alembic", "tomlkit", "keyring", "PySide6", "faster_whisper", "numpy", "sounddevice")


def test_a_host_is_built_without_what_only_some_calls_need():
    code = "import sys, actions.host.service; print(*(name for name in sys.argv[1:] if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code, *HEAVY], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
