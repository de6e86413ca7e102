"""Why a file is in the list, said in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from actions.agent.scout.code import is_test
from actions.agent.scout.history import History
from actions.agent.scout.imports import Links
from actions.agent.scout.plan import Line
from actions.agent.scout.rank import Ranked
from actions.agent.scout.words import identifiers, stems_of

_MOST_LINES = 5
_LINE_TEXT = 140
_BUSY = 3


def said(words: Iterable[str], most: int = 4) -> str:
    """``“a”, “b” and 2 more``, without repeats."""
    unique = list(dict.fromkeys(words))
    shown = ", ".join(f"“{word}”" for word in unique[:most])
    return shown + (f" and {len(unique) - most} more" if len(unique) > most else "")


def best_lines(item: Ranked, most: int = _MOST_LINES) -> tuple[Line, ...]:
    """The lines to look at first: definitions of the matter, then lines that hold most of its terms; in line order."""
    weight = {term.stem: part for term, part in item.parts}
    found = item.matches

    def worth(number: int) -> tuple[float, int]:
        stems = found.lines[number]
        value = sum(weight.get(s, 0.0) for s in stems) * (1.8 if number in found.definitions else 1.0)
        if any(found.names.get(name) == number for name in found.names):
            value += 5
        return (-value, number)

    numbers = sorted(sorted(found.lines, key=worth)[:most])
    return tuple(
        Line(
            number=number,
            text=item.document.lines[number - 1].strip()[:_LINE_TEXT],
            defines=found.definitions.get(number),
        )
        for number in numbers
    )


def reasons_for(item: Ranked, links: Links, relevant: Sequence[str], history: History) -> tuple[str, ...]:
    """Strongest first: named, path, definitions, text, links to other relevant files, churn."""
    reasons: list[str] = []
    if item.named:
        reasons.append("named in the instructions")
    found = item.matches
    in_path = [term.word for term, _ in item.parts if term.stem in found.path_hits]
    if in_path:
        reasons.append(f"its path says {said(in_path)}")
    defined = sorted(found.definitions.items(), key=lambda kv: (-_strength(kv[1], item), kv[0]))
    if defined:
        names = ", ".join(f"`{name[:60]}` (line {number})" for number, name in defined[:3])
        more = f" and {len(defined) - 3} more" if len(defined) > 3 else ""
        verb = "has the headings" if item.document.is_prose else "defines"
        reasons.append(f"{verb} {names}{more}")
    in_text = [
        f"“{term.word}” {_times(found.counts[term.stem])}" for term, _ in item.parts if term.stem in found.counts
    ]
    if in_text:
        first = ", ".join(str(line.number) for line in best_lines(item, 3))
        reasons.append(
            f"mentions {', '.join(dict.fromkeys(in_text[:4]))}; see line{'s' if ',' in first else ''} {first}"
        )
    importers = links.imported_by.get(item.path, ())
    used_by = sorted(importers, key=lambda path: (is_test(path), path not in relevant, path))
    if used_by:
        reasons.append(f"imported by {_paths(used_by)}")
    uses = [path for path in links.imports.get(item.path, ()) if path in relevant]
    if uses:
        reasons.append(f"imports {_paths(uses)}")
    churn = history.files.get(item.path)
    if churn and churn.commits >= _BUSY:
        reasons.append(f"changed in {churn.commits} of the last {history.commits} commits")
    return tuple(reasons)


def _strength(name: str, item: Ranked) -> float:
    weight = {term.stem: part for term, part in item.parts}
    parts = [s for word in identifiers(name) for s in stems_of(word)]
    return sum(weight.get(s, 0.0) for s in set(parts)) / (1 + 0.25 * len(parts))


def _times(count: int) -> str:
    return "on 1 line" if count == 1 else f"on {count} lines"


def _paths(paths: Sequence[str], most: int = 2) -> str:
    shown = ", ".join(f"`{path}`" for path in paths[:most])
    return shown + (f" and {len(paths) - most} more" if len(paths) > most else "")
