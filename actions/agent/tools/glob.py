"""Glob: find files and folders by name."""

from __future__ import annotations

from pydantic import BaseModel, Field

from actions.agent.tools.needs import Workspace
from actions.agent.tools.paths import locate, printable, shown, stat_of
from actions.agent.tools.searching.choice import EngineName, choose, in_thread
from actions.agent.tools.searching.engine import Stop
from actions.agent.tools.searching.globs import BadGlob, matcher, split
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import ErrorClass, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect

MOST_CHARACTERS = 45_000
_LIMIT = 60.0


class GlobParams(BaseModel):
    pattern: str = Field(description="Like `**/*.py`, `src/**/test_*.{ts,tsx}`, or `*` for the folder itself.")
    path: str = Field(default=".", description="Folder to look in; the workspace by default.")
    include_ignored: bool = Field(default=False, description="Also what .gitignore excludes.")
    limit: int = Field(default=500, ge=1, le=5_000, description="At most so many names.")


class Glob(TypedTool[GlobParams]):
    """Lists paths that match, in their order, relative to the workspace; folders end in a slash."""

    name = "Glob"
    params = GlobParams
    effect = Effect.READ
    kind = "search"
    key_argument = "pattern"

    def __init__(self, workspace: Workspace, *, engine: EngineName = "auto") -> None:
        self._workspace = workspace
        self._engine = choose(engine)

    async def prepare(self, arguments: GlobParams) -> Ask:
        folder = locate(self._workspace, arguments.path)
        return Ask(
            summary=f"Find {arguments.pattern} in {shown(self._workspace, folder)}",
            scope=Scope("path", str(folder), outside=not self._workspace.holds(folder)),
        )

    async def run(self, params: GlobParams) -> ToolResult:
        return await in_thread(lambda stop: self._find(params, stop), limit=_LIMIT)

    def _find(self, params: GlobParams, stop: Stop) -> ToolResult:
        start, pattern = split(params.pattern)
        root = locate(self._workspace, params.path)
        if start:
            root = locate(self._workspace, start if start[0] in "/~" else str(root / start))
        if not root.is_dir():
            stat_of(self._workspace, root)
            raise ToolFailure(f"{shown(self._workspace, root)} is no folder.", error=ErrorClass.INVALID_INPUT)
        try:
            matches = matcher(pattern.rstrip("/"), any_depth=False)
        except BadGlob as error:
            raise ToolFailure(f"The pattern is no good: {error}.", error=ErrorClass.INVALID_INPUT) from error
        files = self._engine.files(root, ignored=params.include_ignored, stop=stop)
        paths = _folders(files.paths) if pattern.endswith("/") else [*files.paths, *_folders(files.paths)]
        found = sorted(path for path in paths if matches(path.rstrip("/")))
        names = [shown(self._workspace, root / path) + ("/" if path.endswith("/") else "") for path in found]
        return self._result(params, names, files.unread)

    def _result(self, params: GlobParams, names: list[str], unread: int) -> ToolResult:
        kept: list[str] = []
        room = MOST_CHARACTERS
        for name in names[: params.limit]:
            room -= len(name) + 1
            if room < 0:
                break
            kept.append(name)
        words = [f"{len(names)} found." if names else f"Nothing matches {printable(params.pattern)}."]
        if len(kept) < len(names):
            words.append(f"The first {len(kept)} are listed; narrow the pattern for the rest.")
        if not names and not params.include_ignored:
            words.append("What .gitignore excludes was left out; include_ignored looks there too.")
        if unread:
            words.append(f"{unread} folders could not be read.")
        return ToolResult(output="\n".join(kept), message=" ".join(words))


def _folders(paths: tuple[str, ...]) -> list[str]:
    """The folders that hold the files, each ending in a slash."""
    folders: set[str] = set()
    for path in paths:
        while "/" in path:
            path = path.rpartition("/")[0]
            if path + "/" in folders:
                break
            folders.add(path + "/")
    return list(folders)
