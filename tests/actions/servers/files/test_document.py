"""A file of servers is read by line and changed without a loss: comments, unknown keys, another's edit."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from actions.errors import ErrorCode, SaysoError
from actions.servers.files.book import Book
from actions.servers.files.document import ServerFile
from actions.servers.jsonc.editing import put

TEXT = """{
  // what I use every day
  "mcpServers": {
    "files": {
      "command": "npx", // pinned on purpose
      "args": ["-y", "files@1.2.3"],
      "autoApprove": ["read"]
    },
  },
  "$schema": "https://example.com/schema.json"
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mcp.json"
    path.write_text(TEXT)
    return path


def test_a_change_keeps_comments_and_keys_that_are_not_ours(file):
    ServerFile(file).change(lambda text: put(text, ["mcpServers", "files", "args"], ["-y", "files@2"]))
    assert file.read_text() == TEXT.replace("files@1.2.3", "files@2")


def test_a_new_file_is_made_for_its_owner_alone(tmp_path):
    path = tmp_path / "config" / "mcp.json"
    made = ServerFile(path).change(lambda text: put(text, ["mcpServers", "a"], {"command": "x"}), "absent")
    assert json.loads(path.read_text()) == {"mcpServers": {"a": {"command": "x"}}}
    assert path.stat().st_mode & 0o777 == 0o600
    assert made.servers == {"a": {"command": "x"}}


def test_a_workspace_s_file_keeps_its_mode_and_its_link(tmp_path):
    real = tmp_path / "shared.json"
    real.write_text("{}")
    real.chmod(0o640)
    link = tmp_path / ".mcp.json"
    link.symlink_to(real)
    ServerFile(link).change(lambda text: put(text, ["mcpServers", "a"], {"command": "x"}))
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b'{\n  "mcpServers": {\n    "a": {"command": "x"}\n    "b": {}\n  }\n}', 4, "comma"),
        (b'{"mcpServers": {}\n', 2, "comma or }"),
        (b"[]", 1, "object in braces"),
        (b'{\n\n"mcpServers": []}', 3, "mcpServers must be an object"),
        (b'{\n"sayso": true}', 2, "sayso must be an object"),
        (b'{\n"a": "\xff"}', 2, "UTF-8"),
        (b'{\n"a": "\\ud83d\\ude00",\n"b": "\\ud83d"}', 3, "half a character"),
    ],
)
def test_a_broken_file_is_told_by_its_line_and_never_overwritten(file, content, line, says):
    file.write_bytes(content)
    found = ServerFile(file).read()
    assert found.problem is not None
    assert (found.problem.line, found.servers) == (line, {})
    assert says in found.problem.message
    assert str(file) in found.problem.message
    with pytest.raises(SaysoError, match="Nothing was changed") as raised:
        ServerFile(file).change(lambda text: put(text, ["mcpServers", "n"], {"command": "x"}))
    assert raised.value.details["line"] == line
    assert file.read_bytes() == content


def test_a_pipe_in_place_of_the_file_is_told_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "mcp.json")
    assert "ordinary file" in ServerFile(tmp_path / "mcp.json").read().problem.message


def test_a_change_for_an_older_revision_is_refused_with_the_difference(file):
    editor = ServerFile(file)
    seen = editor.read().revision
    changed = TEXT.replace("files@1.2.3", "files@9").replace('"$schema"', '"sayso": {"bindings": {}}, "$schema"')
    file.write_text(changed)
    with pytest.raises(SaysoError) as raised:
        editor.change(lambda text: put(text, ["mcpServers", "files", "command"], "bunx"), seen)
    assert raised.value.code is ErrorCode.STALE
    assert raised.value.details["difference"] == [
        {"path": "mcpServers.files.args", "was": ["-y", "files@1.2.3"], "is": ["-y", "files@9"]},
        {"path": "sayso.bindings", "was": None, "is": {}},
    ]
    assert "files.args" in raised.value.message
    assert file.read_text() == changed


def test_the_difference_shows_no_secret(file):
    file.write_text('{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "canary-one"}}}}')
    editor = ServerFile(file)
    seen = editor.read().revision
    file.write_text('{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "canary-two", "B": "1"}}}}')
    with pytest.raises(SaysoError) as raised:
        editor.change(lambda text: text, seen)
    assert "canary" not in json.dumps(raised.value.as_json())
    assert [row["path"] for row in raised.value.details["difference"]] == [
        "mcpServers.a.env.API_KEY",
        "mcpServers.a.env.B",
    ]


def test_without_a_revision_a_change_is_made_to_what_is_there_now(file):
    editor = ServerFile(file)
    editor.read()
    file.write_text(TEXT.replace('"$schema"', '"mine": 1,\n  "$schema"'))
    editor.change(lambda text: put(text, ["mcpServers", "b"], {"command": "y"}))
    now = json.loads(file.read_text().replace("// what I use every day", "").replace("// pinned on purpose", "")
                     .replace("},\n  },", "}\n  },"))  # fmt: skip
    assert now["mine"] == 1
    assert set(now["mcpServers"]) == {"files", "b"}


def test_an_edit_that_comes_while_we_write_is_kept(file):
    editor = ServerFile(file)
    rounds: list[str] = []

    def edit(text: str) -> str:
        if not rounds:  # somebody else saves in between
            file.write_text(TEXT.replace("files@1.2.3", "files@3"))
        rounds.append(text)
        return put(text, ["mcpServers", "b"], {"command": "y"})

    editor.change(edit)
    assert len(rounds) == 2
    assert "files@3" in file.read_text()
    assert '"b"' in file.read_text()


def test_an_edit_by_hand_is_seen_and_told(tmp_path, file):
    told: list[int] = []
    book = Book(file, dict)
    assert [server.name for server in book.effective(None)] == ["files"]
    stop = book.watch(lambda: told.append(1))
    assert not book.look()
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    assert book.look()
    assert told == [1]
    assert [server.name for server in book.effective(None)] == ["other"]
    stop()
    file.unlink()
    assert book.look()
    assert told == [1]
    assert book.effective(None) == ()
