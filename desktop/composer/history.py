"""What was sent before, one list a session, to be taken up again with the arrow keys. Pure Python."""

from __future__ import annotations

_KEPT = 200


class History:
    """Sent texts by session id, and where in them the user is; ``None`` as an answer leaves the field as it is."""

    def __init__(self) -> None:
        self._sent: dict[str, list[str]] = {}
        self._session: str | None = None
        self._at = 0
        self._typed = ""

    def sent(self, session_id: str, text: str) -> None:
        """Remember ``text`` as the newest; the same twice in a row counts once."""
        texts = self._sent.setdefault(session_id, [])
        if texts[-1:] != [text]:
            texts.append(text)
            del texts[:-_KEPT]
        self.leave()

    def leave(self) -> None:
        """The next step starts from the newest again."""
        self._session = None

    def shows(self, session_id: str, text: str) -> bool:
        """True while ``text`` is the unchanged one that the last step gave."""
        return session_id == self._session and text == self._here()

    def older(self, session_id: str, typed: str) -> str | None:
        """The text before; at the first step ``typed`` is kept, to come back to."""
        texts = self._sent.get(session_id, [])
        if session_id != self._session:
            self._session, self._at, self._typed = session_id, len(texts), typed
        if self._at == 0:
            return None
        self._at -= 1
        return self._here()

    def newer(self, session_id: str) -> str | None:
        """The text after; after the newest comes what was typed before the first step."""
        if session_id != self._session or self._at >= len(self._sent.get(session_id, [])):
            return None
        self._at += 1
        return self._here()

    def _here(self) -> str:
        texts = self._sent.get(self._session or "", [])
        return texts[self._at] if self._at < len(texts) else self._typed
