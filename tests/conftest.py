"""What every test gets: a home of its own and no screen."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports Qt. A test that wants a real display starts one for its own child process.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
# A runner that was started in the background hands down an ignored SIGINT; every child of a test would ignore it too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The weights are in packages; nothing may look for them on the network.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
# How fast an example is says more of the machine than of us.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def sayso_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty SAYSO_HOME; no test sees or changes the real one, nor the agent session it may run in."""
    home = tmp_path / "home"
    monkeypatch.setenv("SAYSO_HOME", str(home))
    for name in [name for name in os.environ if name.startswith("SAYSO_") and name != "SAYSO_HOME"]:
        monkeypatch.delenv(name)
    # The test runner tells its workers how wide its own terminal is; a command would cut its tables to that.
    monkeypatch.delenv("COLUMNS", raising=False)
    return home
