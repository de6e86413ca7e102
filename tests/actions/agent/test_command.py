"""The agent as a command: flags, plain files, signs of life."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

INITIALIZE = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}'


class TestStreams:
    def test_a_client_that_stops_reading_is_the_end(self) -> None:
        read, write = os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-m", "actions.agent"], stdin=subprocess.PIPE, stdout=write, stderr=subprocess.PIPE
        )
        os.close(write)
        os.close(read)
        assert process.stdin
        process.stdin.write(INITIALIZE + b"\n")
        process.stdin.flush()
        code = process.wait(50)
        _, err = process.communicate()
        assert (code, err) == (0, b"")

    def test_a_file_on_stdin_will_do(self, tmp_path: Path) -> None:
        script = tmp_path / "script"
        script.write_bytes(INITIALIZE)
        with script.open("rb") as stdin:
            done = subprocess.run(
                [sys.executable, "-m", "actions.agent"], stdin=stdin, capture_output=True, timeout=50, check=True
            )
        assert json.loads(done.stdout)["result"]["protocolVersion"] == 1
        assert done.stderr == b""


class TestCommand:
    def test_help_names_the_flags_and_is_honest(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "actions.agent", "--help"], capture_output=True, text=True, timeout=50, check=True
        )
        assert "--yolo" in done.stdout
        assert "--afk" in done.stdout
        assert "Without one it is the scout" in done.stdout

    def test_an_unknown_flag_is_refused(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "actions.agent", "--dance"], capture_output=True, timeout=50, check=False
        )
        assert done.returncode == 2

    @pytest.mark.bench
    def test_initialize_is_answered_fast(self) -> None:
        times: list[float] = []
        for _ in range(5):
            before = time.perf_counter()
            with subprocess.Popen(
                [sys.executable, "-m", "actions.agent"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            ) as process:
                assert process.stdin
                assert process.stdout
                process.stdin.write(INITIALIZE + b"\n")
                process.stdin.flush()
                process.stdout.readline()
                times.append(time.perf_counter() - before)
                process.stdin.close()
        assert sorted(times)[2] < 0.6
