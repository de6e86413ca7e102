"""Child of the microphone tests: listens once and prints what happened as JSON lines.

Arguments: toggle | hold, and the seconds after which the key is released.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from actions.storage.paths import Paths
from voice.audio.microphone import Microphone, MicrophoneError
from voice.audio.vad import VoiceActivity
from voice.capture import HOLD, TOGGLE, MicrophoneProblem, NoSpeech, Utterance, listen
from voice.recognition.bias import World
from voice.recognition.models import choose_model
from voice.recognition.worker import AsyncRecognizer

_WORLD = World(sessions=("docs site", "payments api"), providers=("Claude", "Codex"), action_words=("inbox",))


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


async def main(mode: str, release_after: float) -> None:
    release = asyncio.Event()
    levels: list[float] = []
    paths = Paths.from_environment()
    async with AsyncRecognizer(lambda language: choose_model(cache=paths.models, language=language)) as recognizer:
        await recognizer.warm("en")
        try:
            async with Microphone() as microphone:
                say(event="open", device=microphone.device.id if microphone.device else None)
                if mode == "hold":
                    asyncio.get_running_loop().call_later(release_after, release.set)
                heard = await listen(
                    microphone,
                    VoiceActivity(),
                    rules=HOLD if mode == "hold" else TOGGLE,
                    release=release,
                    on_level=lambda level, _: levels.append(level),
                )
        except MicrophoneError as error:
            heard = MicrophoneProblem(error.trouble, error.message)
        if isinstance(heard, Utterance):
            transcript = await recognizer.transcribe(heard.audio, language="en", bias=_WORLD)
            say(
                event="utterance",
                text=transcript.text,
                ended=heard.ended.value,
                seconds=len(heard.audio) / 16_000,
                lost=heard.lost,
                loudest=max(levels),
            )
        elif isinstance(heard, NoSpeech):
            say(event="no_speech", reason=heard.reason.value)
        else:
            say(event="problem", trouble=heard.trouble.value, message=heard.message)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
