"""Read WAV files of any common shape into 16 kHz mono float32.

The standard library's ``wave`` knows neither float samples nor (before Python 3.12) the extensible header that most
recorders write, so the few chunks are read here. Layout: "Multimedia Programming Interface and Data Specifications
1.0" (RIFF) and WAVEFORMATEXTENSIBLE.
"""

from __future__ import annotations

import importlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from actions.errors import InvalidInput
from voice.audio.format import RATE, Audio

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_STREAMED = frozenset({0, 0x7FFFFFFF, 0xFFFFFFFF})
"""Sizes that a program writes when it cannot seek back to the header: the data runs to the end of the file."""
_MAX_BYTES = 2**31


@dataclass(frozen=True)
class _Format:
    coding: int
    channels: int
    rate: int
    bits: int

    @property
    def frame_bytes(self) -> int:
        return self.channels * self.bits // 8


def read_wav(path: Path, *, longest: float | None = None) -> Audio:
    """Samples of ``path`` as 16 kHz mono float32; channels are averaged, other rates resampled.

    Takes PCM of 8, 16, 24 and 32 bits and float of 32 and 64 bits, plain or extensible.

    Raises:
        InvalidInput: not there, not readable, not WAV, an unknown coding, truncated, without samples, or longer than
            ``longest`` seconds.
    """
    raw = _read_bytes(path)
    form, data = _chunks(path, raw)
    if not len(data):
        raise _bad(path, "holds no samples. Record it again.")
    duration = len(data) / form.frame_bytes / form.rate
    if longest is not None and duration > longest:
        raise _bad(path, f"is {duration:.0f} s long; the limit here is {longest:.0f} s. Cut it shorter.")
    samples = _decode(form, data)
    mono = samples.reshape(-1, form.channels).mean(axis=1, dtype=np.float32)
    if not np.isfinite(mono).all():
        raise _bad(path, "holds samples that are no numbers. Record it again.")
    return np.clip(resample(mono, form.rate), -1.0, 1.0)


def resample(audio: Audio, rate: int) -> Audio:
    """``audio`` at ``rate`` brought to 16 kHz (soxr, high quality)."""
    if rate == RATE:
        return audio
    soxr: Any = importlib.import_module("soxr")  # Without types.
    return np.asarray(soxr.resample(audio, rate, RATE), dtype=np.float32)


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise _bad(path, "is a folder. Name a WAV file.")
        if path.stat().st_size > _MAX_BYTES:
            raise _bad(path, "is larger than 2 GB. Cut it shorter.")
        raw = path.read_bytes()
    except FileNotFoundError:
        raise _bad(path, "is not there. Check the path.") from None
    except OSError as error:
        raise _bad(path, f"cannot be read ({error.strerror}). Check its permissions.") from None
    if not raw:
        raise _bad(path, "is empty. Record it again.")
    return raw


def _chunks(path: Path, raw: bytes) -> tuple[_Format, bytes]:
    """The format and the sample bytes, whole frames only."""
    if raw[:4] != b"RIFF" or raw[8:12] != b"WAVE":
        if raw[:4] == b"RIFF" and len(raw) < 12:
            raise _bad(path, "is truncated. Copy or record it again.")
        raise _bad(path, "is not a WAV file. Convert it first, for example: ffmpeg -i IN -ac 1 -ar 16000 OUT.wav")
    form: _Format | None = None
    at = 12
    while at + 8 <= len(raw):
        name, size = raw[at : at + 4], struct.unpack_from("<I", raw, at + 4)[0]
        body = at + 8
        if name == b"fmt ":
            form = _format(path, raw[body : body + size])
        elif name == b"data":
            if form is None:
                raise _bad(path, "has samples before their format. Convert it again.")
            have = len(raw) - body
            if size in _STREAMED:
                size = have if body + size != len(raw) else size
            elif size > have:
                raise _bad(path, f"is truncated: {size} bytes of samples announced, {have} found. Copy it again.")
            return form, raw[body : body + size - size % form.frame_bytes]
        at = body + size + size % 2
    raise _bad(path, "is truncated: it has no samples. Copy or record it again.")


def _format(path: Path, body: bytes) -> _Format:
    if len(body) < 16:
        raise _bad(path, "is truncated inside its header. Copy or record it again.")
    coding, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", body)
    if coding == _EXTENSIBLE and len(body) >= 26:
        coding = struct.unpack_from("<H", body, 24)[0]
    known = (coding == _PCM and bits in (8, 16, 24, 32)) or (coding == _FLOAT and bits in (32, 64))
    if not known:
        raise _bad(path, f"uses WAV coding {coding} with {bits} bits. Convert it to 16-bit PCM.")
    if not 1 <= channels <= 64 or not 1_000 <= rate <= 768_000:
        raise _bad(path, f"claims {channels} channels at {rate} Hz. Convert it to mono at 16000 Hz.")
    return _Format(coding, channels, rate, bits)


def _decode(form: _Format, data: bytes) -> npt.NDArray[np.float32]:
    if form.coding == _FLOAT:
        return np.frombuffer(data, "<f4" if form.bits == 32 else "<f8").astype(np.float32)
    if form.bits == 8:
        return (np.frombuffer(data, np.uint8).astype(np.float32) - 128.0) / 128.0
    if form.bits == 24:
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return (wide.view("<i4").ravel() / 2.0**31).astype(np.float32)
    return (np.frombuffer(data, f"<i{form.bits // 8}") / 2.0 ** (form.bits - 1)).astype(np.float32)


def _bad(path: Path, problem: str) -> InvalidInput:
    return InvalidInput(f"{path.name} {problem}", [{"field": "wav", "message": problem}], path=str(path))
