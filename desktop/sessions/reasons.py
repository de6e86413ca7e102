"""Why a session rests, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QObject

from actions.catalog.views import SessionView


class ReasonWords(QObject):
    """Knows the reasons that are Sayso's own; what an agent said is shown as it said it."""

    def text(self, session: SessionView) -> str:
        """The reason of a session that rests, or starts slowly; empty where there is none."""
        known = {
            "stopped": self.tr("Stopped by you."),
            "run_ended": self.tr("Its run has ended."),
            "given_up": self.tr("It was given up before its agent was ready. Send a message to start it."),
            "host_ended": self.tr("The host ended. Send a message to go on."),
            "host_ended_at_work": self.tr("The host ended while the agent was at work. Send a message to go on."),
            "host_stopped": self.tr("The host was stopped. Send a message to go on."),
            "interrupted": self.tr("The start was interrupted."),
        }
        template = known.get(session.reason_code or "")
        if session.reason_code == "slow_start":
            facts = session.reason_facts
            prepares = self.tr("Still starting: prepares its start, {seconds} s")
            waits = self.tr("Still starting: waits for the answer of {provider} to {step}, {seconds} s")
            template = waits if facts.get("step") else prepares
        try:
            return (template or "").format(**session.reason_facts) or session.reason or ""
        except KeyError:  # of an older or a newer host
            return session.reason or ""
