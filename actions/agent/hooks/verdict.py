"""What the hooks before a call say together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerdictKind = Literal["allow", "block", "ask"]


@dataclass(frozen=True, slots=True)
class HookVerdict:
    """``reason`` goes to the model for ``block`` and to the person who is asked for ``ask``.

    ``allow`` means only that no hook objects: it replaces no approval.
    """

    kind: VerdictKind
    reason: str = ""


ALLOW = HookVerdict("allow")
