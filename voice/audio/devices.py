"""Microphones of this machine, as a result that says what is wrong rather than an exception."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class AudioState(StrEnum):
    """Whether sound can be recorded here."""

    OK = "ok"
    NO_PORTAUDIO = "no_portaudio"
    NO_DEVICE = "no_device"


@dataclass(frozen=True)
class InputDevice:
    """A microphone. ``id`` ("ALSA/pulse") stays the same between starts; ``index`` does not. ``rate`` is its own."""

    id: str
    name: str
    index: int
    channels: int
    rate: int
    default: bool


@dataclass(frozen=True)
class InputDevices:
    """The microphones, and a sentence for a person when there is none."""

    state: AudioState
    devices: tuple[InputDevice, ...] = ()
    message: str = ""

    @property
    def default(self) -> InputDevice | None:
        """The one to use when the user has chosen none."""
        return next((device for device in self.devices if device.default), self.devices[0] if self.devices else None)

    def find(self, device_id: str | None) -> InputDevice | None:
        """The device with this id; the default when it is None or not plugged in any more."""
        return next((device for device in self.devices if device.id == device_id), self.default)


_FIX_LIBRARY = (
    "Recording needs the PortAudio library. Install it (Debian, Ubuntu: apt install libportaudio2), "
    "then start Sayso again. Typing works as ever."
)
_FIX_DEVICE = "No microphone was found. Plug one in, or allow Sayso to use it in the system's settings."


def sound_library() -> Any | None:
    """The ``sounddevice`` module, or None without PortAudio. Imported late: the import itself fails without it."""
    try:
        return importlib.import_module("sounddevice")
    except (ImportError, OSError):
        return None


def input_devices(*, rescan: bool = False) -> InputDevices:
    """List the microphones. Never raises.

    ``rescan`` starts PortAudio anew, which is the only way it sees a device that was plugged in later; not while a
    stream is open.
    """
    library = sound_library()
    if library is None:
        return InputDevices(AudioState.NO_PORTAUDIO, message=_FIX_LIBRARY)
    try:
        if rescan:
            library._terminate()
            library._initialize()
        rows: Any = library.query_devices()
        apis: Any = library.query_hostapis()
        default = int(library.default.device[0])
    except (library.PortAudioError, OSError) as error:
        return InputDevices(AudioState.NO_DEVICE, message=f"{_FIX_DEVICE} ({error})")
    seen: dict[str, int] = {}
    devices: list[InputDevice] = []
    for index, row in enumerate(rows):
        if row["max_input_channels"] < 1:
            continue
        name = str(row["name"])
        plain = f"{apis[row['hostapi']]['name']}/{name}"
        seen[plain] = seen.get(plain, 0) + 1
        unique = plain if seen[plain] == 1 else f"{plain}#{seen[plain]}"
        devices.append(
            InputDevice(
                unique, name, index, int(row["max_input_channels"]), int(row["default_samplerate"]), index == default
            )
        )
    if not devices:
        return InputDevices(AudioState.NO_DEVICE, message=_FIX_DEVICE)
    return InputDevices(AudioState.OK, tuple(devices))
