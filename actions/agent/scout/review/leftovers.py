"""Lines that were for the author's eyes only: debug helpers, notes, focused tests, conflict markers, white space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from actions.agent.scout.code import is_test
from actions.agent.scout.review.change import Change, ChangedFile
from actions.agent.scout.review.findings import Finding, Severity

_TODO = re.compile(r"(?:#|//|/\*|<!--|--|;|\*|\"\"\"|^)\s*[@\[]?(TODO|FIXME|XXX|HACK)\b")
_CONFLICT = re.compile(r"(?:<{7} .*|={7}|>{7} .*|\|{7} .*)\r?$")
_QUOTED = 160


@dataclass(frozen=True)
class _Helper:
    """A debug helper of some languages. ``everywhere`` False: it is a normal thing in tests and scripts."""

    pattern: re.Pattern[str]
    text: str
    severity: Severity
    everywhere: bool = True


def _helper(pattern: str, text: str, severity: Severity = Severity.WARNING, *, everywhere: bool = True) -> _Helper:
    return _Helper(re.compile(pattern), text, severity, everywhere)


_ERROR, _NOTE = Severity.ERROR, Severity.NOTE
_BREAKPOINT, _CONSOLE, _OUTPUT = "a breakpoint is left in", "console output is left in", "debug output is left in"
_SCRIPT = (
    _helper(r"^\s*debugger\s*;?\s*(?://.*)?$", _BREAKPOINT, _ERROR),
    _helper(r"\bconsole\.(?:log|debug|trace|dir)\s*\(", _CONSOLE),
    _helper(
        r"\b(?:it|test|describe|context)\.only\s*\(|\b(?:fit|fdescribe)\s*\(",
        "a focused test: the others are not run",
        _ERROR,
    ),
)
_PYTHON = (
    _helper(r"\bbreakpoint\s*\(\s*\)|\b(?:i?pdb|pudb|debugpy)\.(?:set_trace|breakpoint)\s*\(", _BREAKPOINT, _ERROR),
    _helper(r"^\s*(?:import|from)\s+(?:i?pdb|pudb)\b", "a debugger is imported"),
    _helper(r"^\s*(?:print|pprint|ic)\s*\(", "output on standard output; should it stay?", _NOTE, everywhere=False),
)
_RUST = (
    _helper(r"\bdbg!\s*\(", _OUTPUT),
    _helper(r"\b(?:todo|unimplemented)!\s*\(", "this panics when it is reached"),
)
_JVM = (_helper(r"\.printStackTrace\s*\(\s*\)|\bSystem\.(?:out|err)\.print", _CONSOLE, everywhere=False),)
_ELIXIR = (_helper(r"\bIEx\.pry\b|\bIO\.inspect\s*\(|\bdbg\s*\(", _OUTPUT),)
_SHELL = (_helper(r"^\s*set\s+-[a-z]*x", "tracing is left on", _NOTE),)
_HELPERS: dict[str, tuple[_Helper, ...]] = {
    "py": _PYTHON,
    "rb": (_helper(r"\bbinding\.(?:pry|irb)\b|^\s*byebug\b", _BREAKPOINT, _ERROR),),
    "php": (_helper(r"\b(?:var_dump|print_r|dd|dump)\s*\(", _OUTPUT),),
    "rs": _RUST,
    "go": (_helper(r"\bspew\.Dump\s*\(|\bruntime\.Breakpoint\s*\(", _OUTPUT),),
    "cs": (_helper(r"\bDebugger\.(?:Break|Launch)\s*\(", _BREAKPOINT, _ERROR),),
    **dict.fromkeys(("java", "kt", "scala"), _JVM),
    **dict.fromkeys(("ex", "exs"), _ELIXIR),
    **dict.fromkeys(("sh", "bash"), _SHELL),
    **dict.fromkeys(("js", "jsx", "ts", "tsx", "mjs", "cjs", "vue", "svelte"), _SCRIPT),
}
_COMMENT = {"py": "#", "rb": "#", "sh": "#", "bash": "#", "ex": "#", "exs": "#"}
_SCRIPT_FOLDERS = frozenset({"scripts", "script", "bin", "tools", "examples", "example", "cli", "bench", "benchmarks"})


def conflict_markers(change: Change) -> Iterator[Finding]:
    """Markers of an unfinished merge. A lone ``=======`` is a heading in some texts; it counts beside another one."""
    for file in change.files:
        lines = [line for line in file.added if _CONFLICT.fullmatch(line.text)]
        if any(not line.text.startswith("=") for line in lines):
            for line in lines:
                text = f"a merge conflict is not resolved: `{line.text.rstrip()[:40]}`"
                yield Finding(file=file.path, line=line.number, severity=_ERROR, rule="conflict-marker", text=text)


def debug_leftovers(change: Change) -> Iterator[Finding]:
    """What was for debugging, by the language of the file."""
    for file in change.files:
        extension = PurePosixPath(file.path).suffix.lstrip(".").lower()
        relaxed = is_test(file.path) or not _SCRIPT_FOLDERS.isdisjoint(PurePosixPath(file.path).parts)
        helpers = [h for h in _HELPERS.get(extension, ()) if h.everywhere or not relaxed]
        comment = _COMMENT.get(extension, "//")
        for line in file.added:
            if line.text.lstrip().startswith(comment):
                continue
            for helper in helpers:
                if helper.pattern.search(line.text):
                    yield _at(file, line.number, helper.severity, "debug-leftover", helper.text, line.text)
                    break


def todos(change: Change) -> Iterator[Finding]:
    """Notes that the change adds."""
    for file in change.files:
        for line in file.added:
            if match := _TODO.search(line.text):
                yield _at(file, line.number, _NOTE, "todo", f"a {match[1]} is added", line.text)


def _at(file: ChangedFile, number: int, severity: Severity, rule: str, text: str, quoted: str) -> Finding:
    words = " ".join(quoted.split())[:_QUOTED].replace("`", "'")
    return Finding(file=file.path, line=number, severity=severity, rule=rule, text=f"{text}: `{words}`")
