"""Tool and command projections: names, flags, annotations."""

from __future__ import annotations

from actions.catalog.projections.command import commands
from actions.catalog.projections.tool import tool
from actions.catalog.registry import load

CATALOG = load()
COMMANDS = {" ".join(c.words): c for c in commands(CATALOG)}


def flags(words):
    return {a.flag: a for a in COMMANDS[words].arguments if a.flag}


def test_the_contract_commands_are_there():
    for words in (
        "session new", "session list", "session show", "session transcript", "session send", "session mode",
        "session stop", "run start plan", "run start review", "run start delegate", "run list", "run show", "run wait",
        "run stop", "workspace add", "workspace list", "providers list", "providers check", "actions search",
        "actions get", "actions options", "actions policy", "actions set", "inbox list", "inbox show", "inbox defer",
    ):  # fmt: skip
        assert words in COMMANDS, words


def test_an_action_without_a_command_of_its_own_is_its_id_as_words():
    assert COMMANDS["approval request create"].action == "approval.request.create"
    assert COMMANDS["session target primary set"].action == "session.target.primary.set"


def test_positional_arguments_come_first_and_have_no_flag():
    arguments = COMMANDS["session send"].arguments
    assert [(a.field, a.flag) for a in arguments[:2]] == [("session_id", None), ("message", None)]


def test_lists_repeat_and_names_are_the_contract_s():
    plan = flags("run start plan")
    assert plan["--provider"].repeat
    assert plan["--provider"].field == "providers"
    assert {"--session-id", "--workspace", "--instructions"} <= set(plan)
    new = flags("session new")
    assert {"--provider", "--workspace", "--title", "--prompt", "--wait"} <= set(new)
    assert new["--prompt"].field == "initial_message"
    assert flags("run wait")["--timeout"].field == "timeout_s"
    policy = flags("actions set")
    assert policy["--enabled"].choices == ["on", "off", "default"]
    assert policy["--exposure"].choices == ["default", "direct", "discoverable"]


def test_only_actions_of_the_command_line_are_commands():
    actions = {c.action for c in COMMANDS.values()}
    assert "ui.open" not in actions
    assert "voice.listen.start" not in actions


def test_annotations_come_from_the_effect():
    read = tool(CATALOG.specs["session.list"]).annotations
    danger = tool(CATALOG.specs["session.delete"]).annotations
    assert (read["readOnlyHint"], read["destructiveHint"], read["idempotentHint"]) == (True, False, True)
    assert (danger["readOnlyHint"], danger["destructiveHint"]) == (False, True)


def test_the_schema_is_in_snake_case_and_closed():
    schema = tool(CATALOG.specs["session.mode.set"]).input_schema
    assert set(schema["properties"]) == {"session_id", "mode_id"}
    assert schema["required"] == ["mode_id"]
    assert schema["additionalProperties"] is False
