"""kimi-cli 1.50.0 as an ACP agent with the scripted model. ``session/new`` wants an account of its vendor, whatever
the model; ``session/resume`` does not, so a session is begun by its command line first.
"""

from __future__ import annotations

import os
import subprocess
import uuid
from pathlib import Path

from tests.bench.acp_driver import Driven

_CONFIG = """\
default_model = "scripted"
telemetry = false
[providers.loopback]
type = "openai_legacy"
base_url = "{url}/v1"
api_key = "none"
[models.scripted]
provider = "loopback"
model = "fake-model"
max_context_size = 131072
"""
_BEGIN_LIMIT = 180


class KimiAcp(Driven):
    """Its process; sessions are made with :meth:`session` before the process starts or while it runs."""

    def __init__(self, python: Path, folder: Path, workspace: Path, model_url: str) -> None:
        self._kimi = str(python.with_name("kimi"))
        share = folder / "share"
        share.mkdir(parents=True)
        (share / "config.toml").write_text(_CONFIG.format(url=model_url), "utf-8")
        env = {**os.environ, "HOME": str(folder), "KIMI_SHARE_DIR": str(share), "KIMI_DISABLE_TELEMETRY": "1"}
        super().__init__([self._kimi, "acp"], env, workspace)

    def begin(self) -> str:
        """A new session's id, after a first turn of one answer."""
        session = str(uuid.uuid4())
        subprocess.run(
            [self._kimi, "--print", "-p", "hi", "--session", session],
            cwd=self.workspace,
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_BEGIN_LIMIT,
        )
        return session

    def resume(self, session: str) -> None:
        self.ask("session/resume", sessionId=session, cwd=str(self.workspace), mcpServers=[])
