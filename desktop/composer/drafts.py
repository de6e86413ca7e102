"""What was typed and not sent, one text a session. Pure Python."""

from __future__ import annotations


class Drafts:
    """Unsent texts by session id."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def keep(self, session_id: str, text: str) -> None:
        if text:
            self._texts[session_id] = text
        else:
            self._texts.pop(session_id, None)

    def of(self, session_id: str) -> str:
        return self._texts.get(session_id, "")
