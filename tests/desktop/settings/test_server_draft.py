"""The form of a server: what is typed becomes a definition, and only what differs becomes a change."""

import pytest

from actions.catalog.server_views import ServerView
from desktop.settings.server_draft import BadDraft, Draft, changes_of, definition_of, draft_of

SERVER = ServerView.model_validate(
    {
        "name": "files", "transport": "stdio", "scope": "device", "file": "/m.json", "line": 3, "enabled": True,
        "reason": "active_by_default", "command": "npx", "args": ["-y", "a b"], "env": {"KEY": "•••", "A": "1"},
        "content_hash": "h", "revision": "r",
    }
)  # fmt: skip


def test_a_command_line_is_split_as_a_shell_does() -> None:
    found = definition_of(Draft("files", "", "npx -y 'a b'", "/tmp", "A=1\n\nB=x=y"))
    assert found == {
        "name": "files", "command": "npx", "args": ["-y", "a b"], "cwd": "/tmp", "env": {"A": "1", "B": "x=y"},
    }  # fmt: skip


def test_an_address_is_remote() -> None:
    found = definition_of(Draft("web", "Web", "https://x.example/mcp", headers="Authorization: Bearer ${T}"))
    assert found["url"] == "https://x.example/mcp"
    assert found["headers"] == {"Authorization": "Bearer ${T}"}
    assert "command" not in found


@pytest.mark.parametrize(
    ("draft", "field"),
    [(Draft("a", line="npx 'open"), "line"), (Draft("a", line="x", env="NOPE"), "env")],
)
def test_what_is_nothing_says_where(draft: Draft, field: str) -> None:
    with pytest.raises(BadDraft) as bad:
        definition_of(draft)
    assert bad.value.field == field


def test_what_was_not_touched_is_not_sent_so_dots_never_become_a_value() -> None:
    draft = draft_of(SERVER)
    assert changes_of(SERVER, draft) == {}
    other = Draft(draft.name, "Files", draft.line, "", "KEY=•••\nB=2")
    assert changes_of(SERVER, other) == {"title": "Files", "env": {"A": None, "B": "2"}}
