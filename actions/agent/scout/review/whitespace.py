"""White space errors, by git's own rules (``core.whitespace``, ``.gitattributes``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from actions.agent.scout.review.change import Change
from actions.agent.scout.review.findings import Finding, Severity

_TRAILING = re.compile(r"[ \t]+\r?$")
_SPACE_BEFORE_TAB = re.compile(r"^[ \t]* \t")
_KEEPS_TRAILING = (".md", ".markdown", ".patch", ".diff", ".snap", ".svg", ".csv", ".tsv")


def whitespace_errors(change: Change) -> Iterator[Finding]:
    """Trailing white space, a space before a tab, a missing end of the last line, one finding a file and kind.

    Two spaces at the end of a line mean something in Markdown, and white space is content in tables and patches.
    """
    for file in change.files:
        if file.path.lower().endswith(_KEEPS_TRAILING):
            continue
        for rule, pattern, text in (
            ("trailing-space", _TRAILING, "white space at the end of a line"),
            ("space-before-tab", _SPACE_BEFORE_TAB, "a space before a tab in the indent"),
        ):
            places = [line.number for line in file.added if pattern.search(line.text)]
            if places:
                more = f", and on {len(places) - 1} more lines" if len(places) > 1 else ""
                yield Finding(
                    file=file.path, line=places[0], severity=Severity.WARNING, rule=rule, text=f"{text}{more}"
                )
