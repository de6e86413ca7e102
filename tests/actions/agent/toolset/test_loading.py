"""Loading tools: what is injected, what is left out, what fails, and that it fails all at once."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

import pytest

from actions.agent.toolset.loading import ToolEntry, ToolsNotLoaded, load_tools
from tests.actions.agent.toolset import toolbox
from tests.actions.agent.toolset.toolbox import Garden, House

BOX = "tests.actions.agent.toolset.toolbox"
HOUSE, GARDEN = House(), Garden()
TABLE = {House: HOUSE, Garden: GARDEN}


def entries(*classes: str) -> list[ToolEntry]:
    return [ToolEntry(f"{BOX}:{name}") for name in classes]


def only(name: str, **options: Any) -> Any:
    return load_tools([ToolEntry(f"{BOX}:{name}", options)], TABLE).tools[0]


def reasons(*paths: str | ToolEntry) -> dict[str, str]:
    with pytest.raises(ToolsNotLoaded) as caught:
        load_tools([path if isinstance(path, ToolEntry) else ToolEntry(path) for path in paths], TABLE)
    return {trouble.path: trouble.reason for trouble in caught.value.troubles}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes a module that can be imported by its name."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name: str, text: str) -> str:
        tmp_path.joinpath(f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return name

    return write


def test_50_a_valid_list_gives_all_tools_in_order() -> None:
    """Case 50."""
    loaded = load_tools(entries("Second", "NeedsHouse", "Plain"), TABLE)
    assert [tool.name for tool in loaded.tools] == ["Second", "NeedsHouse", "Plain"]
    assert loaded.missing == ()


def test_dependencies_come_by_type_in_their_places() -> None:
    tool = only("NeedsHouse")
    assert (tool.house, tool.garden) == (HOUSE, GARDEN)


def test_an_inherited_constructor_counts() -> None:
    assert only("Inherits").garden is GARDEN


def test_annotations_written_as_text_resolve() -> None:
    tool = only("InText")
    assert (tool.house, tool.garden) == (HOUSE, GARDEN)


def test_a_type_imported_for_checkers_only_is_found_by_its_name_in_the_table() -> None:
    class Clock:
        pass

    clock = Clock()
    tool: Any = load_tools(entries("ForCheckersOnly"), {Clock: clock}).tools[0]
    assert tool.clock is clock


def test_a_default_stays_when_nobody_has_the_type() -> None:
    tool = only("KeepsDefault")
    assert (tool.house, tool.cellar, tool.depth) == (HOUSE, None, 3)


def test_injection_stops_at_the_first_keyword_only_parameter() -> None:
    tool = only("HasOptions")
    assert (tool.house, tool.garden, tool.limit) == (HOUSE, None, 60)


def test_keyword_only_parameters_are_options_of_the_agent_file() -> None:
    assert only("HasOptions", limit="90").limit == 90
    assert only("NeedsOption", key="k").key == "k"


def test_a_tool_that_skips_itself_is_left_out_quietly(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        loaded = load_tools(entries("Plain", "SkipsItself", "Second"), TABLE)
    assert [tool.name for tool in loaded.tools] == ["Plain", "Second"]
    assert loaded.missing == ()
    assert caplog.records == []


def test_a_module_that_is_not_there_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    loaded = load_tools([ToolEntry("not_installed_here.tools:Fancy"), *entries("Plain")], TABLE)
    assert [tool.name for tool in loaded.tools] == ["Plain"]
    assert [one.path for one in loaded.missing] == ["not_installed_here.tools:Fancy"]
    assert "not_installed_here" in loaded.missing[0].reason
    assert "not_installed_here.tools:Fancy" in caplog.text


def test_a_module_whose_library_is_not_there_is_a_warning(module: Any) -> None:
    name = module("wants_library", "import a_library_nobody_has\n")
    loaded = load_tools([ToolEntry(f"{name}:Tool")], TABLE)
    assert loaded.tools == ()
    assert "a_library_nobody_has" in loaded.missing[0].reason


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bad_syntax", "class Tool(:\n", "SyntaxError"),
        ("bad_attribute", "import os\nos.nothing_of_this_name\n", "AttributeError"),
        ("bad_name", "from os import nothing_of_this_name\n", "ImportError"),
        ("liar", "raise ModuleNotFoundError('no os', name='os')\n", "no os"),
        ("script", "raise SystemExit(3)\n", "SystemExit"),
    ],
)
def test_a_module_that_is_broken_is_an_error(module: Any, name: str, text: str, said: str) -> None:
    path = f"{module(name, text)}:Tool"
    assert said in reasons(path)[path]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("NeedsCellar", "'cellar' needs a Cellar"),
        ("NoType", "'something' has no type"),
        ("Unresolved", "Nowhere"),
        ("Breaks", "RuntimeError: no power"),
        ("NoSuchClass", "no class NoSuchClass"),
        ("NOT_A_TOOL", "not a tool"),
        ("House", "not a tool"),
        ("Unfinished", "run"),
        ("Nameless", "no name"),
        ("NoParams", "no params"),
        ("Undescribed", "write undescribed.md beside toolbox.py"),
        ("NeedsOption", "'key' has to be given"),
    ],
)
def test_each_fault_is_named(name: str, said: str) -> None:
    path = f"{BOX}:{name}"
    assert said in reasons(path)[path]


@pytest.mark.parametrize("path", ["no_colon", "", ":Class", "module:"])
def test_a_path_is_module_and_class(path: str) -> None:
    assert reasons(path) == {path: "it has to be written as module:Class"}


def test_the_last_colon_splits() -> None:
    loaded = load_tools([ToolEntry("odd:module:Class")], TABLE)
    assert "'odd:module'" in loaded.missing[0].reason


def test_options_that_do_not_fit_are_named() -> None:
    wrong = ToolEntry(f"{BOX}:HasOptions", {"limit": "soon"})
    assert "the option 'limit'" in reasons(wrong)[wrong.path]
    unknown = ToolEntry(f"{BOX}:HasOptions", {"limits": 3})
    assert reasons(unknown)[unknown.path] == "there is no option 'limits'; HasOptions has: garden, limit"
    none = ToolEntry(f"{BOX}:Plain", {"limit": 3})
    assert "Plain has: none" in reasons(none)[none.path]


def test_a_name_twice_is_an_error_that_names_both() -> None:
    told = reasons(f"{BOX}:Plain", f"{BOX}:Namesake")
    assert told == {f"{BOX}:Namesake": f"its name Plain is already that of {BOX}:Plain"}


def test_every_fault_is_told_at_once_and_nothing_is_loaded() -> None:
    paths = [f"{BOX}:{name}" for name in ("NeedsCellar", "Plain", "Breaks")]
    told = reasons("no_colon", *paths, "not_installed_here:Tool")
    assert set(told) == {"no_colon", paths[0], paths[2]}


def test_the_error_is_one_for_a_person_and_a_machine() -> None:
    with pytest.raises(ToolsNotLoaded) as caught:
        load_tools([ToolEntry("no_colon"), *entries("Breaks")], TABLE)
    assert "no_colon: it has to be written as module:Class" in caught.value.message
    assert [field["field"] for field in caught.value.details["fields"]] == ["no_colon", f"{BOX}:Breaks"]


def test_the_description_is_the_markdown_beside_the_module() -> None:
    assert only("Described").description == "Has seven corners."
    assert toolbox.Described.description == ""
