"""What a notice of the transcript says, in the language of the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject


class NoticeWords(QObject):
    """Knows the codes whose notices carry facts; any other is shown as it was written."""

    def text(self, data: Mapping[str, Any]) -> str:
        """The words for the data of a ``notice`` event."""
        facts = {str(name): str(value) for name, value in (data.get("facts") or {}).items()}
        code = str(data.get("code") or "")
        if code == "run_ended":
            return self._run_ended(facts) or str(data.get("text") or "")
        template = self._templates().get(code) if facts else None
        if template is None:
            return str(data.get("text") or "")
        try:
            return template.format(**facts).strip()
        except KeyError:  # written by an older or a newer host
            return str(data.get("text") or "")

    def _templates(self) -> dict[str, str]:
        return {
            "did_not_ask": self.tr("{provider} changed files or ran commands. It did not ask."),
            "did_not_wait": self.tr("{provider} did not wait for your answer: {title} is done already."),
            "fresh_session": self.tr(
                "A new conversation was started, because {why}. The agent does not remember what is above."
            ),
            "forked": self.tr("Forked from “{title}”. What is above was said there."),
            "asks_never": self.tr("{provider} never asks before it acts."),
            "asks_own_config": self.tr(
                "{provider} asks before it acts because Sayso configures it to; "
                "it does not ask for tools of MCP servers."
            ),
            "asks_escalated": self.tr(
                "{provider} works in a sandbox and asks only to leave it: it writes in the workspace unasked."
            ),
            "wish_not_set": self.tr("The {what} of before could not be set again: {why}"),
            "ask_mode_not_set": self.tr(
                "{provider} was not put into its mode {mode} and may act without asking; it is in: {current}. {why}"
            ),
            "option_not_set": self.tr("{provider} did not take {option}, and may act without asking: {why}"),
        }

    def _run_ended(self, facts: Mapping[str, str]) -> str:
        kinds = {
            "plan": self.tr("Plan run"),
            "review": self.tr("Review run"),
            "delegate": self.tr("Delegated run"),
        }
        ends = {
            "succeeded": self.tr("{run} by {provider} succeeded"),
            "failed": self.tr("{run} by {provider} failed"),
            "cancelled": self.tr("{run} by {provider} was cancelled"),
            "interrupted": self.tr("{run} by {provider} was interrupted"),
        }
        kind, end = kinds.get(facts.get("run_kind", "")), ends.get(facts.get("state", ""))
        if kind is None or end is None:
            return ""
        said = end.format(run=kind, provider=facts.get("provider", ""))
        if facts.get("summary"):
            return self.tr("{said}: {summary}").format(said=said, summary=facts["summary"])
        return self.tr("{said}.").format(said=said)
