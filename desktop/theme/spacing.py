"""The 8-pixel grid. Device-independent pixels."""

from __future__ import annotations

from typing import Final

HALF: Final = 4
UNIT: Final = 8
GAP: Final = 12
WIDE: Final = 16
EDGE: Final = 24

RADIUS: Final = 8
SMALL_RADIUS: Final = 6

SIDEBAR_WIDTH: Final = 272
COLUMN_WIDTH: Final = 760  # text wider than this is tiring to read
SCROLL_BAR: Final = 10
CONTROL_HEIGHT: Final = 32
ICON: Final = 16
