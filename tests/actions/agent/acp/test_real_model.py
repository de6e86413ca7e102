"""A real open model behind a whole session: llama.cpp's server with SmolLM2 135M answers a prompt over ACP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.actions.agent.acp.wired import Editor, wired
from tests.llama_server import installed, llama_server

pytestmark = [
    pytest.mark.agents,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not installed(), reason="make agents installs the model server"),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with llama_server() as address:
        yield address


async def test_a_session_is_answered(url: str, tmp_path: Path) -> None:
    """The agent's own prompt and tools fit the model's window, and the answer streams.

    A model this small may talk on until its window is full; both ends are the model's own.
    """
    environment = {
        "SAYSO_HOME": str(tmp_path / "home"),
        "SAYSO_AGENT_MODEL": "openai-compatible:smollm2",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": "none",
    }
    folder = tmp_path / "shop"
    folder.mkdir()
    editor = Editor(answer="reject_once")
    async with wired(editor, environment):
        session = await editor.open(folder)
        ended = await editor.say(session, "Say hello in one short sentence.")
        assert ended.stop_reason in ("end_turn", "max_tokens")
        pieces = [update.content.text for update in editor.of("agent_message_chunk")]
        assert len(pieces) > 1
        assert "".join(pieces).strip()
        usage = editor.of("usage_update")[-1]
        assert 0 < usage.used <= usage.size
