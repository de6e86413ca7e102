"""What the guides name exists: commands, files, pictures, make targets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LATER = "actions.cli.later:run"


def manifest() -> list[dict[str, Any]]:
    return json.loads((ROOT / "actions/cli/manifest.json").read_text(encoding="utf-8"))["commands"]


def words_of(text: str) -> tuple[str, ...]:
    """The plain words at the start of a command: `session send ID TEXT` -> (session, send)."""
    plain = re.match(r"[a-z][a-z-]*(?: [a-z][a-z-]*)*(?= |$)", text)
    return tuple(plain.group(0).split()) if plain else ()


def is_command(line: str, known: set[tuple[str, ...]]) -> bool:
    words = words_of(line)
    # The parts of `sayso voice` are its own; the manifest knows the first word.
    return words[:1] == ("voice",) or any(words[:count] in known for count in range(1, len(words) + 1))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_examples_exist(page: Path) -> None:
    known = {tuple(command["words"]) for command in manifest() if command["run"] != LATER}
    shown = re.findall(r"(?:^\$ |`)sayso ([a-z][^`\n]*)", page.read_text(encoding="utf-8"), re.M)
    assert [line for line in shown if not is_command(line, known)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))  # a spoken template has the same brackets
    links = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"(?:^\$ |`)make ([a-z]+)", page.read_text(encoding="utf-8"), re.M))
    assert named - targets == set()
