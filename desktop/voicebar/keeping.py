"""What a person asked to keep of what was said: a log of texts, and recordings. Nothing by default."""

from __future__ import annotations

import json
import time
import wave
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.voicebar.settings import VoiceSettings

if TYPE_CHECKING:
    from voice.audio.format import Audio
    from voice.intent.model import Intent

LOG = "heard.jsonl"


class Keeper:
    """Writes into ``folder``; its methods are called in a thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, settings: VoiceSettings, audio: Audio | None, intent: Intent) -> None:
        """Write what ``settings`` allow of one utterance. Raises OSError."""
        at = time.time()
        if settings.keep_texts:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            row = {
                "at": round(at, 3),
                "heard": intent.heard,
                "action": intent.action,
                "tier": intent.tier,
                "confidence": intent.confidence,
            }
            with (self.folder / LOG).open("a", encoding="utf-8") as log:
                log.write(json.dumps(row, ensure_ascii=False) + "\n")
        if settings.keep_audio and audio is not None:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(at))
            _write_wav(self.folder / f"{stamp}-{int(at * 1000) % 1000:03}.wav", audio)


def _write_wav(file: Path, audio: Audio) -> None:
    from voice.audio.format import RATE

    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes((audio.clip(-1, 1) * 32767).astype("<i2").tobytes())
