"""The spoken clips in tests/fixtures/voice: what was said, and the names a test tells the recogniser."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voice.recognition.bias import World

FOLDER = Path(__file__).parents[2] / "fixtures" / "voice"
_INDEX: dict[str, Any] = json.loads((FOLDER / "index.json").read_text("utf-8"))
_WRITTEN: dict[str, str] = {
    "claude": "Claude",
    "codex": "Codex",
    "opencode": "OpenCode",
    "gemini": "Gemini",
    "kiro": "Kiro",
}


@dataclass(frozen=True)
class Clip:
    """A recording and the words in it ("" for noise)."""

    wav: Path
    text: str
    voice: str | None


def commands() -> list[Clip]:
    return [clip for clip in _clips() if clip.wav.name.startswith("cmd")]


def talk() -> list[Clip]:
    return [clip for clip in _clips() if clip.wav.name.startswith("ood")]


def noises() -> list[Clip]:
    return [clip for clip in _clips() if not clip.text]


def world() -> World:
    names = _INDEX["world"]
    return World(
        sessions=names["sessions"],
        workspaces=names["workspaces"],
        providers=[_WRITTEN.get(str(name)) or str(name).title() for name in names["providers"]],
        action_words=("MCP server", "inbox", "review run", "plan run", "ask mode", "code mode", "track", "archive"),
        example="Start a review run on the payments api session with Claude and Codex",
    )


def words(text: str) -> list[str]:
    """Words for counting errors: lower case, no punctuation, hyphens are spaces."""
    return re.sub(r"[^\w' ]", " ", text.lower().replace("-", " ")).split()


def word_errors(said: list[str], heard: list[str]) -> int:
    """Insertions, deletions and substitutions (Levenshtein over words)."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


def _clips() -> list[Clip]:
    return [Clip(FOLDER / clip["wav"], clip["text"] or "", clip.get("voice")) for clip in _INDEX["clips"]]
