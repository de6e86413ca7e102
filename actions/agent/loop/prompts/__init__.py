"""The words that the loop says to the model, one Markdown file each."""

from __future__ import annotations

from pathlib import Path


def prompt_text(name: str) -> str:
    """The text of ``name``.md in this folder."""
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8").strip()
