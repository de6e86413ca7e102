"""Which files import which: enough of each language's import lines to link files of the same repository."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from actions.agent.scout.cancel import Cancel
from actions.agent.scout.corpus import Corpus, Document

_PYTHON = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]{0,4000}\)|[^#\n(]*)|import[ \t]+([\w., \t]+))",
    re.M,
)
_SCRIPT = re.compile(rb"""(?:from|import|require\(|import\()[ \t]*["']([^"'\n]+)["']""")
_C = re.compile(rb'^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"', re.M)
_RUST = re.compile(rb"^[ \t]*(?:pub[ \t]+)?(?:use[ \t]+(?:crate|super|self)((?:::\w+)+)|mod[ \t]+(\w+);)", re.M)
_GO = re.compile(rb'^[ \t]*(?:import[ \t]+)?(?:\w+[ \t]+)?"([\w./-]+/[\w./-]+)"', re.M)
_JAVA = re.compile(rb"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)", re.M)
_SCRIPT_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte", "/index.ts", "/index.tsx", "/index.js")


@dataclass(frozen=True)
class Links:
    """Import edges between files of the repository, each side sorted."""

    imports: dict[str, tuple[str, ...]]
    imported_by: dict[str, tuple[str, ...]]


def link(corpus: Corpus, seeds: Iterable[str], cancel: Cancel) -> Links:
    """Edges out of and into ``seeds``. Only files that mention a seed's module name are read for edges into it."""
    resolver = _Resolver(corpus)
    seeds = tuple(seeds)
    imports = {path: resolver.targets(corpus.by_path[path]) for path in seeds}
    into: dict[str, set[str]] = {path: set() for path in seeds}
    needles = {path: _module_name(path).encode() for path in seeds}
    for document in corpus:
        cancel.check()
        if document.language is None or document.generated:
            continue
        mentioned = [path for path in seeds if path != document.path and needles[path] in document.data]
        if mentioned:
            targets = set(resolver.targets(document))
            for path in mentioned:
                if path in targets:
                    into[path].add(document.path)
    return Links(imports, {path: tuple(sorted(found)) for path, found in into.items()})


def _module_name(path: str) -> str:
    pure = PurePosixPath(path)
    return pure.parent.name if pure.stem in ("__init__", "index", "mod") and pure.parent.name else pure.stem


class _Resolver:
    """Turns what an import line says into paths of the corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self._paths = corpus.by_path.keys()
        self._python: dict[str, str] = {}
        self._go: dict[str, list[str]] = {}
        self._java: dict[str, str] = {}
        for path in sorted(self._paths):
            bare, _, extension = path.rpartition(".")
            if extension == "py":
                parts = bare.removesuffix("/__init__").split("/")
                self._python[".".join(parts)] = path
                for at in range(1, len(parts)):
                    # Also without leading folders (src/, lib/); the first path of a name keeps it.
                    self._python.setdefault(".".join(parts[at:]), path)
            elif extension == "go":
                self._go.setdefault(path.rpartition("/")[0], []).append(path)
            elif extension in ("java", "kt", "scala"):
                parts = bare.split("/")
                for at in range(len(parts)):
                    self._java.setdefault(".".join(parts[at:]), path)

    def targets(self, document: Document) -> tuple[str, ...]:
        """Files that ``document`` imports, sorted, without itself."""
        data = document.data
        match document.language:
            case "Python":
                found = self._of_python(document)
            case "JavaScript" | "TypeScript" | "Vue" | "Svelte":
                found = self._relative(document.path, _SCRIPT.findall(data), _SCRIPT_ENDINGS)
            case "C" | "C++" | "Objective-C":
                found = self._relative(document.path, _C.findall(data), ("",))
            case "Rust":
                found = self._of_rust(document)
            case "Go":
                found = {p for raw in _GO.findall(data) for p in self._of_go(raw.decode(errors="replace"))}
            case "Java" | "Kotlin" | "Scala":
                names = (raw.decode(errors="replace") for raw in _JAVA.findall(data))
                found = {self._java[name] for name in names if name in self._java}
            case _:
                found = set[str]()
        return tuple(sorted(found - {document.path}))

    def _of_python(self, document: Document) -> set[str]:
        found: set[str] = set()
        package = PurePosixPath(document.path).parent.parts
        for source, names, plain in _PYTHON.findall(document.data):
            if plain:
                modules = [part.split()[0] for part in plain.decode(errors="replace").split(",") if part.split()]
            else:
                base = source.decode(errors="replace")
                dots = len(base) - len(base.lstrip("."))
                if dots:
                    parts = (*package[: len(package) - dots + 1], *filter(None, base.lstrip(".").split(".")))
                    base = ".".join(parts)
                listed = re.sub(r"#.*", "", names.decode(errors="replace")).strip("()").split(",")
                words = [w.split()[0] for w in listed if w.split()]
                inner = [f"{base}.{w}" for w in words if f"{base}.{w}" in self._python]
                modules = inner if inner and len(inner) == len(words) else [base, *inner]
            found.update(self._python[m] for m in modules if m in self._python)
        return found

    def _relative(self, path: str, raws: list[bytes], endings: tuple[str, ...]) -> set[str]:
        folder = posixpath.dirname(path)
        found: set[str] = set()
        for raw in raws:
            said = raw.decode(errors="replace")
            bases = [posixpath.normpath(posixpath.join(folder, said))]
            if not said.startswith("."):
                bases += [said, f"src/{said}", f"include/{said}", f"src/{said.removeprefix('@/')}"]
            if said.endswith(".js"):
                bases += [base.removesuffix(".js") for base in bases]
            hit = next((b + e for b in bases for e in endings if b + e in self._paths), None)
            if hit:
                found.add(hit)
        return found

    def _of_rust(self, document: Document) -> set[str]:
        folder = PurePosixPath(document.path).parent
        found: set[str] = set()
        for used, module in _RUST.findall(document.data):
            parts = [p for p in (used or module).decode(errors="replace").split("::") if p]
            for end in range(len(parts), 0, -1):
                tail = "/".join(parts[:end])
                bases = [folder / tail, folder / PurePosixPath(document.path).stem / tail, folder.parent / tail]
                bases += [parent / "src" / tail for parent in (PurePosixPath(), *PurePosixPath(document.path).parents)]
                paths = [f"{base.as_posix()}{ending}" for base in bases for ending in (".rs", "/mod.rs")]
                hit = next((path for path in paths if path in self._paths), None)
                if hit:
                    found.add(hit)
                    break
        return found

    def _of_go(self, said: str) -> list[str]:
        parts = said.split("/")
        for at in range(len(parts)):
            folder = "/".join(parts[at:])
            if folder in self._go:
                return [path for path in self._go[folder] if not path.endswith("_test.go")]
        return []
