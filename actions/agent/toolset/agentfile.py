"""The agent file: YAML that says what an agent is made of.

    extend: default                 # the built-in one, or a file relative to this one
    name: reviewer
    description: Reads, never writes
    system_prompt: reviewer.md      # relative to the file that says it
    tools: [...]                    # the list; left out, it is inherited
    allowed_tools: [...]            # replaces the list; entries keep the options that they had
    add_tools: [...]                # adds to it, or changes the options of a tool that is there
    exclude_tools: [...]            # then removes from it
    hooks: [...]                    # added after the inherited ones
    subagents: {explore: {file: explore.yaml, description: ...}}    # added by name; null removes one

A tool is written ``module:Class``, or ``{tool: module:Class, options: {...}}`` with options of its own; in
``allowed_tools`` and ``exclude_tools`` the class alone will do for a tool that is in the list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from actions.agent.hooks.config import Hook
from actions.agent.toolset.loading import ToolEntry, Trouble
from actions.errors import InvalidInput, NotFound

AGENTS = Path(__file__).parents[1] / "agents"
"""The built-in agent files; ``extend`` and :func:`read_agent_file` know them by their bare names."""


@dataclass(frozen=True, slots=True)
class SubagentEntry:
    """A kind of subagent: its agent file, and what it is good for in words for the model."""

    file: Path
    description: str


@dataclass(frozen=True, slots=True)
class AgentFile:
    """One agent, everything that it extends taken in. ``troubles``: what is wrong with its list of tools, for
    :func:`load_tools` to report with everything else.
    """

    file: Path
    name: str
    description: str = ""
    system_prompt: Path | None = None
    tools: tuple[ToolEntry, ...] = ()
    hooks: tuple[Hook, ...] = ()
    subagents: Mapping[str, SubagentEntry] = field(default_factory=dict[str, SubagentEntry])
    troubles: tuple[Trouble, ...] = ()


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Tool(_Strict):
    tool: str
    options: dict[str, Any] = Field(default_factory=dict)


class _Subagent(_Strict):
    file: str
    description: str = ""


class _Written(_Strict):
    extend: str | None = None
    name: str | None = None
    description: str | None = None
    system_prompt: str | None = None
    tools: list[str | _Tool] | None = None
    allowed_tools: list[str | _Tool] | None = None
    add_tools: list[str | _Tool] = Field(default_factory=list[str | _Tool])
    exclude_tools: list[str] = Field(default_factory=list)
    hooks: list[Hook] = Field(default_factory=list[Hook])
    subagents: dict[str, _Subagent | None] = Field(default_factory=dict[str, "_Subagent | None"])


def builtin_agent(name: str) -> Path:
    """The built-in agent file of that name. Raises ``NotFound`` with the names there are."""
    file = AGENTS / f"{name}.yaml"
    if not (name.isidentifier() and file.is_file()):
        known = ", ".join(sorted(one.stem for one in AGENTS.glob("*.yaml")))
        raise NotFound(f"There is no built-in agent {name!r}. These are there: {known}.")
    return file


def read_agent_file(said: Path | str) -> AgentFile:
    """The agent that a file, or the bare name of a built-in one, describes.

    Raises ``NotFound`` when a file is not there, ``InvalidInput`` when one is wrong or when files extend each other
    in a circle; both name the file.
    """
    return _read(_named(str(said), Path.cwd()), ())


def _read(file: Path, above: tuple[Path, ...]) -> AgentFile:
    chain = (*above, file)
    if file in above:
        told = " -> ".join(str(one) for one in chain[above.index(file) :])
        raise InvalidInput(f"These agent files extend each other in a circle: {told}. Take one `extend` out.")
    written = _parse(file, above)
    base = _read(_named(written.extend, file.parent), chain) if written.extend else AgentFile(file, file.stem)
    subagents = dict(base.subagents)
    for name, one in written.subagents.items():
        subagents.pop(name, None)
        if one is not None:
            subagents[name] = SubagentEntry(_named(one.file, file.parent), one.description)
    prompt = base.system_prompt if written.system_prompt is None else _beside(written.system_prompt, file.parent)
    if prompt is not None and not prompt.is_file():
        raise NotFound(f"{file}: the system prompt {prompt} is not there. Correct `system_prompt` or write the file.")
    tools, troubles = _tools(file, base.tools, written)
    return AgentFile(
        file=file,
        name=written.name or file.stem,
        description=base.description if written.description is None else written.description,
        system_prompt=prompt,
        tools=tools,
        hooks=(*base.hooks, *written.hooks),
        subagents=subagents,
        troubles=(*base.troubles, *troubles),
    )


def _parse(file: Path, above: Sequence[Path]) -> _Written:
    import yaml

    try:
        data: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        told = f", which {above[-1]} extends," if above else ""
        raise NotFound(f"The agent file {file}{told} is not there.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The agent file {file} cannot be read: {error}") from error
    except yaml.YAMLError as error:
        raise InvalidInput(f"The agent file {file} is not YAML: {error}") from error
    try:
        return _Written.model_validate({} if data is None else data)
    except ValidationError as error:
        fields = [
            {"field": ".".join(str(step) for step in one["loc"]) or "the file", "message": one["msg"]}
            for one in error.errors()
        ]
        told = "; ".join(f"{one['field']}: {one['message']}" for one in fields)
        raise InvalidInput(f"Correct the agent file {file}: {told}", fields) from error


def _tools(
    file: Path, inherited: tuple[ToolEntry, ...], written: _Written
) -> tuple[tuple[ToolEntry, ...], list[Trouble]]:
    troubles: list[Trouble] = []
    entries = inherited if written.tools is None else tuple(_entry(one) for one in written.tools)
    if written.allowed_tools is not None:
        entries = tuple(_allowed(one, entries) for one in written.allowed_tools)
    for added in map(_entry, written.add_tools):
        there = [entry.path for entry in entries]
        at = there.index(added.path) if added.path in there else len(there)
        entries = (*entries[:at], added, *entries[at + 1 :])
    for excluded in written.exclude_tools:
        kept = tuple(entry for entry in entries if not _means(excluded, entry))
        # A tool left in by a slip of the pen is worse than a start that fails.
        if len(kept) == len(entries) and not any(_means(excluded, entry) for entry in inherited):
            troubles.append(Trouble(excluded, f"`exclude_tools` of {file} names it, and the list of tools does not"))
        entries = kept
    return entries, troubles


def _entry(said: str | _Tool) -> ToolEntry:
    return ToolEntry(said) if isinstance(said, str) else ToolEntry(said.tool, said.options)


def _allowed(said: str | _Tool, entries: Sequence[ToolEntry]) -> ToolEntry:
    if not isinstance(said, str):
        return _entry(said)
    return next((entry for entry in entries if _means(said, entry)), ToolEntry(said))


def _means(said: str, entry: ToolEntry) -> bool:
    return said in (entry.path, entry.path.rpartition(":")[2])


def _named(said: str, folder: Path) -> Path:
    """A built-in agent by its bare name, else a file."""
    if said.isidentifier() and (AGENTS / f"{said}.yaml").is_file():
        return AGENTS / f"{said}.yaml"
    return _beside(said, folder)


def _beside(said: str, folder: Path) -> Path:
    return (folder / Path(said).expanduser()).resolve()
