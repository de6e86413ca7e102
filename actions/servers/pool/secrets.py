"""Resolving secrets by reference, at the last moment."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from actions.errors import SaysoError
from actions.servers.pool.definition import SecretRef, SecretSource, Value
from actions.storage.secrets import Secret


class Unresolved(SaysoError):
    """A secret that a server needs is not there, or the store cannot be read."""


async def resolve(values: Mapping[str, Value], source: SecretSource) -> tuple[dict[str, str], list[str]]:
    """All values in the clear, and what of them was secret. Raises Unresolved."""
    clear: dict[str, str] = {}
    secret: list[str] = []
    for name, value in values.items():
        if isinstance(value, str):
            clear[name] = value
        elif isinstance(value, Secret):
            clear[name] = value.reveal()
            secret.append(clear[name])
        else:
            found = (await asyncio.to_thread(_look_up, value, source)).reveal()
            clear[name] = f"{value.before}{found}{value.after}"
            secret += [clear[name], found]
    return clear, secret


def _look_up(reference: SecretRef, source: SecretSource) -> Secret:
    try:
        found = source(reference.name)
    except SaysoError as error:
        raise Unresolved(f"The secret {reference.name!r} cannot be read: {error.message}") from error
    if found is None:
        raise Unresolved(f"The secret {reference.name!r} is not stored. Enter it in the server's settings.")
    return found
