"""The microphone: windows of 16 kHz sound as they come, and an end with a reason when they stop coming.

PortAudio does not tell when a device is unplugged or muted by the system: the stream stays "active" and gives zeros,
or calls back no more. So frames are watched against the clock. The callback only hands bytes over; all work is on the
event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Any, Self

import numpy as np

from voice.audio.devices import AudioState, InputDevice, input_devices, sound_library
from voice.audio.format import RATE, WINDOW, Audio
from voice.audio.resampler import StreamResampler


class MicrophoneTrouble(StrEnum):
    """Why there is no sound."""

    NO_PORTAUDIO = "no_portaudio"
    NO_DEVICE = "no_device"
    CANNOT_OPEN = "cannot_open"
    NO_SOUND = "no_sound"
    UNPLUGGED = "unplugged"
    STOPPED = "stopped"


class MicrophoneError(Exception):
    """The microphone gives nothing (more). ``message`` tells a person what to do."""

    def __init__(self, trouble: MicrophoneTrouble, message: str) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.message = message


@dataclass(frozen=True)
class WatchRules:
    """How long (seconds) nothing, or nothing but zeros, may come."""

    first_block: float = 3.0
    no_block: float = 1.5
    zeros_at_first: float = 5.0
    zeros_later: float = 1.5
    overflow: float = 0.25


_LEVEL_FLOOR = -90.0
_STOPPED = "The microphone gives no sound any more. Check that it is plugged in, then try again."
_KEPT = 15
_QUEUED = 64
"""Blocks that may wait; two seconds. Older ones are dropped, and counted as lost, when nobody reads."""


class Microphone:
    """One recording. ``async with Microphone() as microphone: async for window in microphone.windows(): ...``

    Opens at 16 kHz where the device allows it, else at the device's own rate and resamples.
    """

    def __init__(self, device: str | None = None, *, rules: WatchRules | None = None, rescan: bool = True) -> None:
        """``device`` is an id of :func:`~voice.audio.devices.input_devices`; None, or one that is not plugged in, takes
        the system's default; ``rescan`` looks for devices plugged in since the last time."""
        self._wanted = device
        self._rules = rules or WatchRules()
        self._rescan = rescan
        self._blocks: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._stream: Any = None
        self._rate = RATE
        self._frames = 0
        self._first = 0.0
        self._dropped = 0
        self.level = _LEVEL_FLOOR
        self.device: InputDevice | None = None

    @property
    def live(self) -> bool:
        """True after the first block: only then say "listening"."""
        return self._frames > 0

    @property
    def lost(self) -> float:
        """Seconds of sound that are missing, by the clock; the system's overflow flag is not reliable."""
        if not self.live:
            return 0.0
        missing = time.monotonic() - self._first - self._frames / self._rate
        dropped = self._dropped / self._rate
        return dropped + (missing if missing > self._rules.overflow else 0.0)

    async def __aenter__(self) -> Self:
        """Open and start. Raises MicrophoneError."""
        self._loop = asyncio.get_running_loop()
        opening = asyncio.ensure_future(asyncio.to_thread(self._open))
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            await asyncio.gather(opening, return_exceptions=True)  # The thread cannot be stopped half-way.
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop and release the device; harmless when it is closed. An iteration over ``windows`` ends."""
        stream, self._stream = self._stream, None
        if stream is not None:
            # abort() does not wait for what is buffered; the sound server may be gone.
            await asyncio.shield(asyncio.to_thread(_shut, stream))
        self._blocks.put_nowait(None)

    async def windows(self) -> AsyncGenerator[Audio, None]:
        """Windows of 512 samples, float32, 16 kHz, until :meth:`close`. Raises MicrophoneError when sound stops.

        Begins with the last half second when the stream was open before: what was said earlier is not meant for us.
        """
        while self._blocks.qsize() > _KEPT:
            self._blocks.get_nowait()
        resampler = StreamResampler(self._rate)
        rest = np.zeros(0, np.float32)
        zeros, heard = 0.0, False
        while True:
            block = await self._next_block()
            if block is None and self._stream is None:
                return
            if block is None:
                raise MicrophoneError(MicrophoneTrouble.STOPPED, _STOPPED)
            samples = np.frombuffer(block, np.int16).astype(np.float32) / 32768.0
            if samples.any():
                zeros, heard = 0.0, True
            else:
                zeros += len(samples) / self._rate
                self._check_zeros(zeros, heard)
            rest = np.concatenate([rest, resampler.push(samples)])
            while len(rest) >= WINDOW:
                window, rest = rest[:WINDOW], rest[WINDOW:]
                self.level = _decibel(window)
                yield window

    async def _next_block(self) -> bytes | None:
        patience = self._rules.no_block if self.live else self._rules.first_block
        try:
            return await asyncio.wait_for(self._blocks.get(), patience)
        except TimeoutError:
            raise MicrophoneError(
                MicrophoneTrouble.STOPPED if self.live else MicrophoneTrouble.NO_SOUND, _STOPPED
            ) from None

    def _check_zeros(self, zeros: float, heard: bool) -> None:
        if heard and zeros >= self._rules.zeros_later:
            raise MicrophoneError(
                MicrophoneTrouble.UNPLUGGED, "The microphone went silent. Was it unplugged or muted? Then try again."
            )
        if not heard and zeros >= self._rules.zeros_at_first:
            raise MicrophoneError(
                MicrophoneTrouble.NO_SOUND,
                "The microphone is open but gives pure silence. Unmute it, or allow Sayso to use it in the system's "
                "privacy settings.",
            )

    def _open(self) -> None:
        found = input_devices(rescan=self._rescan)
        if found.state is not AudioState.OK:
            raise MicrophoneError(MicrophoneTrouble(found.state.value), found.message)
        library: Any = sound_library()
        self.device = found.find(self._wanted)
        assert self.device is not None
        errors = (library.PortAudioError, OSError, ValueError)
        problem: Exception | None = None
        for rate in dict.fromkeys((RATE, self.device.rate)):
            try:
                stream = library.RawInputStream(
                    samplerate=rate,
                    channels=1,
                    dtype="int16",
                    blocksize=WINDOW * rate // RATE,
                    device=self.device.index,
                    callback=self._called,
                    finished_callback=self._finished,
                )
            except errors as error:  # Raw ALSA devices may refuse 16 kHz.
                problem = error
                continue
            self._rate = rate
            try:
                stream.start()
            except errors as error:
                stream.close()
                problem = error
                continue
            self._stream = stream
            return
        raise MicrophoneError(
            MicrophoneTrouble.CANNOT_OPEN,
            f"The microphone {self.device.name} cannot be opened ({problem}). Close programs that use it, or choose "
            "another one in the settings.",
        )

    def _called(self, data: Any, frames: int, timing: Any, status: Any) -> None:
        """On PortAudio's thread: hand the bytes over and leave."""
        self._hand_over(bytes(data))

    def _finished(self) -> None:
        self._hand_over(None)

    def _hand_over(self, block: bytes | None) -> None:
        # A RuntimeError says that the loop has ended: nobody is left to hear.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._enqueue, block)

    def _enqueue(self, block: bytes | None) -> None:
        if block is not None:
            frames = len(block) // 2
            if not self._frames:
                self._first = time.monotonic() - frames / self._rate
            self._frames += frames
            if self._blocks.qsize() >= _QUEUED:
                old = self._blocks.get_nowait()
                self._dropped += len(old or b"") // 2
        self._blocks.put_nowait(block)


def _shut(stream: Any) -> None:
    try:
        stream.abort()
    finally:
        stream.close()


def _decibel(window: Audio) -> float:
    """Level in dB below full scale."""
    power = float(np.mean(np.square(window, dtype=np.float64)))
    return max(_LEVEL_FLOOR, 10.0 * float(np.log10(power))) if power > 0 else _LEVEL_FLOOR
