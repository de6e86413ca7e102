"""What the scout found, as data: the result of a plan run.

Every list is bounded and in a fixed order; the same repository and the same instructions give the same plan, byte for
byte. Paths are POSIX and relative to the workspace, line numbers are 1-based.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Line(Frozen):
    """A place worth reading. ``defines`` is the name that the line defines, if it does."""

    number: int
    text: str
    defines: str | None = None


class RelevantFile(Frozen):
    """A ranked file. ``score`` is 100 for the best one; ``reasons`` are sentences for a person, strongest first.

    ``at`` is the line to start at, ``lines`` are the ones to look at, in line order.
    """

    path: str
    score: float
    at: int | None = None
    reasons: tuple[str, ...]
    lines: tuple[Line, ...] = ()


class EntryPoint(Frozen):
    """Where the program is entered or driven. ``kind``: ``script | main | make | container | process | ci``."""

    kind: str
    name: str
    path: str
    target: str = ""


class RelatedTest(Frozen):
    path: str
    covers: tuple[str, ...]
    reason: str


class Todo(Frozen):
    path: str
    line: int
    text: str
    near: bool


class Churn(Frozen):
    """How often a relevant file changed in the commits that were read. ``last`` is an ISO date."""

    path: str
    commits: int
    added: int
    deleted: int
    last: str


class Language(Frozen):
    name: str
    files: int
    lines: int


class Repository(Frozen):
    """The repository as a whole. ``branch`` and ``head`` are None without git or without a commit."""

    files: int
    lines: int
    languages: tuple[Language, ...]
    source: str
    branch: str | None = None
    head: str | None = None
    commits_read: int = 0
    changed: int = 0


class Step(Frozen):
    """One suggested step; ``paths`` are the files that it is about."""

    title: str
    detail: str
    paths: tuple[str, ...] = ()


class Plan(Frozen):
    """The whole result. ``author`` is always the scout: no model wrote this."""

    instructions: str
    summary: str
    author: str = "scout"
    repository: Repository
    files: tuple[RelevantFile, ...] = ()
    entry_points: tuple[EntryPoint, ...] = ()
    tests: tuple[RelatedTest, ...] = ()
    todos: tuple[Todo, ...] = ()
    churn: tuple[Churn, ...] = ()
    questions: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
