"""What the voice path needs of its window and machine."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from desktop.voicebar.settings import VoiceSettings

if TYPE_CHECKING:
    from desktop.voicebar.keeping import Keeper
    from voice.capture import SoundSource
    from voice.dialogue.host import AsyncCall
    from voice.recognition.worker import AsyncRecognizer


class OpenMicrophone(Protocol):
    """Opens what is listened to, by a device's id or "" for the system's; raises MicrophoneError with what to do."""

    def __call__(self, device: str, /) -> AbstractAsyncContextManager[SoundSource]: ...


class Speaking(Protocol):
    """Reads aloud; what the microphone hears while ``speaking`` is us."""

    @property
    def speaking(self) -> bool: ...

    async def say(self, text: str, language: str) -> None: ...

    def quiet(self) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Surroundings:
    """What the path needs of its window and machine.

    ``call`` reaches the host, ``recognizer`` is made on first use, ``session`` names the session in front, ``language``
    is the window's. ``settings`` are read anew for each utterance; ``speaker`` and ``keeper`` are None where nothing is
    said aloud or kept.
    """

    call: AsyncCall
    recognizer: Callable[[], AsyncRecognizer]
    microphone: OpenMicrophone
    session: Callable[[], str | None]
    workspace: Callable[[], str | None]
    language: str = "en"
    settings: Callable[[], VoiceSettings] = VoiceSettings
    speaker: Speaking | None = None
    keeper: Keeper | None = None
