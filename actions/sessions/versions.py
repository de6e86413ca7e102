"""Versions as programs print them, compared without knowing each program's scheme."""

from __future__ import annotations

import re
from dataclasses import dataclass

from actions.sessions.provider import Provider, Tried


@dataclass(frozen=True, slots=True)
class Here:
    """Versions as their programs print them: the agent's, Node's, and of the Python that the agent is installed for.

    None where there is none, or where nobody needs to know.
    """

    version: str | None = None
    node: str | None = None
    python: str | None = None


def numbers(text: str | None) -> tuple[int, ...]:
    """The first dotted version in a text: ``v22.23.3`` or ``copilot 1.0.102 (abc)`` -> its numbers; () without one."""
    found = re.search(r"\d+(?:\.\d+)+|\d+", text or "")
    return tuple(int(part) for part in found.group().split(".")) if found else ()


def below(version: str | None, least: str) -> bool:
    """Whether a version is known and lower than ``least``: ``22`` is satisfied by every 22.x."""
    known = numbers(version)
    return bool(known) and known < numbers(least)


def outside(version: str | None, tried: Tried) -> bool:
    """Whether a version is known and neither tried nor between two that were: ``1.29`` is every 1.29.x."""
    known, highest = numbers(version), numbers(tried.highest)
    return bool(known) and not (numbers(tried.lowest) <= known and known[: len(highest)] <= highest)


def too_old(provider: Provider, here: Here) -> list[str]:
    """What is too old here for the agent to work, and what to do; empty where nothing is known to be."""
    found: list[str] = []
    if provider.node_min is not None and (here.node is None or below(here.node, provider.node_min)):
        has = "no `node` was found" if here.node is None else f"`node` here is {here.node}"
        fix = f"Install Node {numbers(provider.node_min)[0]} and put it first on your PATH."
        found.append(f"It needs Node {provider.node_min} or newer; {has}. {fix}")
    if provider.python_min is not None and below(here.python, provider.python_min):
        needs = f"It needs Python {provider.python_min} or newer; it was installed for {here.python}."
        found.append(f"{needs} {provider.install_hint}".strip())
    if provider.version_min is not None and below(here.version, provider.version_min):
        needs = f"Sayso needs its version {provider.version_min} or newer; this one is {here.version}."
        found.append(f"{needs} {provider.install_hint}".strip())
    return found


def notes_on(provider: Provider, here: Here) -> list[str]:
    """What else a person should know of the versions here."""
    notes: list[str] = []
    version = here.version
    for bad in provider.known_bad:
        if version is not None and not outside(version, bad):
            notes.append(f"Version {version}: {bad.why}")
    if provider.tried is not None and outside(version, provider.tried):
        low, high = provider.tried.lowest, provider.tried.highest
        which = low if low == high else f"{low} to {high}"
        notes.append(f"Sayso was tried with version {which}; this one is {version}.")
    return notes
