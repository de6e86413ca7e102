"""Which paths ``.gitignore`` files exclude."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that hold in a folder: the files from the outermost to its own, each with the folder it is in."""

    layers: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def ignores(self, path: str, *, folder: bool) -> bool:
        """Whether the absolute ``path`` is excluded by the innermost file that says something about it."""
        for base, spec in reversed(self.layers):
            include = spec.check_file(path[len(base) :] + ("/" if folder else "")).include
            if include is not None:
                return include
        return False

    def inside(self, folder: str) -> Rules:
        """With those of ``folder`` (absolute, ending in a slash) itself. One that cannot be read hides nothing."""
        from pathspec import GitIgnoreSpec

        try:
            text = Path(folder, ".gitignore").read_bytes()
        except OSError:
            return self
        lines = text.decode("utf-8-sig", "surrogateescape").split("\n")
        spec = GitIgnoreSpec.from_lines(line.removesuffix("\r") for line in lines)
        return Rules((*self.layers, (folder, spec)))


def above(root: Path) -> Rules:
    """The rules of the folders above ``root`` up to its repository, all of them where there is none.

    None at all when they exclude ``root`` itself: who names an excluded folder means what is in it.
    """
    folders: list[Path] = []
    if not (root / ".git").exists():
        for parent in root.parents:
            folders.append(parent)
            if (parent / ".git").exists():
                break
    rules = Rules()
    for folder in reversed(folders):
        rules = rules.inside(f"{folder}".rstrip("/") + "/")
    inner = [root, *folders[:-1]]
    return Rules() if any(rules.ignores(str(folder), folder=True) for folder in inner) else rules
