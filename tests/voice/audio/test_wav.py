"""WAV files of every shape, written here byte by byte by the public format."""

from __future__ import annotations

import struct
import wave
from pathlib import Path

import numpy as np
import pytest

from actions.errors import InvalidInput
from voice.audio.wav import read_wav

RATE = 16_000
SINE = (0.5 * np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)).astype(np.float64)


def _encode(samples: np.ndarray, coding: int, bits: int) -> bytes:
    if coding == 3:
        return samples.astype("<f4" if bits == 32 else "<f8").tobytes()
    if bits == 8:
        return np.round(samples * 127 + 128).astype(np.uint8).tobytes()
    whole = np.round(samples * (2 ** (bits - 1) - 1)).astype("<i8")
    return b"".join(int(value).to_bytes(bits // 8, "little", signed=True) for value in whole)


def _file(
    data: bytes,
    *,
    coding: int = 1,
    channels: int = 1,
    rate: int = RATE,
    bits: int = 16,
    extensible: bool = False,
    size: int | None = None,
    before: bytes = b"",
) -> bytes:
    block = channels * bits // 8
    head = struct.pack("<HHIIHH", 0xFFFE if extensible else coding, channels, rate, rate * block, block, bits)
    if extensible:
        guid = struct.pack("<H", coding) + bytes.fromhex("000000001000800000aa00389b71")
        head += struct.pack("<HHI", 22, bits, 0) + guid
    body = b"fmt " + struct.pack("<I", len(head)) + head + before
    body += b"data" + struct.pack("<I", len(data) if size is None else size) + data
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WAVE" + body


@pytest.mark.parametrize("extensible", [False, True])
@pytest.mark.parametrize(
    ("coding", "bits", "accuracy"),
    [(1, 8, 0.02), (1, 16, 1e-4), (1, 24, 1e-6), (1, 32, 1e-6), (3, 32, 1e-6), (3, 64, 1e-6)],
)
def test_every_coding(tmp_path: Path, coding: int, bits: int, accuracy: float, extensible: bool) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(_file(_encode(SINE, coding, bits), coding=coding, bits=bits, extensible=extensible))
    audio = read_wav(path)
    assert audio.dtype == np.float32
    assert audio.shape == SINE.shape
    np.testing.assert_allclose(audio, SINE, atol=accuracy)


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000, 96_000])
def test_every_rate_keeps_pitch_and_length(tmp_path: Path, rate: int) -> None:
    tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(2 * rate) / rate)
    path = tmp_path / "a.wav"
    path.write_bytes(_file(_encode(tone, 1, 16), rate=rate))
    audio = read_wav(path)
    assert len(audio) == pytest.approx(2 * RATE, abs=2)
    spectrum = np.abs(np.fft.rfft(audio * np.hanning(len(audio))))
    assert np.argmax(spectrum) * RATE / len(audio) == pytest.approx(440, abs=1)


def test_channels_are_averaged(tmp_path: Path) -> None:
    stereo = np.column_stack([SINE, np.zeros_like(SINE)]).ravel()
    path = tmp_path / "a.wav"
    path.write_bytes(_file(_encode(stereo, 1, 16), channels=2))
    np.testing.assert_allclose(read_wav(path), SINE / 2, atol=1e-4)


def test_other_chunks_and_odd_sizes_are_passed_over(tmp_path: Path) -> None:
    extra = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    path = tmp_path / "a.wav"
    path.write_bytes(_file(_encode(SINE, 1, 16), before=extra))
    np.testing.assert_allclose(read_wav(path), SINE, atol=1e-4)


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 0x7FFFFFFF])
def test_a_streamed_file_runs_to_its_end(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(_file(_encode(SINE, 1, 16), size=size))
    assert len(read_wav(path)) == len(SINE)


def test_a_file_of_the_standard_library(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(_encode(SINE, 1, 16))
    np.testing.assert_allclose(read_wav(path), SINE, atol=1e-4)


WHOLE = _file(_encode(SINE, 1, 16))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"hello, this is text", "is not a WAV file"),
        (b"RIFF", "is truncated"),
        (WHOLE[:20], "is truncated"),
        (WHOLE[:40], "is truncated"),
        (WHOLE[:1_000], "is truncated: 32000 bytes of samples announced, 956 found"),
        (_file(b""), "holds no samples"),
        (_file(b"\1"), "holds no samples"),
        (_file(b"\0\0", coding=6, bits=8), "coding 6"),
        (_file(b"\0\0", channels=0), "0 channels"),
        (_file(b"\0\0", rate=0), "0 Hz"),
        (_file(_encode(np.array([np.nan, 0.0]), 3, 32), coding=3, bits=32), "no numbers"),
        (b"ID3\4" + bytes(100), "is not a WAV file"),
    ],
)
def test_bad_files_say_what_to_do(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=says) as caught:
        read_wav(path)
    assert caught.value.details["fields"][0]["field"] == "wav"


def test_missing_folder_and_too_long(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is not there"):
        read_wav(tmp_path / "gone.wav")
    with pytest.raises(InvalidInput, match="is a folder"):
        read_wav(tmp_path)
    path = tmp_path / "a.wav"
    path.write_bytes(_file(bytes(2 * 61 * RATE)))
    assert len(read_wav(path)) == 61 * RATE
    with pytest.raises(InvalidInput, match="is 61 s long; the limit here is 60 s"):
        read_wav(path, longest=60)
