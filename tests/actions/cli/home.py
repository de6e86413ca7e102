"""The real command in a process of its own, with a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.running_host import gone

COMMAND = str(Path(sys.executable).with_name("sayso"))


@dataclass(frozen=True)
class Ran:
    """What one command did."""

    exit: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on standard output."""
        return json.loads(self.out)

    @property
    def data(self) -> Any:
        assert self.document["ok"], self.out
        return self.document["data"]

    @property
    def error(self) -> dict[str, Any]:
        assert not self.document["ok"], self.out
        return self.document["error"]


@dataclass
class Home:
    """A home, and `sayso` in it."""

    folder: Path
    workspace: Path
    env: dict[str, str] = field(default_factory=dict)

    def environment(self, **more: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SAYSO_", "LC_")) and k != "LANG"}
        return {**kept, "SAYSO_HOME": str(self.folder), "LANG": "C.UTF-8", **self.env, **more}

    def sayso(
        self, *words: str, input: str | None = None, cwd: Path | None = None, timeout: float = 50, **env: str
    ) -> Ran:
        done = subprocess.run(
            [COMMAND, *words],
            input="" if input is None else input,
            capture_output=True,
            text=True,
            cwd=cwd or self.workspace,
            env=self.environment(**env),
            timeout=timeout,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def json(self, *words: str, **more: Any) -> Ran:
        return self.sayso(*words, "--json", **more)

    def host_pid(self) -> int | None:
        ran = self.json("host", "status")
        return None if ran.exit else ran.data["pid"]

    def close(self) -> None:
        """End the host of this home, if there is one, and wait until its process is gone."""
        if (pid := self.host_pid()) is None:
            return
        try:
            host = psutil.Process(pid)  # by its start, too: another process may get its number
        except psutil.NoSuchProcess:
            return
        self.sayso("host", "stop")
        deadline = time.monotonic() + 40
        while not gone(host):
            assert time.monotonic() < deadline, f"the host did not end: {host}"
            time.sleep(0.05)


def make_home(folder: Path) -> Home:
    workspace = folder / "project"
    workspace.mkdir(parents=True)
    (workspace / "login.py").write_text("def login(user):\n    return user  # TODO: check the password\n")
    return Home(folder / "home", workspace)
