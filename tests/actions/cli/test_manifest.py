"""The manifest is what the catalog says, and holds every command once."""

from __future__ import annotations

import pytest

from actions.catalog.registry import load as load_catalog
from actions.catalog.spec import Surface
from actions.cli import manifest
from actions.cli.arguments import parse
from actions.cli.commands import find, load


def test_it_is_fresh() -> None:
    assert manifest.FILE.read_text(encoding="utf-8") == manifest.current(), "run: python -m actions.cli.manifest"


def test_every_action_of_the_command_line_has_a_command() -> None:
    on_cli = {spec.id for spec in load_catalog() if Surface.CLI in spec.surfaces}
    have = {c["action"] for c in load().commands}
    # The user's servers have short commands of their own, which come with the servers themselves.
    assert on_cli - have <= {"mcp.preview", "mcp.servers.list", "mcp.trust"}


def test_no_two_commands_have_the_same_words() -> None:
    words = [tuple(c["words"]) for c in load().commands]
    assert len(words) == len(set(words))


def test_every_command_and_argument_has_help_in_both_languages() -> None:
    for command in load().commands:
        for entry in [command, *command["arguments"]]:
            assert all(entry["help"].get(language) for language in ("en", "zh")), (command["words"], entry)


def test_the_commands_of_the_contract_are_there() -> None:
    promised = {
        "": "desktop demo host doctor voice agent completion",
        "providers": "list check",
        "workspace": "add list",
        "session": "new list show transcript send mode stop",
        "run start": "review plan delegate",
        "run": "list show wait stop",
        "actions": "search get options run policy set",
        "tools": "list call",
        "inbox": "list show approve reject defer answer",
        "mcp": "servers add remove enable disable test import login logout trust preview serve",
    }
    wanted = {f"{group} {word}".strip() for group, words in promised.items() for word in words.split()}
    have = {" ".join(c["words"]) for c in load().commands}
    assert wanted - have == set()


@pytest.mark.parametrize(
    "line",
    [
        "session config set {} --option web --value true",
        "session mcp set {}",
        "session permission respond {} --decision allow",
        "session user-action answer {} --decision approve",
    ],
)
def test_a_session_stands_first_or_behind_its_flag(line: str) -> None:
    for named in ("ses_1", "--session-id ses_1"):
        found = find(load(), line.format(named).split())
        assert found.command is not None
        assert parse(found.command, found.rest).values["session_id"] == "ses_1"


def test_every_command_of_several_words_is_in_the_overview() -> None:
    manifest = load()
    alone = {command["words"][0] for command in manifest.commands if len(command["words"]) == 1}
    assert {command["words"][0] for command in manifest.commands} - alone == set(manifest.groups)
