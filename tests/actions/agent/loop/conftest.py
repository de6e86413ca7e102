"""Opens sessions of the agent with all their real parts, and closes them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest_asyncio

from actions.agent.loop.build import open_session
from actions.agent.loop.options import AgentOptions
from actions.agent.session.store import SessionStore
from actions.agent.tools.needs import Workspace
from actions.storage.paths import Paths
from tests.actions.agent.loop.stage import Person, Screen, Server, Stage, serve

Open = Callable[..., Awaitable[Stage]]


@pytest_asyncio.fixture
async def stage(tmp_path: Path, monkeypatch: Any) -> AsyncIterator[Open]:
    """Opens a session in ``tmp_path/shop``: ``stage(script)`` with a model, ``stage()`` without one.

    ``session_id`` opens a kept one, ``provider`` chooses the wire format; the rest goes into the options.
    """
    monkeypatch.setenv("SAYSO_HOME", str(tmp_path / "home"))
    paths = Paths.from_environment()
    root = tmp_path / "shop"
    root.mkdir()
    count = 0

    async with AsyncExitStack() as stack:

        async def start(
            script: dict[str, Any] | None = None,
            *,
            session_id: str | None = None,
            provider: str = "openai-chat",
            person: Person | None = None,
            server: Server | None = None,
            model: Any = None,
            **options: Any,
        ) -> Stage:
            nonlocal count
            count += 1
            if script is not None:
                server = serve(tmp_path / f"llm{count}", script)
                stack.callback(server.process.wait)
                stack.callback(server.process.terminate)
            if server is not None and model is None:
                from actions.agent.model.ref import ModelRef
                from actions.agent.model.requests import open_model

                base = f"{server.url}/v1" if provider.startswith("openai") else server.url
                model = open_model(ModelRef(provider, "fake-model", base, "environment"))
                stack.push_async_callback(model.aclose)
            store = SessionStore(paths.state / "agent" / "sessions")
            file = store.open(session_id) if session_id else store.create(str(root))
            screen, person = Screen(), person or Person()
            session = open_session(
                AgentOptions(
                    workspace=Workspace(root),
                    file=file,
                    screen=screen,
                    person=person,
                    paths=paths,
                    model=model,
                    **options,
                )
            )
            stack.push_async_callback(session.close)
            return Stage(session, screen, person, root, server)

        yield start
