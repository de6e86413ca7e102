"""Fills the voice page with this machine's microphones, and carries out a try-out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from desktop.app.backend import Backend
from desktop.app.pane import Presenter, Report
from desktop.settings.preferences_presenter import PreferencesPresenter
from desktop.settings.voice import VoicePage
from desktop.voicebar.trial import Trial

QUIETEST_DB = -60.0
MakeTrial = Callable[[Callable[[float, bool], None]], Trial]


class VoicePresenter(Presenter):
    """Without a voice path the page shows the settings only."""

    name = "settings.voice"

    def __init__(self, backend: Backend, page: VoicePage, report: Report, settings: PreferencesPresenter) -> None:
        super().__init__(backend, report)
        self._page = page
        self._settings = settings
        self._make: MakeTrial | None = None
        self._trial: Trial | None = None
        page.try_asked.connect(self._on_try)

    def attach(self, make: MakeTrial) -> None:
        """Try-outs go through this voice path."""
        self._make = make

    def refresh(self) -> None:
        """Called when the page comes to the front: a microphone may have been plugged in."""
        self._settings.refresh()
        self.start(self._look(), "microphones")

    async def _look(self) -> None:
        from voice.audio.devices import AudioState, input_devices

        found = await asyncio.to_thread(input_devices)
        problem = "" if found.state is AudioState.OK else found.message
        self._page.show_microphones([(device.id, device.name) for device in found.devices], problem)

    def _on_try(self) -> None:
        if self._trial is not None:
            self._trial.stop()
        elif self._make is not None:
            self._trial = self._make(self._on_level)
            self._page.show_listening(True)
            self.start(self._try(self._trial), "try")

    def _on_level(self, decibel: float, _: bool) -> None:
        self._page.show_level(max(0.0, min(1.0, 1.0 - decibel / QUIETEST_DB)))

    async def _try(self, trial: Trial) -> None:
        try:
            self._page.show_tried(await trial.run())
        finally:
            self._trial = None
            self._page.show_listening(False)
