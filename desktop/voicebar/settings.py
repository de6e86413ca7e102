"""What the settings say of listening and speaking, read anew for each utterance: a change holds at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mode = Literal["hold", "toggle"]
Speak = Literal["off", "short", "all"]


@dataclass(frozen=True)
class VoiceSettings:
    """``microphone`` is a device's id, "" the system's; ``language`` of what is spoken, ``en`` or ``zh``."""

    microphone: str = ""
    mode: Mode = "hold"
    language: str = "en"
    speak: Speak = "short"
    keep_texts: bool = False
    keep_audio: bool = False
