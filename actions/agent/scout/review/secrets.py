"""Secrets in added lines, by the scanner ``detect-secrets``; what it finds is named by its kind, never quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from actions.agent.scout.code import is_test
from actions.agent.scout.review.change import Change
from actions.agent.scout.review.findings import Finding, Severity

# Of guesses by entropy, lock files and checksums are full; a person learns nothing from them there.
_NO_GUESSES = re.compile(r"(^|[./_-])lock([./_-]|$)|\.(sum|svg|snap|ipynb|min\.js|min\.css|map|csv)$", re.I)
_LONGEST_LINE = 5_000
_GUESS = "Entropy"
SECRET = "secret"
_FILTERS_OFF = (
    "detect_secrets.filters.common.is_invalid_file",
    "detect_secrets.filters.common.is_ignored_due_to_verification_policies",
)


def secrets(change: Change) -> Iterator[Finding]:
    """One finding a line: a known kind of key is an error, a word like "password" or high entropy a warning.

    Lines of more than 5,000 characters are not scanned: they are generated, and slow to search.
    """
    from detect_secrets.core.scan import scan_diff
    from detect_secrets.settings import default_settings

    best: dict[tuple[str, int], Finding] = {}
    with default_settings() as settings:
        # The first would leave out every file that does not lie in the process's own folder; the second would ask the
        # issuer of a key over the network whether it is a real one.
        settings.disable_filters(*_FILTERS_OFF)
        for found in scan_diff(_diff(change)):
            kind, place = found.type, (found.filename, found.line_number)
            guess = _GUESS in kind
            if guess and (_NO_GUESSES.search(found.filename) or is_test(found.filename)):
                continue
            sure = not guess and kind not in ("Secret Keyword", "IP Address", "Public IP (ipv4)")
            what = "a long random-looking text" if guess else f"a secret ({kind})"
            finding = Finding(
                file=found.filename,
                line=found.line_number,
                severity=Severity.ERROR if sure else Severity.WARNING,
                rule=SECRET,
                text=f"this looks like {what}: take it out, and replace the secret if it was ever shared",
            )
            if place not in best or finding.severity.rank < best[place].severity.rank:
                best[place] = finding
    yield from best.values()


def _diff(change: Change) -> str:
    """The added lines as a diff that the scanner reads: names that it cannot read are left out of its way."""
    parts: list[str] = []
    for file in change.files:
        lines = [line for line in file.added if len(line.text) <= _LONGEST_LINE]
        if not lines or PurePosixPath(file.path).name != file.path.rpartition("/")[2] or "\n" in file.path:
            continue
        parts.append(f"diff --git a/{file.path} b/{file.path}\n--- a/{file.path}\n+++ b/{file.path}\n")
        for line in lines:
            parts.append(f"@@ -{max(line.number - 1, 0)},0 +{line.number},1 @@\n+{line.text}\n")
    return "".join(parts)
