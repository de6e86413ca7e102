"""What the voice bar shows. Plain data: whoever listens makes it, the bar draws it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from desktop.voicebar.trial import Trial


class VoiceState(StrEnum):
    """Where the voice path stands."""

    OFF = "off"
    NO_MICROPHONE = "no_microphone"
    NO_MODEL = "no_model"
    LOADING = "loading"
    READY = "ready"
    LISTENING = "listening"
    HEARING = "hearing"
    RECOGNISING = "recognising"
    CARD = "card"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class CardField:
    """One field of the form card: its title, its value as a person reads it, and whether it is still missing."""

    title: str
    value: str
    missing: bool = False


@dataclass(frozen=True)
class VoiceCard:
    """What was understood. ``confidence`` is 0 to 1; ``confirmable`` is False while a value is missing; ``readback`` is
    the sentence that a yes confirms, ``approval_id`` the request in the inbox that it decides, where there is one."""

    heard: str
    action: str
    title: str
    fields: tuple[CardField, ...] = ()
    confidence: float = 0.0
    readback: str = ""
    question: str = ""
    confirmable: bool = True
    danger: bool = False
    input: Mapping[str, Any] = field(default_factory=dict[str, Any])
    approval_id: str | None = None


@dataclass(frozen=True)
class VoiceView:
    """Everything that is drawn. ``level`` is the loudness 0 to 1; ``message`` says more about a state: while somebody
    speaks, what was recognised so far. ``hands_free``: it listens without a key.
    """

    state: VoiceState = VoiceState.OFF
    level: float = 0.0
    message: str = ""
    card: VoiceCard | None = None
    hands_free: bool = False


class VoiceService(Protocol):
    """The voice path as the window needs it. All calls return at once; what follows comes to the subscribers."""

    def subscribe(self, listener: Callable[[VoiceView], None]) -> AbstractContextManager[None]: ...

    def start_listening(self) -> None: ...

    def dictate(self, take: Callable[[str], None]) -> None:
        """Listen once for text; called again, take what was said until now."""
        ...

    def tapped(self) -> None:
        """The key that began it was only tapped."""
        ...

    def switch_hands_free(self) -> None: ...

    def stop_listening(self, *, discard: bool = False) -> None: ...

    def trial(self, on_level: Callable[[float, bool], None]) -> Trial:
        """A round trip for trying things out, which executes nothing."""
        ...

    def confirm(self) -> None: ...

    def cancel(self) -> None: ...

    def request_settled(self, approval_id: str) -> None:
        """A request of the inbox was decided, wherever: a card that asks about it goes."""
        ...
