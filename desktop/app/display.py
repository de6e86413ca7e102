"""Is there a display to open a window on? Asked before Qt is, because Qt ends the process when there is none."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

_NEED_NO_DISPLAY = frozenset({"offscreen", "minimal", "vnc"})
_PROBE = "import sys\nfrom PySide6.QtGui import QGuiApplication\nQGuiApplication(sys.argv[:1])\n"
_SECONDS = 20


def missing_display(environment: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """What is wrong with the display, and how to go on without one; None when a window can be opened.

    A child process asks Qt itself: a missing library, a display that is gone or refuses us ends that child only.
    """
    asked = environment.get("QT_QPA_PLATFORM", "").split(":")[0]
    if asked in _NEED_NO_DISPLAY:
        return None
    if platform.startswith("linux") and not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return f"There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. {_REMEDY}"
    try:
        child = subprocess.run(
            [sys.executable, "-P", "-c", _PROBE],
            env={**environment, "QT_LOGGING_RULES": "*.debug=false"},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"The display does not answer within {_SECONDS} seconds. {_REMEDY}"
    if child.returncode == 0:
        return None
    return f"Qt cannot open the display. {_reason(child.stderr)}{_REMEDY}"


_REMEDY = (
    "Start Sayso on a desktop, or without a screen: `xvfb-run sayso desktop` (apt install xvfb), or with the "
    "environment variable QT_QPA_PLATFORM=offscreen. Everything else works from the command line: `sayso --help`."
)


def _reason(stderr: str) -> str:
    for line in stderr.splitlines():
        if "could not connect to display" in line or "cannot open shared object file" in line:
            return f"{line.split(': ', 1)[-1].strip().rstrip('.')}. "
        if "xcb-cursor0" in line or "libxcb-cursor0" in line:
            return "The library libxcb-cursor0 is missing (apt install libxcb-cursor0). "
    return ""
