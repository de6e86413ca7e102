"""A notification in words: names of session, provider and tool, and nothing that was said or run."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLocale, QObject

from actions.catalog.notification import Notification, NotificationKind
from actions.catalog.views import RunKind

_LONGEST = 80


@dataclass(frozen=True)
class Words:
    """``title`` names the session, ``body`` says what happened there; one line each."""

    title: str
    body: str


class Wording(QObject):
    """Speaks the window's language."""

    def words(self, told: Notification) -> Words:
        """The text of a notification."""
        who = _short(told.provider_name) or self.tr("An editor")
        return Words(_short(told.session_title) or "Sayso", self._body(told, who))

    def _body(self, told: Notification, who: str) -> str:
        match told.kind:
            case NotificationKind.PERMISSION if told.action:
                return self.tr("{0} asks for your say-so: {1}").format(who, _named(told.action))
            case NotificationKind.PERMISSION:
                return self.tr("{0} asks for permission: {1}").format(who, self._tool(told.tool))
            case NotificationKind.QUESTION:
                return self.tr("{0} asks you a question").format(who)
            case NotificationKind.PLAN:
                return self.tr("{0} has a plan for you to look at").format(who)
            case NotificationKind.DONE:
                return self._done(told.run).format(who)
            case NotificationKind.FAILED:
                return self._failed(told.run).format(who)

    def _done(self, run: RunKind | None) -> str:
        return {
            None: self.tr("{0} is done"),
            RunKind.REVIEW: self.tr("The review by {0} is done"),
            RunKind.PLAN: self.tr("The plan by {0} is done"),
            RunKind.DELEGATE: self.tr("{0} is done with its piece of work"),
        }[run]

    def _failed(self, run: RunKind | None) -> str:
        return {
            None: self.tr("{0} failed"),
            RunKind.REVIEW: self.tr("The review by {0} failed"),
            RunKind.PLAN: self.tr("The plan by {0} failed"),
            RunKind.DELEGATE: self.tr("{0} failed at its piece of work"),
        }[run]

    def _tool(self, kind: str | None) -> str:
        return {
            "read": self.tr("read"),
            "edit": self.tr("edit files"),
            "delete": self.tr("delete files"),
            "move": self.tr("move files"),
            "search": self.tr("search"),
            "execute": self.tr("run a command"),
            "fetch": self.tr("fetch from the web"),
            "switch_mode": self.tr("change its mode"),
        }.get(kind or "", self.tr("use a tool"))


def _named(action: dict[str, str]) -> str:
    return action.get("zh" if _chinese() else "en") or next(iter(action.values()))


def _chinese() -> bool:
    return QLocale().language() == QLocale.Language.Chinese


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
