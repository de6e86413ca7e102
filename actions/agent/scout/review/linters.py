"""The linters that the repository itself configures, on the changed files; only what they say of added lines counts."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

from actions.agent.scout.review.change import Change
from actions.agent.scout.review.findings import Finding, Severity

MOST_FILES = 200


@dataclass(frozen=True, slots=True)
class Said:
    """One complaint. ``path`` as the linter wrote it."""

    path: str
    line: int
    severity: Severity
    rule: str
    text: str


@dataclass(frozen=True)
class Linter:
    """``configured`` says whether the repository asks for it; ``runs_code`` that its configuration is a program.

    ``folders`` are where the repository keeps its own copy, looked at before PATH.
    """

    name: str
    suffixes: frozenset[str]
    configured: Callable[[Path], bool]
    arguments: tuple[str, ...]
    read: Callable[[str], Iterator[Said]]
    runs_code: bool = False
    folders: tuple[str, ...] = (".venv/bin", "venv/bin")


@dataclass(frozen=True, slots=True)
class Planned:
    """A linter run that is due. ``trusted`` False: it would run code of the workspace, so somebody is asked first."""

    linter: Linter
    argv: tuple[str, ...]
    trusted: bool


def plan_linters(change: Change) -> Iterator[Planned | tuple[str, str]]:
    """The runs that are due, and ``(name, why)`` for a linter that is configured and cannot run."""
    for linter in LINTERS:
        paths = [
            file.path
            for file in change.files
            if not file.deleted and not file.binary and PurePosixPath(file.path).suffix.lstrip(".") in linter.suffixes
        ]
        if not paths or not linter.configured(change.top):
            continue
        if change.head is not None and not _is_checked_out(change):
            yield linter.name, "the files on the disk are not those of the branch's last commit"
            continue
        program, own = _program(change.top, linter)
        if program is None:
            yield linter.name, f"`{linter.name}` is configured and not installed"
            continue
        argv = (program, *linter.arguments, *(f"./{path}" for path in paths[:MOST_FILES]))
        yield Planned(linter, argv, trusted=not (own or linter.runs_code))


def findings_of(planned: Planned, output: str, change: Change) -> Iterator[Finding]:
    """What the linter said about added lines.

    Raises ValueError, TypeError or KeyError when its output cannot be read.
    """
    added = {file.path: {line.number for line in file.added} for file in change.files}
    for said in planned.linter.read(output):
        path = _relative(change.top, said.path)
        if said.line in added.get(path, ()):
            rule = f"{planned.linter.name}:{said.rule}" if said.rule else planned.linter.name
            yield Finding(file=path, line=said.line, severity=said.severity, rule=rule, text=said.text)


def _program(top: Path, linter: Linter) -> tuple[str | None, bool]:
    """The program and whether it lies in the workspace."""
    for folder in linter.folders:
        own = top / folder / linter.name
        if own.is_file() and os.access(own, os.X_OK):
            return str(own), True
    found = shutil.which(linter.name)
    return found, found is not None and Path(os.path.realpath(found)).is_relative_to(os.path.realpath(top))


def _relative(top: Path, path: str) -> str:
    absolute = top / path
    for folder in (top, Path(os.path.realpath(top))):
        if absolute.is_relative_to(folder):
            return PurePosixPath(os.path.normpath(absolute.relative_to(folder))).as_posix()
    return path


def _is_checked_out(change: Change) -> bool:
    return all(
        (text := change.disk_text(file.path)) is not None and all(line.text in text for line in file.added[:50])
        for file in change.files
        if not file.deleted and not file.binary
    )


# ---- how each says that it is wanted, and what it says


def _has(*names: str) -> Callable[[Path], bool]:
    return lambda top: any((top / name).is_file() for name in names)


def _section(file: str, header: str) -> Callable[[Path], bool]:
    def found(top: Path) -> bool:
        try:
            text = (top / file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        return re.search(rf"^\s*\[{re.escape(header)}[\].]", text, re.M) is not None

    return found


def _tool(name: str) -> Callable[[Path], bool]:
    def found(top: Path) -> bool:
        try:
            data = tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return name in data.get("tool", {})

    return found


def _any(*tests: Callable[[Path], bool]) -> Callable[[Path], bool]:
    return lambda top: any(test(top) for test in tests)


def _in_package_json(key: str) -> Callable[[Path], bool]:
    def found(top: Path) -> bool:
        try:
            return key in json.loads((top / "package.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, TypeError):
            return False

    return found


def _rows(output: str) -> list[dict[str, Any]]:
    rows: object = json.loads(output or "[]")
    if not isinstance(rows, list):
        raise TypeError("not a list")
    return [cast("dict[str, Any]", row) for row in cast("list[object]", rows) if isinstance(row, dict)]


def _ruff(output: str) -> Iterator[Said]:
    for row in _rows(output):
        code = row.get("code") or "syntax"
        broken = code in ("syntax", "invalid-syntax") or str(code).startswith("E9")
        severity = Severity.ERROR if broken else Severity.WARNING
        yield Said(row["filename"], row["location"]["row"], severity, str(code), row["message"])


def _pylint(output: str) -> Iterator[Said]:
    levels = {"fatal": Severity.ERROR, "error": Severity.ERROR, "warning": Severity.WARNING}
    for row in _rows(output):
        yield Said(row["path"], row["line"], levels.get(row["type"], Severity.NOTE), row["symbol"], row["message"])


def _eslint(output: str) -> Iterator[Said]:
    for row in _rows(output):
        for said in row.get("messages", ()):
            severity = Severity.ERROR if said.get("severity") == 2 else Severity.WARNING
            yield Said(row["filePath"], said.get("line") or 1, severity, said.get("ruleId") or "", said["message"])


def _shellcheck(output: str) -> Iterator[Said]:
    levels = {"error": Severity.ERROR, "warning": Severity.WARNING}
    for row in _rows(output):
        yield Said(
            row["file"], row["line"], levels.get(row["level"], Severity.NOTE), f"SC{row['code']}", row["message"]
        )


_FLAKE8 = re.compile(r"^(?P<path>.+?):(?P<line>\d+):\d+: (?P<rule>[A-Z]+\d+) (?P<text>.*)$", re.M)
_YAMLLINT = re.compile(
    r"^(?P<path>.+?):(?P<line>\d+):\d+: \[(?P<level>\w+)\] (?P<text>.*?)(?: \((?P<rule>[\w-]+)\))?$", re.M
)


def _flake8(output: str) -> Iterator[Said]:
    for match in _FLAKE8.finditer(output):
        severity = Severity.ERROR if match["rule"].startswith(("E9", "F82")) else Severity.WARNING
        yield Said(match["path"], int(match["line"]), severity, match["rule"], match["text"])


def _yamllint(output: str) -> Iterator[Said]:
    for match in _YAMLLINT.finditer(output):
        severity = Severity.ERROR if match["level"] == "error" else Severity.WARNING
        yield Said(match["path"], int(match["line"]), severity, match["rule"] or "", match["text"])


_PY = frozenset({"py", "pyi"})
_JS = frozenset({"js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"})
_ESLINT_FILES = tuple(f"eslint.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts", "mts", "cts"))
_ESLINT_OLD = tuple(f".eslintrc{suffix}" for suffix in ("", ".js", ".cjs", ".json", ".yml", ".yaml"))

LINTERS: tuple[Linter, ...] = (
    Linter(
        "ruff",
        _PY,
        _any(_has("ruff.toml", ".ruff.toml"), _tool("ruff")),
        ("check", "--output-format=json", "--no-cache", "--no-fix", "--force-exclude", "--quiet"),
        _ruff,
    ),
    Linter(
        "flake8",
        _PY,
        _any(_has(".flake8"), _section("setup.cfg", "flake8"), _section("tox.ini", "flake8")),
        ("--format=default",),
        _flake8,
        runs_code=True,
    ),
    Linter(
        "pylint",
        _PY,
        _any(_has(".pylintrc", "pylintrc"), _tool("pylint"), _section("setup.cfg", "pylint")),
        ("--output-format=json", "--score=n"),
        _pylint,
        runs_code=True,
    ),
    Linter(
        "eslint",
        _JS,
        _any(_has(*_ESLINT_FILES, *_ESLINT_OLD), _in_package_json("eslintConfig")),
        ("--format=json",),
        _eslint,
        runs_code=True,
        folders=("node_modules/.bin",),
    ),
    Linter("shellcheck", frozenset({"sh", "bash"}), _has(".shellcheckrc"), ("--format=json",), _shellcheck),
    Linter(
        "yamllint",
        frozenset({"yml", "yaml"}),
        _has(".yamllint", ".yamllint.yml", ".yamllint.yaml"),
        ("--format=parsable",),
        _yamllint,
    ),
)
