"""Voice activity with the real model on the recorded clips."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tests.voice.recognition.clips import FOLDER, Clip, commands, noises
from voice.audio.endpoint import split_speech
from voice.audio.format import RATE, WINDOW
from voice.audio.vad import VoiceActivity, windows
from voice.audio.wav import read_wav


@pytest.fixture
def vad() -> VoiceActivity:
    return VoiceActivity()


@pytest.mark.parametrize("clip", noises(), ids=lambda clip: clip.wav.stem)
def test_noise_is_no_speech(vad: VoiceActivity, clip: Clip) -> None:
    assert split_speech(read_wav(clip.wav), vad) == ()


@pytest.mark.parametrize("clip", commands()[::4], ids=lambda clip: clip.wav.stem)
def test_a_command_in_silence_is_found_whole(vad: VoiceActivity, clip: Clip) -> None:
    speech = read_wav(clip.wav)
    # Where the sound is, by its energy: an answer that owes nothing to the model.
    loud = np.flatnonzero(np.abs(speech) > 0.02)
    first, last = 1 + loud[0] / RATE, 1 + loud[-1] / RATE
    audio = np.concatenate([np.zeros(RATE, np.float32), speech, np.zeros(2 * RATE, np.float32)])
    segments = split_speech(audio, vad)
    assert len(segments) == 1
    assert first - 0.6 <= segments[0].start <= first
    assert last <= segments[0].end <= last + 1.0


def test_the_stream_gives_the_numbers_of_the_library(vad: VoiceActivity) -> None:
    from faster_whisper.vad import get_vad_model

    audio = read_wav(FOLDER / "cmd30_joe.wav")
    audio = audio[: len(audio) // WINDOW * WINDOW]
    ours = [vad(window) for window in windows(audio)]
    np.testing.assert_allclose(ours, np.ravel(get_vad_model()(audio)), atol=1e-3)


def test_reset_forgets(vad: VoiceActivity) -> None:
    audio = read_wav(FOLDER / "cmd30_joe.wav")
    first = [vad(window) for window in windows(audio)]
    vad.reset()
    assert [vad(window) for window in windows(audio)] == first


def test_a_window_has_512_samples(vad: VoiceActivity) -> None:
    with pytest.raises(ValueError, match="512"):
        vad(np.zeros(100, np.float32))


def test_a_window_costs_far_less_than_it_lasts(vad: VoiceActivity) -> None:
    window = np.zeros(WINDOW, np.float32)
    costs: list[float] = []
    for _ in range(100):
        before = time.perf_counter()
        vad(window)
        costs.append(time.perf_counter() - before)
    assert sorted(costs)[50] < 0.008  # a window lasts 0.032 s
