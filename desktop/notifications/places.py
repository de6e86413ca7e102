"""Which ways this desktop has to show a notification."""

from __future__ import annotations

import sys

from desktop.notifications.outlet import Outlet
from desktop.notifications.tray import TrayOutlet
from desktop.theme.theme import Theme


def outlets(theme: Theme, platform: str = sys.platform) -> list[Outlet]:
    """The best first. Each finds out at the first notification whether it can."""
    if not platform.startswith("linux"):
        return [TrayOutlet(theme)]
    from desktop.notifications.bus import BusOutlet

    return [BusOutlet(), TrayOutlet(theme)]
