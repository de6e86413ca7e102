"""The talk key as X11 sends it, and what a press means while the microphone opens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from pytestqt.qtbot import QtBot

from desktop.theme.theme import Theme
from desktop.voicebar.bar import HOLD_SECONDS, REPEAT_SECONDS, TALK_KEY, VoiceBar
from desktop.voicebar.state import VoiceCard, VoiceState, VoiceView


class Recorded:
    """A voice service that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def subscribe(self, listener: Callable[[VoiceView], None]) -> AbstractContextManager[None]:
        listener(VoiceView(VoiceState.READY))
        return nullcontext()

    def start_listening(self) -> None:
        self.told.append("start")

    def stop_listening(self, *, discard: bool = False) -> None:
        self.told.append("stop")

    def confirm(self) -> None:
        self.told.append("confirm")

    def cancel(self) -> None:
        self.told.append("cancel")

    def request_settled(self, approval_id: str) -> None:
        self.told.append("settled")


@pytest.fixture
def service() -> Recorded:
    return Recorded()


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme, service: Recorded) -> VoiceBar:
    result = VoiceBar(theme)
    qtbot.addWidget(result)
    result.attach(service)
    return result


def _key(bar: VoiceBar, *, down: bool) -> None:
    kind = QEvent.Type.KeyPress if down else QEvent.Type.KeyRelease
    bar.takes_key(QKeyEvent(kind, TALK_KEY, Qt.KeyboardModifier.NoModifier), down=down)


def _listening(bar: VoiceBar) -> None:
    bar.show_view(VoiceView(VoiceState.LISTENING, 0.5))


def test_a_repeat_that_looks_like_a_release_does_not_cut_the_speaker_off(
    qtbot: QtBot, bar: VoiceBar, service: Recorded
) -> None:
    _key(bar, down=True)
    _listening(bar)
    qtbot.wait(round(HOLD_SECONDS * 1000) + 100)
    for _ in range(3):
        _key(bar, down=False)
        _key(bar, down=True)
    qtbot.wait(round(REPEAT_SECONDS * 1000) + 60)
    assert service.told == ["start"]
    _key(bar, down=False)
    qtbot.waitUntil(lambda: service.told == ["start", "stop"], timeout=30_000)


def test_a_click_keeps_the_microphone_open_until_the_next(qtbot: QtBot, bar: VoiceBar, service: Recorded) -> None:
    _key(bar, down=True)
    _listening(bar)
    _key(bar, down=False)
    qtbot.wait(round((HOLD_SECONDS + REPEAT_SECONDS) * 1000) + 100)
    assert service.told == ["start"]
    _key(bar, down=True)
    _key(bar, down=False)
    qtbot.wait(round(REPEAT_SECONDS * 1000) + 60)
    assert service.told == ["start", "stop"]


def test_a_release_counts_while_the_microphone_still_opens(qtbot: QtBot, bar: VoiceBar, service: Recorded) -> None:
    bar.press()
    qtbot.wait(round(HOLD_SECONDS * 1000) + 100)
    bar.release()
    assert service.told == ["start", "stop"]


def test_escape_cancels_the_card_and_only_the_card(bar: VoiceBar, service: Recorded) -> None:
    assert not bar.takes_escape()
    card = VoiceCard("stop it", "session.stop", "Stop a session")
    bar.show_view(VoiceView(VoiceState.CARD, card=card))
    assert bar.takes_escape()
    assert service.told == ["cancel"]
