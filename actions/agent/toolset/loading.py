"""From a list of ``module:Class`` to tools that are ready: all of them, or one error that names every fault."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actions.agent.toolset.injection import CannotBuild, Table, build
from actions.agent.toolset.tool import SkipThisTool, Tool, TypedTool
from actions.errors import InvalidInput

_log = logging.getLogger(__name__)
_NATIVE = (".so", ".pyd", ".dylib")


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """One tool of an agent file: ``module:Class``, and the options that its constructor takes by keyword."""

    path: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is the matter with one path."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """``missing`` are tools whose modules cannot be imported here: left out, and a person should see the warning."""

    tools: tuple[Tool, ...]
    missing: tuple[Trouble, ...] = ()


class ToolsNotLoaded(InvalidInput):
    """Tools of an agent file cannot be used; ``troubles`` holds every path with its reason. No tool was loaded."""

    def __init__(self, troubles: Sequence[Trouble]) -> None:
        self.troubles = tuple(troubles)
        lines = "\n".join(f"  {trouble}" for trouble in troubles)
        fields = [{"field": trouble.path, "message": trouble.reason} for trouble in troubles]
        super().__init__(f"Correct these tools in the agent file:\n{lines}", fields)


def load_tools(entries: Sequence[ToolEntry], table: Table, known: Sequence[Trouble] = ()) -> Loaded:
    """The tools of ``entries`` in their order, built from ``table``.

    A tool that raises ``SkipThisTool`` is left out quietly, one whose module (or something that it imports) is not
    installed here with a warning. Raises :class:`ToolsNotLoaded` with every other fault at once, after those that are
    ``known`` already.
    """
    tools: dict[str, tuple[str, Tool]] = {}
    missing: list[Trouble] = []
    troubles = list(known)
    for entry in entries:
        try:
            tool = load_tool(entry, table)
            if tool.name in tools:
                raise _Wrong(f"its name {tool.name} is already that of {tools[tool.name][0]}")
            tools[tool.name] = (entry.path, tool)
        except SkipThisTool as skip:
            _log.debug("%s left out: %s", entry.path, skip)
        except _NotHere as absent:
            missing.append(Trouble(entry.path, str(absent)))
        except _Wrong as wrong:
            troubles.append(Trouble(entry.path, str(wrong)))
    if troubles:
        raise ToolsNotLoaded(troubles)
    for one in missing:
        _log.warning("Tool left out, its module cannot be imported here: %s", one)
    return Loaded(tuple(tool for _, tool in tools.values()), tuple(missing))


def load_tool(entry: ToolEntry, table: Table) -> Tool:
    """One tool with its description. Raises ``SkipThisTool``, :class:`_NotHere` or :class:`_Wrong`."""
    module_name, colon, class_name = entry.path.rpartition(":")
    if not (colon and module_name and class_name):
        raise _Wrong("it has to be written as module:Class")
    cls = _class(module_name, class_name)
    try:
        tool = build(cls, table, entry.options)
    except SkipThisTool:
        raise
    except CannotBuild as error:
        raise _Wrong(str(error)) from error
    except Exception as error:  # a constructor may raise anything; it is reported with the others
        raise _Wrong(f"its constructor failed: {_said(error)}") from error
    if not tool.name:
        raise _Wrong("it has no name")
    if TypedTool in cls.__mro__ and not hasattr(cls, "params"):
        raise _Wrong("it has no params")
    tool.description = tool.description or _description(cls, tool)
    return tool


def _class(module_name: str, class_name: str) -> type[Tool]:
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        if _is_absent(error):
            raise _NotHere(_said(error)) from error
        raise _Wrong(f"the module cannot be imported: {_said(error)}") from error
    except (Exception, SystemExit) as error:
        # A module may raise anything when it is imported, and one that is a script ends the process.
        raise _Wrong(f"the module cannot be imported: {_said(error)}") from error
    found = getattr(module, class_name, None)
    if found is None:
        raise _Wrong(f"the module has no class {class_name}")
    if not (inspect.isclass(found) and issubclass(found, Tool)):
        raise _Wrong(f"{class_name} is not a tool: it has to be a subclass of Tool or TypedTool")
    if inspect.isabstract(found):
        raise _Wrong(f"{class_name} does not implement {', '.join(sorted(found.__abstractmethods__))}")
    return found


def _is_absent(error: ImportError) -> bool:
    """Whether the environment lacks something: a module that is nowhere, or the system library under an extension."""
    if not isinstance(error, ModuleNotFoundError):
        unloadable = (error.path or "").endswith(_NATIVE)
        return unloadable and not str(error).startswith("cannot import name")
    if not error.name:
        return False
    try:
        return importlib.util.find_spec(error.name) is None
    except (ImportError, ValueError):
        return True


def _description(cls: type[Tool], tool: Tool) -> str:
    """The Markdown beside the module: named after the tool (``task_list.md``), else after the module."""
    module = Path(inspect.getfile(cls))
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", tool.name).lower()
    for file in dict.fromkeys((module.with_name(f"{snake}.md"), module.with_suffix(".md"))):
        if file.is_file():
            text = file.read_text(encoding="utf-8").strip()
            for name, words in tool.words.items():
                text = text.replace("{{" + name + "}}", words)
            if text:
                return text
    raise _Wrong(f"it has no description: write {snake}.md beside {module.name}")


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


class _Wrong(Exception):
    """This entry cannot be right, here or elsewhere."""


class _NotHere(Exception):
    """This entry may be right, but something is not installed here."""
