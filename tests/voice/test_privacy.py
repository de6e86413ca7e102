"""What is said here stays here: the speech libraries neither call home nor leave traces."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CODE = """
import socket, sys
calls = []
connect = socket.socket.connect
socket.socket.connect = lambda self, to: (calls.append(to), connect(self, to))
import numpy as np
from voice.audio.vad import VoiceActivity
from voice.audio.format import WINDOW
vad = VoiceActivity()
print(round(vad(np.zeros(WINDOW, np.float32)), 3) < 0.5, calls)
"""


def test_the_voice_activity_model_leaves_no_usage_events(tmp_path: Path) -> None:
    env = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"} | {
        "TMPDIR": str(tmp_path),
        "HOME": str(tmp_path / "person"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    (tmp_path / "person").mkdir()
    ran = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "[]"]
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == []
