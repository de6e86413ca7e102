"""What each agent did, as the table of docs/providers.md: ``python -m tests.actions.sessions.agents.table``.

Rows of agents that did not run stay as they are. Times are printed but not written: each run would change them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from actions.sessions.registry import shipped
from tests.actions.sessions.agents.installed import AGENTS, ROOT

PAGE = ROOT / "docs" / "providers.md"
BEGIN, END = "<!-- seen -->", "<!-- /seen -->"
STEPS: Mapping[str, str] = {
    "new": "new session",
    "prompt": "prompt",
    "allow": "command allowed",
    "write": "file written",
    "reject": "command rejected",
    "cancel": "cancelled while it asks",
    "mode": "mode",
    "resume": "kill -9, then a message",
    "tools": "tools of Sayso",
    "stop": "ended",
}
FAILED = "**failed**"
NOT_SEEN = "reported, not seen"


def results() -> dict[str, dict[str, Any]]:
    """Of each agent that was tested here: ``id``, ``version``, ``seen`` and ``seconds`` by step."""
    files = sorted((AGENTS / "run").glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


def row(provider_id: str, version: str, cells: Mapping[str, str]) -> str:
    """One line of the table."""
    name = f"[{shipped()[provider_id].name}](providers/{provider_id}.md)"
    return f"| {' | '.join([name, version, *(cells.get(step, FAILED) for step in STEPS)])} |"


def rows_of(page: str) -> dict[str, str]:
    """The table's lines by provider, as the page has them."""
    table = page.partition(BEGIN)[2].partition(END)[0]
    found = re.findall(r"^\| \[[^]]+\]\(providers/([\w.-]+)\.md\).*$", table, re.MULTILINE)
    lines = [line for line in table.splitlines() if line.startswith("| [")]
    return dict(zip(found, lines, strict=True))


def table(page: str, seen: Mapping[str, dict[str, Any]]) -> str:
    """The table with what was ``seen`` put in; a provider that nothing is known of was not seen."""
    known = rows_of(page)
    lines = [f"| provider | version | {' | '.join(STEPS.values())} |", f"|{'---|' * (len(STEPS) + 2)}"]
    for provider_id in shipped():
        if (result := seen.get(provider_id)) is not None:
            known[provider_id] = row(provider_id, result["version"], result["seen"])
        lines.append(known.get(provider_id) or row(provider_id, NOT_SEEN, dict.fromkeys(STEPS, "–")))
    return "\n".join(lines)


def written(page: str, seen: Mapping[str, dict[str, Any]]) -> str:
    """The page with its table brought up to date."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table(page, seen)}\n{END}{rest.partition(END)[2]}"


def main(page: Path = PAGE) -> None:
    seen = results()
    for provider_id, result in seen.items():
        print(f"{provider_id} {result['version']}")
        for step in STEPS:
            seconds = result["seconds"].get(step)
            print(f"  {step:8} {result['seen'].get(step, FAILED)}{f'  ({seconds} s)' if seconds is not None else ''}")
    text = page.read_text(encoding="utf-8")
    if (new := written(text, seen)) != text:
        page.write_text(new, encoding="utf-8")
        print(f"{page.relative_to(ROOT)} was brought up to date: look at what changed, and at the agents' own pages.")


if __name__ == "__main__":
    sys.exit(main())
