"""Versions as programs print them, compared without knowing each program's scheme."""

from __future__ import annotations

import re

from actions.sessions.provider import Provider, Tried


def numbers(text: str | None) -> tuple[int, ...]:
    """The first dotted version in a text: ``v22.23.3`` or ``copilot 1.0.102 (abc)`` -> its numbers; () without one."""
    found = re.search(r"\d+(?:\.\d+)+|\d+", text or "")
    return tuple(int(part) for part in found.group().split(".")) if found else ()


def below(version: str | None, least: str) -> bool:
    """Whether a version is known and lower than ``least``: ``22`` is satisfied by every 22.x."""
    known = numbers(version)
    return bool(known) and known < numbers(least)


def outside(version: str | None, tried: Tried) -> bool:
    """Whether a version is known and neither tried nor between two that were."""
    known = numbers(version)
    return bool(known) and not numbers(tried.lowest) <= known <= numbers(tried.highest)


def notes_on(provider: Provider, version: str | None, node: str | None) -> list[str]:
    """What a person should know of the versions here. ``node`` is what ``node --version`` says."""
    notes: list[str] = []
    if provider.node_min is not None and node is None:
        notes.append(f"It needs Node {provider.node_min} or newer; no `node` was found.")
    elif provider.node_min is not None and below(node, provider.node_min):
        notes.append(f"It needs Node {provider.node_min} or newer; `node` here is {node}.")
    if provider.tried is not None and outside(version, provider.tried):
        low, high = provider.tried.lowest, provider.tried.highest
        which = low if low == high else f"{low} to {high}"
        notes.append(f"Sayso was tried with version {which}; this one is {version}.")
    return notes
