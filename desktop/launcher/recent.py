"""Which actions were run from the launcher last; kept in a file, so that a new window knows it too. Pure Python."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from pathlib import Path

from desktop.launcher.spec import ActionSummary

_MOST = 30
_log = logging.getLogger(__name__)


class Recent:
    """Ids of actions, the last one first. Without a file they are known for as long as the window is open."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._ids = [] if file is None else _read(file)

    def ids(self) -> list[str]:
        return list(self._ids)

    def used(self, action_id: str) -> None:
        """It was run just now. A file that cannot be written costs the memory of it and nothing else."""
        self._ids = [action_id, *(known for known in self._ids if known != action_id)][:_MOST]
        if self._file is None:
            return
        try:
            beside = self._file.with_suffix(".part")
            beside.write_text(json.dumps({"recent": self._ids}) + "\n", encoding="utf-8")
            beside.replace(self._file)
        except OSError as error:
            _log.warning("what was run last is not kept: %s", error)

    def in_order(self, hits: Iterable[ActionSummary]) -> list[ActionSummary]:
        """Hits with the best score first; among equals the last used first, then in the catalog's order."""
        place = {action_id: at for at, action_id in enumerate(self._ids)}
        return sorted(hits, key=lambda hit: (-hit.score, place.get(hit.id, _MOST)))


def _read(file: Path) -> list[str]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["recent"]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("what was run last is forgotten: %s", error)
        return []
    return [str(action_id) for action_id in found][:_MOST] if isinstance(found, list) else []
