"""The official conformance suite against ``sayso mcp serve --http`` (``make agents``)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.actions.cli.home import COMMAND

ROOT = Path(__file__).parents[4]
SUITE = ROOT / ".agents" / "conformance" / "node_modules" / ".bin"
EXPECTED = Path(__file__).with_name("expected-failures.yml")

pytestmark = [
    pytest.mark.agents,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not (SUITE / "conformance").exists(), reason="make agents installs the suite"),
]


@contextmanager
def running(*words: str, env: dict[str, str]) -> Iterator[str]:
    """A process that says on its first line where it is; gives that line."""
    with subprocess.Popen(words, env=env, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        try:
            yield it.stdout.readline().strip()
        finally:
            it.terminate()
            it.wait(30)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The endpoint of `sayso mcp serve --http` of a host with the suite's fixtures, behind a front with its token."""
    env = {**os.environ, "SAYSO_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    with (
        running(sys.executable, "-m", "tests.actions.delivery.conformance.host", env=env) as host,
        running(COMMAND, "mcp", "serve", "--http", "--json", env=env) as served,
    ):
        assert json.loads(host)["ok"]
        address = json.loads(served)["data"]
        front = str(Path(__file__).with_name("front.py"))
        with running(sys.executable, front, address["url"], env={**env, "FRONT_TOKEN": address["token"]}) as found:
            yield found


def test_every_scenario_passes_that_is_not_expected_to_fail(url: str, tmp_path: Path) -> None:
    env = {**os.environ, "PATH": f"{SUITE}:{os.environ['PATH']}"}
    words = ["conformance", "server", "--url", url, "--suite", "all", "--expected-failures", str(EXPECTED)]
    done = subprocess.run(
        [*words, "-o", str(tmp_path / "results")], env=env, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    print(done.stdout[done.stdout.find("=== SUMMARY") :])
    assert done.returncode == 0, done.stdout + done.stderr
