"""What is wanted of a run: its kind, its words, and the prompt that says so to an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from actions.catalog.views import RunKind, RunView
from actions.git.scope import Receipt
from actions.words import counted

_SHORT = 10
_TITLES = {RunKind.PLAN: "Plan", RunKind.REVIEW: "Review", RunKind.DELEGATE: "Delegate"}


@dataclass(frozen=True)
class Order:
    """One order goes to any number of providers. ``receipt`` is the scope of a review, ``base`` as it was asked for.

    ``options`` are stored with the run: model, retention, permission mode.
    """

    kind: RunKind
    instructions: str
    receipt: Receipt | None = None
    base: str | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def title(self) -> str:
        """The title of the child session."""
        what = self.instructions.strip() or (scope_in_words(self.receipt) if self.receipt else "")
        line = " ".join(what.splitlines()[0].split()) if what else ""
        return f"{_TITLES[self.kind]}: {line if len(line) <= 60 else line[:59] + '…'}"

    @property
    def reads_only(self) -> bool:
        return self.options.get("permission_mode") == "read_only"

    def meta(self) -> dict[str, Any]:
        """``_meta`` of the prompt, for an agent that knows managed runs."""
        said: dict[str, Any] = {"run": self.kind.value, "instructions": self.instructions}
        if self.receipt is not None:
            said |= {"change": self.receipt.change, "base": self.base}
        return {"sayso": {key: value for key, value in said.items() if value is not None}}

    def prompt(self) -> str:
        """The whole prompt for any other agent."""
        file = resources.files("actions.runs").joinpath(f"prompts/{self.kind.value}.md")
        text = file.read_text(encoding="utf-8")
        if self.receipt is not None:
            text = text.replace("{scope}", _how_to_see(self.receipt))
        asked = self.instructions.strip()
        if self.kind is RunKind.REVIEW:
            asked = f"Above all: {asked}" if asked else ""
        return text.replace("{instructions}", asked)


def scope_in_words(receipt: Receipt) -> str:
    """The scope of a review as half a sentence."""
    if receipt.change == "uncommitted":
        return f"the uncommitted changes ({counted(receipt.files, 'file')})"
    on = f" of {receipt.branch}" if receipt.branch else ""
    return f"the changes{on} ({counted(receipt.commits, 'commit')}, {counted(receipt.files, 'file')})"


def _how_to_see(receipt: Receipt) -> str:
    size = f"{counted(receipt.files, 'file')}, {counted(receipt.added, 'line')} added, {receipt.deleted} deleted"
    if receipt.change == "branch":
        return f"`git diff {receipt.base} {receipt.head}` ({size}; {counted(receipt.commits, 'commit')})."
    see = "`git diff HEAD`" if receipt.head else "every file of the repository"
    untracked = counted(receipt.untracked, "file")
    new = f", and {untracked} that git does not track yet (`git status`)" if receipt.untracked else ""
    return f"the uncommitted work, {see}{new} ({size})."


def stale_words(run: RunView) -> str:
    """That a review's repository has moved on since, from which commit to which."""
    then = str((run.scope or {}).get("head") or "")[:_SHORT] or "no commit"
    now = (run.head_now or "")[:_SHORT] or "no commit"
    return f"The review by {run.provider} is stale: HEAD moved from {then} to {now} since."
