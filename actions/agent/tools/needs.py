"""What tools need from the agent around them: injected into their constructors by these types."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from actions.agent.toolset.results import ToolResult


@dataclass(frozen=True)
class Workspace:
    """The folder that the session works in; ``extra`` are further roots (ACP ``additionalDirectories``)."""

    root: Path
    extra: tuple[Path, ...] = ()

    def resolve(self, said: str) -> Path:
        """The real absolute path that ``said`` names: relative to the root, ``~`` and links followed."""
        return Path(os.path.realpath(self.root / Path(said).expanduser()))

    def holds(self, path: Path) -> bool:
        """Whether the resolved ``path`` lies inside one of the roots."""
        return any(path.is_relative_to(os.path.realpath(root)) for root in (self.root, *self.extra))

    def shown(self, path: Path) -> str:
        """``path`` for a reader: relative to the root where it is inside, by path parts."""
        root = Path(os.path.realpath(self.root))
        return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


@dataclass(frozen=True)
class Spool:
    """Where whole outputs go when the model only gets a part. Files are private to the user."""

    folder: Path

    def file(self, name: str) -> Path:
        """A path in the spool for ``name`` (a call id, a task id); the folder is made on first use."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
        return self.folder / safe.lstrip(".")[:120]

    def fresh(self, name: str) -> Path:
        """As :meth:`file`, but one that is not there yet: call ids may come again in a later turn."""
        file = first = self.file(name)
        number = 1
        while file.exists():
            number += 1
            file = first.with_stem(f"{first.stem}-{number}")
        return file


@dataclass(frozen=True)
class WebAccess:
    """What FetchURL and SearchWeb may do. ``search_url`` empty: no search service, SearchWeb skips itself."""

    private_addresses: bool = False
    search_url: str = ""
    search_key: str = field(default="", repr=False)


@dataclass(frozen=True)
class ModelSenses:
    """The kinds of input that the model takes besides text."""

    image: bool = False
    audio: bool = False
    video: bool = False


@dataclass(frozen=True)
class Option:
    """One answer to choose."""

    label: str
    description: str = ""


@dataclass(frozen=True)
class Question:
    """A question with two to four options; the person may also answer in words of their own."""

    question: str
    header: str
    options: tuple[Option, ...]
    multi: bool = False


class Questions(Protocol):
    """Puts questions before the user."""

    @property
    def available(self) -> bool:
        """False when the client cannot answer questions: the tool is hidden then."""
        ...

    async def ask(self, questions: Sequence[Question]) -> dict[str, list[str]] | None:
        """The chosen labels (or own words) by question text; None when the user dismissed them."""
        ...


@dataclass(frozen=True)
class PlanAnswer:
    """What the user said to a plan. ``feedback`` are the changes wanted, empty for a plain no."""

    approved: bool
    feedback: str = ""


class PlanMode(Protocol):
    """The read-only planning mode of a session."""

    @property
    def active(self) -> bool: ...

    @property
    def file(self) -> Path:
        """The one file that may be written while planning."""
        ...

    async def enter(self) -> None: ...

    async def propose(self, plan: str) -> PlanAnswer:
        """Put ``plan`` before the user (never a plain permission); an approved one leaves the mode."""
        ...


@dataclass
class TodoList:
    """The agent's own list: ``(title, status)``, status ``pending``, ``in_progress`` or ``done``."""

    items: tuple[tuple[str, str], ...] = ()


class Checkpoints(Protocol):
    """Earlier points of this session's context."""

    @property
    def last(self) -> int:
        """Number of the newest checkpoint, counted from 0; -1 when there is none."""
        ...

    def go_back(self, checkpoint: int, note: str) -> None:
        """After this step the context returns to ``checkpoint`` with ``note``; files stay. Raises ValueError."""
        ...


class Subagents(Protocol):
    """Hands tasks to subagents."""

    @property
    def types(self) -> dict[str, str]:
        """Description by type: ``coder``, ``explore``, ``plan``."""
        ...

    async def run(self, kind: str, description: str, prompt: str, *, background: bool) -> ToolResult:
        """Run one to its end, or start it in the background (a task that TaskOutput reads)."""
        ...
