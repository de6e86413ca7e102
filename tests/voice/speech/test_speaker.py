"""Speaking through whatever the machine has."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import psutil
import pytest

from voice.speech.speaker import Speaker


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """In the place of espeak-ng: writes what it is told to say, then goes on until it is ended."""
    file = tmp_path / "espeak-ng"
    file.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > {tmp_path}/said\necho $$ > {tmp_path}/pid\nexec sleep 60\n')
    file.chmod(0o755)
    return file


def _only(program: Path) -> Speaker:
    return Speaker(lambda name: str(program) if name == program.name else None)


async def _until(file: Path) -> str:
    for _ in range(3000):
        if text := await asyncio.to_thread(lambda: file.read_text() if file.exists() else ""):
            return text
        await asyncio.sleep(0.01)
    raise AssertionError(f"{file} was never written")


async def test_it_says_what_may_be_heard_and_is_ended_at_once(program: Path, tmp_path: Path) -> None:
    speaker = _only(program)
    saying = asyncio.ensure_future(speaker.say("Open /etc/passwd?", "zh"))
    pid = int(await _until(tmp_path / "pid"))
    assert await _until(tmp_path / "said") == "-v|cmn|--|Open 某个路径?|"
    assert speaker.speaking
    began = time.monotonic()
    speaker.quiet()
    await saying
    assert time.monotonic() - began < 5
    assert not speaker.speaking
    assert not psutil.pid_exists(pid)
    await speaker.close()


async def test_a_cancelled_sentence_leaves_no_program(program: Path, tmp_path: Path) -> None:
    speaker = _only(program)
    saying = asyncio.ensure_future(speaker.say("hello"))
    pid = int(await _until(tmp_path / "pid"))
    saying.cancel()
    await asyncio.gather(saying, return_exceptions=True)
    assert not psutil.pid_exists(pid)
    await speaker.close()


async def test_a_machine_that_cannot_speak_is_silent() -> None:
    speaker = Speaker(lambda name: None)
    assert not speaker.able()
    await speaker.say("hello")
    assert not speaker.speaking
    await speaker.close()


async def test_a_program_that_cannot_be_started_is_silence(tmp_path: Path) -> None:
    broken = tmp_path / "espeak-ng"
    broken.write_text("no program")
    speaker = _only(broken)
    await speaker.say("hello")
    await speaker.close()
