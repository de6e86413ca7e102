"""A private PulseAudio server whose null sink is a microphone: real PortAudio, real clock, no sound card."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

_CONFIG = """\
load-module module-native-protocol-unix
load-module module-null-sink sink_name=fakemic_sink rate=48000 channels=1
load-module module-remap-source master=fakemic_sink.monitor source_name=fakemic
load-module module-null-sink sink_name=speaker
set-default-source fakemic
set-default-sink speaker
"""
PROGRAMS = ("pulseaudio", "pactl", "paplay", "parec")


def missing() -> str:
    """Why the fake microphone cannot run here, or ""."""
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"needs {', '.join(absent)}: apt install pulseaudio pulseaudio-utils libasound2-plugins" if absent else ""


class FakeMicrophone:
    """Use as a context manager; children get :attr:`environment`."""

    def __enter__(self) -> Self:
        # A short path: the socket's name has a limit of about a hundred characters.
        self._folder = Path(tempfile.mkdtemp(prefix="mic-"))
        run = self._folder / "pulse"
        run.mkdir(mode=0o700)
        (self._folder / "test.pa").write_text(_CONFIG)
        self.environment: Mapping[str, str] = {
            **os.environ,
            "HOME": str(self._folder),
            "XDG_RUNTIME_DIR": str(self._folder),
            "PULSE_RUNTIME_PATH": str(run),
        }
        self._server = subprocess.Popen(
            ["pulseaudio", "-n", "-F", self._folder / "test.pa", "--daemonize=no", "--exit-idle-time=-1"],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait_until_up()
        # A reader that stays keeps the source awake; without it the first block may take two seconds.
        self._reader = subprocess.Popen(
            ["parec", "--latency-msec=20", "-d", "fakemic"],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return self

    def play(self, wav: Path) -> None:
        """Speak ``wav`` into the microphone; returns at its end."""
        subprocess.run(["paplay", "--device=fakemic_sink", str(wav)], env=self.environment, check=True, timeout=30)

    def unplug(self) -> None:
        """Take the microphone away while it records."""
        listed = self._pactl("list", "short", "modules").splitlines()
        for line in reversed(listed):
            if "remap-source" in line or "fakemic_sink" in line:
                self._pactl("unload-module", line.split()[0])

    def stop_server(self) -> None:
        """The whole sound server goes."""
        self._end(self._server)

    def __exit__(self, *_: object) -> None:
        self._end(self._reader)
        self._end(self._server)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _pactl(self, *arguments: str) -> str:
        done = subprocess.run(
            ["pactl", *arguments], env=self.environment, capture_output=True, text=True, timeout=30, check=False
        )
        return done.stdout

    def _wait_until_up(self) -> None:
        until = time.monotonic() + 40
        while "fakemic" not in self._pactl("list", "short", "sources"):
            if time.monotonic() > until:
                raise RuntimeError("PulseAudio did not start")
            time.sleep(0.05)

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)
