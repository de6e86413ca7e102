"""Why a run has failed, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QObject

from actions.catalog.views import RunView


class ErrorWords(QObject):
    """Knows the reasons that are Sayso's own; what a provider said is shown as it said it."""

    def text(self, run: RunView) -> str:
        """Why it failed, and whether its provider says that trying again may help; empty where it did not fail."""
        if run.error is None:
            return ""
        known = {
            "agent_ended": self.tr("The agent ended before it was done."),
            "refused": self.tr("The agent refused the task."),
            "limit": self.tr("The agent reached its limit before it was done."),
            "no_answer": self.tr("The agent ended its turn without an answer."),
            "host_ended": self.tr("The host ended while this run was under way."),
            "host_stopped": self.tr("The host was stopped while this run was under way."),
        }
        message = known.get(run.error.reason or "") or run.error.message
        again = self.tr("Trying again may help.")
        return f"{message} {again}" if run.retryable else message
