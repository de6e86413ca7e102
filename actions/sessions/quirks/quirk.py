"""The places where a quirk can step in, and the quirks of one running agent put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from actions.sessions.incoming import Incoming

Listener = Callable[[Incoming], None]
"""Sees what an agent says before anyone else does, in its order, and corrects it in place."""


@dataclass(frozen=True, slots=True)
class Quirk:
    """What is done about one peculiarity; each field is one place, None where it has nothing to do there."""

    listener: Callable[[], Listener] | None = None
    """Makes the listener of one agent."""
    refusal: Callable[[Sequence[str]], str | None] | None = None
    """Why this command line must not be started, for a person; None when it may."""
    warning: Callable[[Mapping[str, str]], str | None] | None = None
    """What will not work in this environment, for a person; None when all will."""
    eof_wait: float | None = None
    """Seconds that it is given to end by itself once its input is closed."""
    no_bridge: str | None = None
    """Why our tools cannot be reached from its shell, for a person; None when they can."""


class Quirks:
    """The quirks of one running agent."""

    def __init__(self, quirks: Sequence[Quirk]) -> None:
        self._quirks = quirks
        self._listeners = [quirk.listener() for quirk in quirks if quirk.listener is not None]

    def before(self, incoming: Listener) -> Listener:
        """``incoming``, with what the quirks correct corrected."""
        if not self._listeners:
            return incoming

        def corrected(entry: Incoming) -> None:
            for listener in self._listeners:
                listener(entry)
            incoming(entry)

        return corrected

    def refusal(self, argv: Sequence[str]) -> str | None:
        """The first reason not to start ``argv``."""
        return next((why for q in self._quirks if q.refusal is not None and (why := q.refusal(argv))), None)

    def warnings(self, environment: Mapping[str, str]) -> list[str]:
        """Everything that will not work in ``environment``."""
        return [why for q in self._quirks if q.warning is not None and (why := q.warning(environment))]

    def eof_wait(self, otherwise: float) -> float:
        """Seconds to wait after the end of its input."""
        return min([otherwise, *(quirk.eof_wait for quirk in self._quirks if quirk.eof_wait is not None)])
