"""One declaration, every surface: what the catalog gives as an example validates, is listed, fills its form, is spoken
and becomes the very same call, whether it comes over MCP, from the shell, by command, from a form or by voice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from actions.catalog.form import FormField, effective_draft
from actions.catalog.registry import load
from actions.catalog.spec import ActionSpec, Surface
from actions.cli.arguments import parse as parse_arguments
from actions.cli.commands import find
from actions.cli.commands import load as load_commands
from actions.cli.invocation import Invocation
from actions.cli.main import _handler
from actions.delivery.desk import ToolDesk
from actions.execution.inputs import canonical, parse
from actions.execution.request import Completed, Outcome, Request
from actions.policy.settings import PolicySettings
from tests.actions.delivery.mcp.conftest import agent, editor
from voice.intent import Matcher, SpokenOption, World, compile
from voice.intent.catalog_words import words_of

CATALOG, POLICY, MANIFEST = load(), PolicySettings(), load_commands()
WORDS = words_of(CATALOG)
GRAMMAR = compile(WORDS.actions)
PLACES = {"{session_id}": "ses_kiosk", "{path}": "/tmp"}
"""What stands for the placeholders of examples: an id, and a directory that is there."""
LABELS = {"ses_kiosk": "Kiosk", "/tmp": "Orchard", "claude": "Claude", "builtin": "Scout", "review.start": "Review"}
"""How a person says a value that they choose from a list; anything else is said as it is."""


def filled(value: Any) -> Any:
    if isinstance(value, str):
        return PLACES.get(value, value)
    if isinstance(value, Mapping):
        return {key: filled(inner) for key, inner in value.items()}
    return [filled(inner) for inner in value] if isinstance(value, (list, tuple)) else value


NEEDED = {"session.config.set": {"value": "one"}, "session.user_action.answer": {"decision": "approve"}}
"""What actions without an example need beside their required fields."""


def least(spec: ActionSpec) -> dict[str, Any]:
    """For an action without an example: its required fields alone, with the plainest values."""
    required = {field.path: plainest(field) for field in CATALOG.form(spec) if field.required}
    return {**required, **NEEDED.get(spec.id, {})}


def plainest(field: FormField) -> Any:
    if field.options:
        return [field.options[0].value] if field.type == "list" else field.options[0].value
    by_type = {"integer": 1, "number": 1, "boolean": True, "list": ["one"], "json": {}}
    return by_type.get(field.type, "ses_kiosk" if field.ref == "session" else "one")


CASES = [
    pytest.param(spec, filled(example), id=f"{spec.id}-{number}")
    for spec in CATALOG
    for number, example in enumerate(spec.examples or [least(spec)])
]
EVERY = pytest.mark.parametrize(("spec", "example"), CASES)


def meant(spec: ActionSpec, given: Mapping[str, Any]) -> str:
    """What a call asks for, in the one form in which calls are compared, stored and approved."""
    return canonical(parse(spec, given))


class Recorder:
    """Behind the door: keeps what came."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    async def execute(self, request: Request) -> Outcome:
        self.requests.append(request)
        return Completed({})


@EVERY
def test_it_validates_and_fills_its_form(spec: ActionSpec, example: dict[str, Any]) -> None:
    fields = CATALOG.form(spec)
    assert set(example) <= {field.path for field in fields}
    assert meant(spec, effective_draft(fields, example)) == meant(spec, example)


@EVERY
async def test_over_mcp_it_is_listed_and_is_the_same_call(spec: ActionSpec, example: dict[str, Any]) -> None:
    door = Recorder()
    desk = ToolDesk(CATALOG, lambda: POLICY, door, lambda: "native_first")
    listed = tools()
    if Surface.MCP in spec.surfaces:
        jsonschema.validate(example, listed[spec.tool_name]["inputSchema"])
        await desk.call(editor(), spec.tool_name, example)
    else:
        assert spec.tool_name not in listed
    wrapped = {"action_id": spec.id, "input": example}
    jsonschema.validate(wrapped, listed["action_execute"]["inputSchema"])
    await desk.call(agent("ses_kiosk"), "action_execute", wrapped)
    camel = {re.sub(r"_(\w)", lambda found: found[1].upper(), name): value for name, value in example.items()}
    await desk.call(agent("ses_kiosk"), "action_execute", {"actionId": spec.id, "input": camel})
    assert {request.action_id for request in door.requests} == {spec.id}
    assert {meant(spec, request.input) for request in door.requests} == {meant(spec, example)}


