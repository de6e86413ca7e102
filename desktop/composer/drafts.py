"""What was typed and not sent, one text a session; kept in a file, so that a new window has it too. Pure Python."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import cast

_MOST = 200
_LONGEST = 200_000
_log = logging.getLogger(__name__)


class Drafts:
    """Unsent texts by session id. Without a file they are known for as long as the window is open."""

    def __init__(self, file: Path | None = None) -> None:
        self._texts: dict[str, str] = {}
        self._file: Path | None = None
        if file is not None:
            self.keep_in(file)

    def keep_in(self, file: Path) -> None:
        """Take what the file has, and write to it from now on."""
        self._file = file
        self._texts = {**_read(file), **self._texts}

    def keep(self, session_id: str, text: str) -> None:
        """A file that cannot be written costs the next window the draft, and this one nothing."""
        if self._texts.get(session_id, "") == text:
            return
        self._texts.pop(session_id, None)
        if text:
            self._texts[session_id] = text
        if self._file is None:
            return
        stored = _read(self._file)  # another window may have written others since
        stored.pop(session_id, None)
        if text:
            stored[session_id] = text
        stored = dict(list(stored.items())[-_MOST:])
        beside = self._file.with_suffix(f".{os.getpid()}.part")
        try:
            beside.touch(mode=0o600)
            beside.write_text(json.dumps({"drafts": stored}, ensure_ascii=False) + "\n", encoding="utf-8")
            beside.replace(self._file)
        except OSError as error:
            _log.warning("what was typed is not kept: %s", error)

    def of(self, session_id: str) -> str:
        return self._texts.get(session_id, "")


def _read(file: Path) -> dict[str, str]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["drafts"]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        _log.warning("what was typed before is forgotten: %s", error)
        return {}
    if not isinstance(found, dict):
        return {}
    kept = cast("dict[object, object]", found)
    return {str(key): text[:_LONGEST] for key, text in kept.items() if isinstance(text, str)}
