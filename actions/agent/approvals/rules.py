"""Rules: what a person freed for this session or for always, in this workspace."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path

from actions.agent.approvals.rule import Rule
from actions.agent.approvals.rulefile import RuleFile
from actions.agent.toolset.asking import Scope
from actions.catalog.spec import Effect
from actions.errors import SaysoError
from actions.patterns.pattern import Pattern


class Rules:
    """Session rules live here, always rules in ``file`` (None: this session only). A session and its subagents share
    one. What another session of the workspace adds or revokes counts from the next call on.

    ``warn`` gets a sentence for a person when the file cannot be read or written.
    """

    def __init__(self, file: Path | None = None, *, warn: Callable[[str], None]) -> None:
        self._session: dict[str, Rule] = {}
        self._file = RuleFile(file) if file is not None else None
        self._warn = warn
        self._index: dict[tuple[str, Effect], list[Rule]] = {}
        self._refresh()

    def listed(self) -> tuple[Rule, ...]:
        """Every rule, always rules first, each kind in the order it was made."""
        self._refresh()
        return (*(self._file.rules if self._file else ()), *self._session.values())

    def fault(self) -> str | None:
        """Why the always rules do not count, for a person; None when all is well."""
        self._refresh()
        return self._file.fault if self._file else None

    def match(self, tool: str, effect: Effect, scope: Scope) -> Rule | None:
        """A rule that covers the call, or None."""
        self._refresh()
        for rule in self._index.get((tool, effect), ()):
            if rule.pattern.fits(scope):
                return rule
        return None

    def add(self, tool: str, effect: Effect, pattern: Pattern, *, always: bool = False) -> Rule:
        """Make a rule; an equal one that is there is kept. An always rule that cannot be stored becomes one for this
        session, with a warning.
        """
        for rule in self.listed():
            if (rule.tool, rule.effect, rule.pattern) == (tool, effect, pattern) and (rule.always or not always):
                return rule
        rule = Rule(secrets.token_hex(4), tool, effect, pattern, always, time.time())
        if always:
            rule = self._store(rule)
        if not rule.always:
            self._session[rule.id] = rule
        self._build()
        return rule

    def revoke(self, rule_id: str) -> bool:
        """Take a rule back: calls ask again. False when there is none of this id.

        Raises:
            SaysoError: the file with the always rules cannot be written; the rule stands.
        """
        found = self._session.pop(rule_id, None) is not None
        if not found and self._file is not None:
            found = self._file.remove(rule_id)
        self._build()
        return found

    def _store(self, rule: Rule) -> Rule:
        if self._file is not None:
            try:
                self._file.add(rule)
            except SaysoError as error:
                self._warn(f"{error.message} The rule holds for this session only.")
            else:
                return rule
        return Rule(rule.id, rule.tool, rule.effect, rule.pattern, False, rule.created)

    def _refresh(self) -> None:
        if self._file is not None and self._file.changed():
            if (fault := self._file.read()) is not None:
                self._warn(fault)
            self._build()

    def _build(self) -> None:
        self._index = {}
        for rule in (*self._session.values(), *(self._file.rules if self._file else ())):
            if rule.pattern.sound:
                self._index.setdefault((rule.tool, rule.effect), []).append(rule)
