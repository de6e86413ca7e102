"""Model servers on this machine: the built-in agent can use one after a yes. None is needed."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any

from actions.cli.doctor.check import Check

_KNOWN = ((11434, "Ollama"), (8080, "llama.cpp"), (1234, "LM Studio"), (8000, "vLLM"))
_CONNECT_S = 0.3
_ANSWER_S = 2.0


def model_endpoints(environ: Mapping[str, str]) -> Check:
    """Which of the usual ports of loopback answer as an OpenAI-compatible server."""
    found = [
        {"name": name, "url": f"http://127.0.0.1:{port}/v1", "models": models}
        for port, name in _KNOWN
        if (models := _models(port)) is not None
    ]
    said = [f"{f['name']} at {f['url']}: {', '.join(f['models'][:5]) or 'no models'}" for f in found]
    if chosen := environ.get("SAYSO_AGENT_MODEL"):
        said.insert(0, f"SAYSO_AGENT_MODEL={chosen}")
    detail = "; ".join(said) or "none on loopback; the built-in agent works without a model, as the scout"
    return Check("model endpoints", True, detail, data={"endpoints": found})


def _models(port: int) -> list[str] | None:
    """The ids of a server's models, or None where no such server answers."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=_CONNECT_S).close()
    except OSError:
        return None
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection("127.0.0.1", port, timeout=_ANSWER_S)
    try:
        connection.request("GET", "/v1/models")
        answer: Any = json.loads(connection.getresponse().read(1_000_000))
        return [str(model["id"]) for model in answer["data"]]
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()
