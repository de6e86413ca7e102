"""What the processes of a command have in common: a group that the command leads, and a mark in the environment."""

from __future__ import annotations

import os
import sys

MARK = "SAYSO_COMMAND"
"""The variable that every process of a command inherits."""


def has_group(leader: int) -> bool:
    """Whether anything is left in the group that ``leader`` began."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(leader, 0)
    except OSError:
        return False
    return True
