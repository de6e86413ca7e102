"""Grep: search the content of files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from actions.agent.tools.needs import Workspace
from actions.agent.tools.paths import locate, printable, shown, stat_of
from actions.agent.tools.searching.choice import EngineName, choose, in_thread
from actions.agent.tools.searching.dialect import BadPattern, literal, normal
from actions.agent.tools.searching.engine import Found, Line, Query, Stop
from actions.agent.tools.searching.globs import BadGlob, matcher
from actions.agent.tools.searching.own import Searcher, TooSlow
from actions.agent.tools.searching.ripgrep import RipgrepFailed
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ErrorClass, Location, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect
from actions.words import counted

MOST_CHARACTERS = 45_000
_IN_A_LINE = 400
_LIMIT = 60.0


class GrepParams(BaseModel):
    pattern: str = Field(description="Regular expression.")
    path: str = Field(default=".", description="File or folder to search; the workspace by default.")
    output: Literal["files", "content", "count"] = Field(
        default="files",
        description="Names of files with matches, the matching lines, or the number of matching lines a file.",
    )
    glob: str | None = Field(
        default=None, description="Only files whose name matches, like `*.py` or `src/**/*.{ts,tsx}`."
    )
    literal: bool = Field(default=False, description="The pattern is plain text, not a regular expression.")
    ignore_case: bool = Field(default=False, description="Upper and lower case are the same.")
    multiline: bool = Field(default=False, description="A match may go over lines; `.` matches a line break.")
    context: int = Field(default=0, ge=0, le=50, description="Lines to show around each match (content).")
    before: int = Field(default=0, ge=0, le=50, description="Lines to show before each match (content).")
    after: int = Field(default=0, ge=0, le=50, description="Lines to show after each match (content).")
    limit: int = Field(default=200, ge=1, le=2_000, description="At most so many files, or matching lines (content).")
    include_ignored: bool = Field(default=False, description="Also files that .gitignore excludes.")


class Grep(TypedTool[GrepParams]):
    """Searches text in files with ripgrep, or with our own engine that finds the same."""

    name = "Grep"
    params = GrepParams
    effect = Effect.READ
    kind = "search"
    key_argument = "pattern"

    def __init__(self, workspace: Workspace, *, engine: EngineName = "auto") -> None:
        self._workspace = workspace
        self._engine = choose(engine)

    async def prepare(self, arguments: GrepParams) -> Ask:
        path = locate(self._workspace, arguments.path)
        return Ask(
            summary=f"Search for {arguments.pattern} in {shown(self._workspace, path)}",
            scope=Scope("path", str(path), outside=not self._workspace.holds(path)),
        )

    async def run(self, params: GrepParams) -> ToolResult:
        try:
            return await in_thread(lambda stop: self._search(params, stop), limit=_LIMIT)
        except (BadPattern, RipgrepFailed) as error:
            raise ToolFailure(
                f"The pattern is no good: {error}. For plain text set literal.", error=ErrorClass.INVALID_INPUT
            ) from error
        except TooSlow as error:
            raise ToolFailure(
                f"The pattern takes for ever on {printable(str(error))}; write it without repeats inside repeats.",
                error=ErrorClass.TIMEOUT,
            ) from error
        except BadGlob as error:
            raise ToolFailure(f"The glob is no good: {error}.", error=ErrorClass.INVALID_INPUT) from error

    def _search(self, params: GrepParams, stop: Stop) -> ToolResult:
        query = _query(params)
        root = locate(self._workspace, params.path)
        stat_of(self._workspace, root)
        if root.is_dir():
            files = self._engine.files(root, ignored=params.include_ignored, stop=stop)
            paths, unread = files.paths, files.unread
        else:
            root, paths, unread = root.parent, (root.name,), 0
        if params.glob is not None:
            wanted = matcher(params.glob, any_depth=True)
            paths = tuple(path for path in paths if wanted(path))
        page = _Page(self._workspace, root, params, query)
        page.fill(self._engine.search(root, paths, query, stop))
        return page.result(len(paths), unread)


def _query(params: GrepParams) -> Query:
    """The query in the dialect that both engines read alike. Raises BadPattern."""
    import regex

    form = literal if params.literal else normal
    if not params.pattern:
        raise BadPattern("it is empty")
    content = params.output == "content"
    query = Query(
        form(params.pattern, multiline=params.multiline),
        params.ignore_case,
        params.multiline,
        max(params.before, params.context) if content else 0,
        max(params.after, params.context) if content else 0,
    )
    try:
        Searcher(query)
    except regex.error as error:
        raise BadPattern(str(error)) from error
    return query


class _Page:
    """What fits of the finds, in the chosen form."""

    def __init__(self, workspace: Workspace, root: Path, params: GrepParams, query: Query) -> None:
        self._workspace, self._root, self._params, self._query = workspace, root, params, query
        self._lines: list[str] = []
        self._room = MOST_CHARACTERS
        self._locations: list[Location] = []
        self._files = self._hits = 0
        self._cut = False

    def fill(self, found: Iterator[Found]) -> None:
        for one in found:
            room = self._add_lines(one) if self._params.output == "content" else self._add_file(one)
            if not room:
                self._cut = True
                break

    def result(self, searched: int, unread: int) -> ToolResult:
        if not self._files:
            words = [f"Nothing found in {searched} files."]
            if not self._params.include_ignored:
                words.append("What .gitignore excludes was not searched.")
        else:
            words = [f"{counted(self._hits, 'matching line')} in {counted(self._files, 'file')}."]
        if self._cut:
            words = [
                f"The first {counted(self._hits, 'matching line')} in {counted(self._files, 'file')}; there are more. "
                "Narrow the search."
            ]
        if unread:
            words.append(f"{unread} folders could not be read.")
        return ToolResult(
            output="\n".join(self._lines), message=" ".join(words), locations=tuple(islice(self._locations, 50))
        )

    def _add_file(self, found: Found) -> bool:
        if self._files >= self._params.limit:
            return False
        name = shown(self._workspace, self._root / found.path)
        if not self._write(f"{name}: {found.hits}" if self._params.output == "count" else name):
            return False
        self._count(found, 1, found.hits)
        return True

    def _add_lines(self, found: Found) -> bool:
        if self._hits >= self._params.limit:
            return False
        gap = [""] if self._lines else []
        for head in (*gap, shown(self._workspace, self._root / found.path)):
            if not self._write(head):
                return False
        self._count(found, 1, 0)
        shown_to = last_hit = 0
        for line in found.lines:
            full = self._hits >= self._params.limit
            if full and (line.hit or line.number > last_hit + self._query.after):
                return False
            if shown_to and line.number > shown_to + 1 and self._query.before + self._query.after:
                self._write("--")
            if not self._write(f"{line.number}{':' if line.hit else '-'}{self._short(line)}"):
                return False
            shown_to = line.number
            if line.hit:
                last_hit = line.number
                self._hits += 1
        return True

    def _short(self, line: Line) -> str:
        """The line, of a long one the part around the hit."""
        if len(line.text) <= _IN_A_LINE:
            return line.text
        place = Searcher(self._query).place(line.text) if line.hit else 0
        start = max(min(place - 100, len(line.text) - _IN_A_LINE), 0)
        part = line.text[start : start + _IN_A_LINE]
        before = f"[{start} more] … " if start else ""
        after = len(line.text) - start - len(part)
        return f"{before}{part}" + (f" … [{after} more]" if after else "")

    def _count(self, found: Found, files: int, hits: int) -> None:
        self._files += files
        self._hits += hits
        self._locations.append(
            Location(str(self._root / found.path), next(line.number for line in found.lines if line.hit))
        )

    def _write(self, line: str) -> bool:
        self._room -= len(line) + 1
        if self._room < 0:
            return False
        self._lines.append(line)
        return True
