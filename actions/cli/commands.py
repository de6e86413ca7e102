"""Which command a line names: the words are looked up in the manifest, nothing is built for the others."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from actions.cli.answer import usage
from actions.errors import SaysoError

VALUE_FLAGS = ("--workspace", "--language", "--idempotency-key")
SWITCHES = ("--json", "--jsonl", "--quiet", "-q", "--help", "-h")
"""Flags that every command takes, and that may stand before its words as well."""


class Manifest(NamedTuple):
    """The generated commands; see manifest.py for their shape."""

    version: str
    groups: dict[str, dict[str, str]]
    commands: list[dict[str, Any]]

    def below(self, words: list[str]) -> list[dict[str, Any]]:
        """The visible commands whose words start with ``words``."""
        count = len(words)
        return [c for c in self.commands if c["words"][:count] == words and not c.get("hidden")]


class Found(NamedTuple):
    """A command and what is left for it; without a command, the words that were understood: a group."""

    command: dict[str, Any] | None
    words: list[str]
    rest: list[str]


def load() -> Manifest:
    with open(os.path.join(os.path.dirname(__file__), "manifest.json"), encoding="utf-8") as file:
        raw = json.load(file)
    return Manifest(raw["version"], raw["groups"], raw["commands"])


def find(manifest: Manifest, argv: list[str]) -> Found:
    """Split a line into the command and its arguments. Raises ``invalid_input``, with what was probably meant."""
    words: list[str] = []
    moved: list[str] = []
    index = 0
    while index < len(argv):
        token = argv[index]
        if token in SWITCHES or token.partition("=")[0] in VALUE_FLAGS:
            takes = 2 if token in VALUE_FLAGS else 1
            moved += argv[index : index + takes]
            index += takes
            continue
        if not any(c["words"][: len(words) + 1] == [*words, token] for c in manifest.commands):
            break
        words.append(token)
        index += 1
    rest = moved + argv[index:]
    command = next((c for c in manifest.commands if c["words"] == words), None)
    if command is None and index < len(argv):
        raise _unknown(manifest, words, argv[index])
    return Found(command, words, rest)


def _unknown(manifest: Manifest, words: list[str], token: str) -> SaysoError:
    said = " ".join(["sayso", *words])
    if token.startswith("-"):
        return usage(f"{said} knows no option {token}. Help: {said} --help", token.lstrip("-"))
    from difflib import get_close_matches

    following = sorted({c["words"][len(words)] for c in manifest.below(words) if len(c["words"]) > len(words)})
    # `sayso approve` means `sayso inbox approve`.
    inside = [] if words else [" ".join(c["words"]) for c in manifest.below([]) if token in c["words"][1:]]
    # `sayso mcp list` is the action mcp.servers.list, `sayso mcp servers`.
    inside += [
        " ".join(c["words"][len(words) :])
        for c in (manifest.below(words) if words else ())
        if token in str(c["action"] or "").split(".")
    ]
    near = (inside + get_close_matches(token, following, n=3, cutoff=0.5))[:3]
    meant = f" Did you mean: {', '.join(near)}?" if near else ""
    return usage(f"There is no command {said} {token}.{meant} Help: {said} --help", "command", did_you_mean=near)
