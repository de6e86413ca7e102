"""Which model the agent uses: the environment's, else the setting's, else one here that the user agreed to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from actions.agent.model.keys import address, find_key
from actions.agent.model.ref import ModelRef, is_loopback, parse_ref
from actions.errors import InvalidInput

if TYPE_CHECKING:
    from actions.storage.paths import Paths
    from actions.storage.secrets import Secret

VARIABLE = "SAYSO_AGENT_MODEL"


class Agreed:
    """The models on this machine that the user said yes to, newest first. One file, readable by its owner only."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @classmethod
    def of(cls, paths: Paths) -> Agreed:
        """Those of one home."""
        return cls(paths.data / "agent" / "model-endpoints.json")

    def all(self) -> tuple[ModelRef, ...]:
        """Every yes. A file that cannot be read says no to all; the next yes replaces it."""
        try:
            entries: object = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ()
        return tuple(
            ref for entry in cast("list[Any]", entries if isinstance(entries, list) else []) if (ref := _ref(entry))
        )

    def add(self, ref: ModelRef) -> None:
        """Keep a yes. Raises InvalidInput for an endpoint elsewhere, SaysoError when it cannot be written."""
        if not ref.local:
            raise InvalidInput(f"{ref} is not on this machine: name it in the settings instead.")
        self._save([ref, *(other for other in self.all() if not _same(other, ref))])

    def remove(self, ref: ModelRef) -> None:
        """Take a yes back; one that was never given is no error."""
        self._save([other for other in self.all() if not _same(other, ref)])

    def _save(self, refs: list[ModelRef]) -> None:
        from actions.storage.files import write_atomic

        entries = [{"provider": ref.provider, "name": ref.name, "base_url": ref.base_url} for ref in refs]
        write_atomic(self._file, json.dumps(entries, indent=1).encode())


def choose(environment: Mapping[str, str], setting: str = "", agreed: Agreed | None = None) -> ModelRef | None:
    """The model to use, or None: then the agent is the scout. Nothing is asked over a network here.

    Raises:
        InvalidInput: the variable or the setting names no model that the agent can speak to.
    """
    if text := environment.get(VARIABLE, "").strip():
        return _addressed(parse_ref(text, origin="environment"), environment)
    if setting.strip():
        return _addressed(parse_ref(setting, origin="setting"), environment)
    return next(iter(agreed.all()), None) if agreed is not None else None


def chosen(environment: Mapping[str, str], paths: Paths) -> ModelRef | None:
    """:func:`choose` with the settings and the agreements of one home. Raises as it."""
    from actions.storage.declarations import AGENT_MODEL
    from actions.storage.settings import SettingsFile

    return choose(environment, SettingsFile(paths.settings_file).load().get(AGENT_MODEL), Agreed.of(paths))


def key_of(ref: ModelRef, environment: Mapping[str, str], paths: Paths) -> Secret | None:
    """The key for ``ref``, or None. A keyring may ask the user to unlock it: call it in a thread.

    Raises:
        SaysoError: the store of secrets cannot be read.
    """
    from actions.storage.secrets import open_secret_store

    return find_key(ref, environment, lambda: open_secret_store(paths))


def _addressed(ref: ModelRef, environment: Mapping[str, str]) -> ModelRef:
    if ref.base_url is not None:
        return ref
    return ModelRef(ref.provider, ref.name, address(ref.provider, environment), ref.origin)


def _ref(entry: object) -> ModelRef | None:
    match entry:
        case {"provider": str(provider), "name": str(name), "base_url": str(url)} if is_loopback(url):
            return ModelRef(provider, name, url, "loopback")
        case _:
            return None


def _same(one: ModelRef, other: ModelRef) -> bool:
    return (one.name, one.base_url) == (other.name, other.base_url)
