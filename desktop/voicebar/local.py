"""The voice path of this machine: its microphone, its speech model, and a host through a client."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from actions.client.aio import AsyncClient
from actions.storage import declarations as keys
from actions.storage.paths import Paths
from actions.storage.settings import SettingsFile
from desktop.voicebar.keeping import Keeper
from desktop.voicebar.service import LocalVoice
from desktop.voicebar.settings import Mode, Speak, VoiceSettings
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

        setting = SettingsFile(paths.settings_file).load().get(keys.VOICE_MODEL)
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
            settings=lambda: _settings(paths, language),
            speaker=Speaker(),
            keeper=Keeper(paths.state / "voice"),
        )
    )


def _open_microphone(device: str) -> Microphone:
    from voice.audio.microphone import Microphone

    return Microphone(device or None)


def _settings(paths: Paths, language: str) -> VoiceSettings:
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