@cache
def tools() -> dict[str, dict[str, Any]]:
    desk = ToolDesk(CATALOG, lambda: POLICY, Recorder(), lambda: "native_first")
    return {tool["name"]: tool for tool in desk.tools(editor())}


class Called(Exception):
    """A command has called its action."""


class Host:
    """In place of the host: notes the call of one action, and agrees to every other."""

    def __init__(self, action: str) -> None:
        self._action = action

    def call(self, method: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
        if method == "execute" and params["action"] == self._action:
            raise Called(params["input"])
        return {"ok": True, "outcome": "completed", "kind": "x", "data": {"id": "one", "path": "/tmp"}}


@EVERY
def test_by_command_it_is_the_same_call(
    spec: ActionSpec, example: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = MANIFEST
    projected = [command for command in manifest.commands if command["action"] == spec.id]
    if Surface.CLI not in spec.surfaces:
        assert projected == []
        return
    monkeypatch.setattr(Invocation, "host", lambda call, **more: Host(spec.id))
    lines = [line for command in projected if (line := words(command, example)) is not None]
    lines.append(["actions", "run", spec.id, "--input", json.dumps(example)])
    for line in lines:
        found = find(manifest, [*line, "--json"])
        assert found.command is not None
        values, flags = parse_arguments(found.command, found.rest)
        with pytest.raises(Called) as called:
            _handler(found.command)(Invocation(found.command, values, flags, found.rest, {}))
        assert meant(spec, called.value.args[0]) == meant(spec, example), line


def words(command: dict[str, Any], example: dict[str, Any]) -> list[str] | None:
    """The line of a command; None where the command does not take all that the example says."""
    arguments = {argument["field"]: argument for argument in command["arguments"]}
    if not set(example) <= set(arguments):
        return None
    line = list(command["words"])
    for name, argument in arguments.items():
        if name not in example:
            continue
        value = example[name]
        for one in value if argument["repeat"] else [value]:
            if argument["type"] == "boolean":
                line.append(argument["flag"] if one else "--no-" + argument["flag"].removeprefix("--"))
                continue
            said = one if isinstance(one, str) and argument["type"] != "json" else json.dumps(one)
            line += [said] if argument["flag"] is None else [argument["flag"], said]
    return line


SPOKEN = [case for case in CASES if isinstance(case.values[0], ActionSpec) and case.values[0].say]


@pytest.mark.parametrize(("spec", "example"), SPOKEN)
def test_by_voice_it_is_the_same_call(spec: ActionSpec, example: dict[str, Any]) -> None:
    chosen = {
        (spec.id, name): tuple(SpokenOption(one, LABELS.get(one, str(one))) for one in listed(value))
        for name, value in example.items()
        if (spec.id, name) in WORDS.sources
    }
    matcher = Matcher(GRAMMAR, World(chosen))
    said = [line for line in spec.say if line.language == "en" and set(line.slots) <= set(example)]
    for line in said:
        heard = matcher.match(spoken(line.template, example))
        assert heard.action == spec.id, heard
        told = {name: value for name, value in heard.input.items() if name in line.slots}
        if str(example.get("message", "")).endswith("."):
            told["message"] = f"{told['message']}."  # nobody says a full stop
        assert set(told) == set(line.slots), heard
        # What was not said is asked for: with the answers it is the whole call
        assert meant(spec, {**example, **told}) == meant(spec, example), heard


def listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def spoken(template: str, example: dict[str, Any]) -> str:
    """The plainest way to say a line: without what may be left out, with the first of several words."""
    text = re.sub(r"\[[^\]]*\]", "", template)
    while (found := re.search(r"\(([^()|]*)(\|[^()]*)*\)", text)) is not None:
        text = text[: found.start()] + found[1] + text[found.end() :]
    for name, value in example.items():
        text = text.replace(f"{{{name}}}", " and ".join(LABELS.get(one, str(one)) for one in listed(value)))
    return " ".join(text.split())


def test_the_directory_of_the_examples_is_there() -> None:
    assert Path(PLACES["{path}"]).is_dir()
