"""``sayso voice devices``: which microphones there are, or what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from voice.arguments import Arguments
from voice.audio.devices import input_devices
from voice.result import CommandResult


def devices(argv: Sequence[str], ctx: Any) -> CommandResult:
    """``data``: state (ok, no_portaudio, no_device), message, devices [{id, name, index, channels, rate, default}]."""
    Arguments("devices", "Microphones, and whether one can be used.").parse_args(argv)
    found = input_devices()
    data = {
        "state": found.state.value,
        "message": found.message,
        "devices": [asdict(device) for device in found.devices],
    }
    lines = [
        f"{'*' if device.default else ' '} {device.id}  ({device.channels} channels, {device.rate} Hz)"
        for device in found.devices
    ]
    return CommandResult("devices", data, "\n".join(lines) or found.message)
