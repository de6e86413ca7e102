"""The pages on the providers tell of every row and of what it sets, and the table of what was installed to see it."""

from __future__ import annotations

import json
import re

import pytest

from actions.sessions.provider import Provider
from actions.sessions.registry import shipped
from tests.actions.sessions.agents.installed import ROOT
from tests.actions.sessions.agents.table import FAILED, PAGE, rows_of, written

HEADINGS = ["Install", "Sign in", "What Sayso sets", "What was seen", "Limits"]


def test_the_table_has_a_row_for_each_provider_and_nothing_failed() -> None:
    rows = rows_of(PAGE.read_text(encoding="utf-8"))
    assert list(rows) == list(shipped())
    assert not [provider for provider, row in rows.items() if FAILED in row]


def test_the_versions_seen_are_the_ones_that_are_installed() -> None:
    """Another pin needs another run: `make agents` writes the table."""
    rows = rows_of(PAGE.read_text(encoding="utf-8"))
    pins = {
        file.parent.name: list(json.loads(file.read_text(encoding="utf-8"))["dependencies"].values())
        for file in (ROOT / "packaging/agents").glob("*/package.json")
    }
    kimi = (ROOT / "packaging/agents/kimi/requirements.in").read_text(encoding="utf-8")
    pins["kimi"] = [kimi.strip().partition("==")[2]]
    assert pins.keys() == shipped().keys() - {"builtin", "kiro"}
    for provider, versions in pins.items():
        assert f"| {' + '.join(versions)} |" in rows[provider]
        tried = shipped()[provider].tried
        assert tried is None or tried.highest in versions


@pytest.mark.parametrize("provider", list(shipped().values()), ids=lambda provider: provider.id)
def test_each_page_says_how_to_get_it_and_what_is_set(provider: Provider) -> None:
    row = provider
    page = (ROOT / f"docs/providers/{row.id}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)", page, re.M) == HEADINGS
    installed = re.search(r"^Install it: (.+?)(?: \(|\.$)", row.install_hint)
    told = [row.ask_mode, row.plan_mode, *row.env, *row.trusted_env, *row.unset_env, *row.options]
    if installed:
        told.append(installed.group(1))
    assert [word for word in told if word and word not in page] == []
    if row.delivery == "shell_bridge":
        assert "Tools of Sayso in its shell" in page
    else:
        assert "Tools of Sayso over MCP" in page
    if row.node_min:
        assert f"needs Node {row.node_min}" in page


def test_a_run_changes_only_the_rows_of_what_ran() -> None:
    page = "before\n<!-- seen -->\n| [Pi](providers/pi.md) | 1 | old |\n<!-- /seen -->\nafter\n"
    seen = {"kilo": {"version": "7", "seen": {"new": "in `code`"}}}
    lines = written(page, seen).splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    rows = rows_of("\n".join(lines))
    assert rows["pi"] == "| [Pi](providers/pi.md) | 1 | old |"
    assert rows["kilo"].startswith("| [Kilo Code](providers/kilo.md) | 7 | in `code` | **failed** |")
    assert "reported, not seen" in rows["kiro"]
