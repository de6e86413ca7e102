"""Actions that are declared, with their real inputs, before what they do is built."""

from __future__ import annotations

from typing import NoReturn

from actions.errors import NotImplementedYet


def later(what: str) -> NoReturn:
    """Raise ``not_implemented``, naming what is still missing."""
    raise NotImplementedYet(f"{what} is not in this version yet.")
