"""The voice path of this machine: its microphone, its speech model, and a host through a client."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from actions.client.aio import AsyncClient
from actions.storage.declarations import VOICE_MODEL
from actions.storage.paths import Paths
from actions.storage.settings import SettingsFile
from desktop.voicebar.keeping import Keeper
from desktop.voicebar.service import LocalVoice
from desktop.voicebar.settings import read_voice_settings
from desktop.voicebar.surroundings import OpenMicrophone, Surroundings

if TYPE_CHECKING:
    from voice.audio.microphone import Microphone
    from voice.recognition.models import ModelChoice
    from voice.recognition.worker import AsyncRecognizer


def local_voice(
    client: AsyncClient,
    paths: Paths,
    *,
    language: str,
    session: Callable[[], str | None],
    workspace: Callable[[], str | None],
    microphone: OpenMicrophone | None = None,
) -> LocalVoice:
    """A voice path that loads nothing before it is needed. ``microphone`` None opens the system's."""

    def recognizer() -> AsyncRecognizer:
        from voice.recognition.worker import AsyncRecognizer

        return AsyncRecognizer(choose)

    def choose(spoken: str | None) -> ModelChoice:
        from voice.recognition.models import choose_model

        setting = SettingsFile(paths.settings_file).load().get(VOICE_MODEL)
        return choose_model(cache=paths.models, language=spoken, setting=setting or None)

    async def call(method: str, params: dict[str, object], repeatable: bool) -> dict[str, object]:
        return await client.call(method, params, repeatable=repeatable)

    from voice.speech.speaker import Speaker

    return LocalVoice(
        Surroundings(
            call,
            recognizer,
            microphone or _open_microphone,
            session,
            workspace,
            language,
            settings=lambda: read_voice_settings(paths, language),
            speaker=Speaker(),
            keeper=Keeper(paths.state / "voice"),
        )
    )


def _open_microphone(device: str) -> Microphone:
    from voice.audio.microphone import Microphone

    return Microphone(device or None)
