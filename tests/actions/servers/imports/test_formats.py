"""The configurations of twelve programs, each read to what its own documentation says that it means."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actions.servers.imports.dialects import DIALECTS
from actions.servers.imports.documents import Reader, Unreadable
from actions.servers.imports.found import Found
from actions.servers.imports.plan import step_of
from actions.servers.keeping import owner_of

FIXTURES = Path(__file__).parents[3] / "fixtures" / "import"
READER = Reader(lambda server, name: f"{owner_of(server)}.{name}")


def fixture(client: str) -> Path:
    (file,) = [path for path in FIXTURES.glob(f"{client}.*") if not path.name.endswith(".expected.json")]
    return file


def test_there_is_a_fixture_for_every_program():
    assert {path.name.removesuffix(".expected.json") for path in FIXTURES.glob("*.expected.json")} == set(DIALECTS)
    assert len(DIALECTS) == 12


@pytest.mark.parametrize("client", sorted(DIALECTS))
def test_a_program_s_servers_are_read(client):
    file = fixture(client)
    found = READER.read(file.read_text(), client, file=file)
    expected: list[dict[str, Any]] = json.loads((FIXTURES / f"{client}.expected.json").read_text())
    assert [one.name for one in found] == [row["name"] for row in expected]
    for one, row in zip(found, expected, strict=True):
        check(one, row)


def check(found: Found, row: dict[str, Any]) -> None:
    if "unsupported" in row:
        assert row["unsupported"] in (found.unsupported or "")
        return
    assert found.unsupported is None
    assert found.entry == row["entry"]
    assert found.enabled is row["enabled"]
    assert found.block == row.get("block", {})
    assert list(found.ignored) == row.get("ignored", [])
    assert {one.id for one in found.asked} == set(row.get("asked", []))
    assert (found.scope, str(found.project)) == (row.get("scope", "user"), row.get("project", "None"))
    said = " ".join(found.warnings)
    for word in row.get("says", []):
        assert word in said
    assert bool(said) == bool(row.get("says")), said


@pytest.mark.parametrize("client", ["codex", "goose", "zed", "vscode", "opencode", "claude-code", "cursor", "kiro"])
def test_pasted_text_is_read_without_being_told_whose_it_is(client):
    pasted = READER.read(fixture(client).read_text(), None)
    expected = json.loads((FIXTURES / f"{client}.expected.json").read_text())
    assert [one.name for one in pasted] == [row["name"] for row in expected]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('\ufeff{"mcpServers": {"a": {"command": "x"}}}', ["a"]),
        ('{"a": {"command": "x"}, "b": {"url": "https://x.example/mcp"}}', ["a", "b"]),
        ('{"command": "npx", "args": ["-y", "@playwright/mcp@latest"]}', ["playwright"]),
        ('{"name": "mine", "url": "https://x.example/mcp"}', ["mine"]),
        ('{"mcp": {"servers": {"a": {"command": "x"}}}}', ["a"]),
        ('{"mcp": {"servers": {"a": {"command": ["x"], "disabled": true}}, "other": 1}}', ["a"]),
    ],
)
def test_other_shapes_of_pasted_text(text, names):
    assert [one.name for one in READER.read(text, None)] == names


@pytest.mark.parametrize(
    ("line", "name", "entry"),
    [
        ("npx -y @modelcontextprotocol/server-filesystem /srv", "filesystem",
         {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv"]}),
        ("$ uvx mcp-server-git==2026.10.19", "git", {"command": "uvx", "args": ["mcp-server-git==2026.10.19"]}),
        ("API_KEY=abc 'my server' --x", "my-server",
         {"command": "my server", "args": ["--x"], "env": {"API_KEY": "abc"}}),
        ("env A=1 /opt/tools/mcp-thing.py", "thing", {"command": "/opt/tools/mcp-thing.py", "env": {"A": "1"}}),
        ("https://mcp.context7.com/mcp", "context7", {"type": "http", "url": "https://mcp.context7.com/mcp"}),
        ("claude mcp add weather -e KEY=v --scope user -- npx -y weather-mcp", "weather",
         {"command": "npx", "args": ["-y", "weather-mcp"], "env": {"KEY": "v"}}),
        ("claude mcp add --transport sse asana https://mcp.asana.com/sse --header 'X-Key: v'", "asana",
         {"type": "sse", "url": "https://mcp.asana.com/sse", "headers": {"X-Key": "v"}}),
    ],
)  # fmt: skip
def test_a_command_line_is_a_server(line, name, entry):
    (found,) = READER.read_line(line)
    assert (found.name, found.entry) == (name, entry)


KEYS = sorted(
    """
    mcpServers servers mcp mcp_servers context_servers extensions projects inputs a command args env url httpUrl headers
    type timeout enabled disabled trust tools oauth auth env_vars env_keys envs cmd uri source settings id password
    """.split()
)
TEXTS = ["", "npx", "${input:x}", "$V", "{file:p}", "https://x.example/", "http", "a\0b"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5), st.sampled_from([None, *sorted(DIALECTS)]))
def test_whatever_stands_there_it_is_read_or_told(document, client):
    text = json.dumps(document)
    if client == "codex":
        return  # TOML; its values pass the same way
    try:
        found = READER.read(text, client)
    except Unreadable:
        return
    for one in found:
        step_of(one, {}, lambda entry, existing: False).shown({})


def test_a_yaml_that_grows_when_it_is_unfolded_is_not_unfolded():
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{n}: &{n} [{', '.join([f'*{before}'] * 10)}]" for before, n in itertools.pairwise("abcdefghijkl")]
    lines += ["extensions:", "  bomb:", "    type: stdio", "    cmd: run", "    args: [*l]", "    envs: {A: *l}"]
    (found,) = READER.read("\n".join(lines), "goose")
    assert found.unsupported == "its args are no list of texts"
