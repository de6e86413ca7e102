"""What the settings say of listening and speaking, read anew for each utterance: a change holds at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from actions.storage import declarations as keys
from actions.storage.paths import Paths
from actions.storage.settings import SettingsFile

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


def read_voice_settings(paths: Paths, language: str) -> VoiceSettings:
    """``language`` is that of the window, for who has not said which one they speak. Raises nothing: a file that
    cannot be read leaves what is usual.
    """
    found = SettingsFile(paths.settings_file).load()
    spoken = found.get(keys.VOICE_LANGUAGE)
    return VoiceSettings(
        found.get(keys.VOICE_MICROPHONE),
        cast("Mode", found.get(keys.VOICE_MODE)),
        ("zh" if language.startswith("zh") else "en") if spoken == "auto" else spoken,
        cast("Speak", found.get(keys.VOICE_SPEAK)),
        found.get(keys.VOICE_KEEP_TEXTS),
        found.get(keys.VOICE_KEEP_AUDIO),
    )
