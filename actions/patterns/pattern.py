"""What a rule is about, and whether a call falls under it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from actions.catalog.spec import Effect
from actions.patterns.operands import leads_out
from actions.patterns.options import breaks_out
from actions.patterns.plain import plain_words
from actions.patterns.prefixes import Prefix, program_of, suggest
from actions.patterns.scope import Scope

PatternKind = Literal["command", "path", "host", "mcp", "tool"]
_MACHINERY = frozenset(
    """
    .git .hg .svn .githooks .husky .vscode .idea .devcontainer .github .gitlab .circleci .direnv .venv .ssh
    .claude .codex .gemini .opencode .kiro .augment .qwen .kimi .kilocode .pi .copilot .cursor .sayso .agents
    .envrc .mcp.json .pre-commit-config.yaml .gitlab-ci.yml .gitconfig .gitmodules .npmrc .yarnrc .yarnrc.yml
    .bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .zlogin
    """.split()
)
"""Folders and files that make other programs (git, editors, shells, package managers, agents) run something; a rule
for the folder around them does not reach in.
"""


@dataclass(frozen=True, slots=True)
class Pattern:
    """``words`` by ``kind``: ``command`` the first words; ``path`` one absolute resolved path; ``host`` the host
    name; ``mcp`` server and tool; ``tool`` none. ``exact``: this command, this file, and nothing that begins so.
    """

    kind: PatternKind
    words: tuple[str, ...] = ()
    exact: bool = False
    outside: bool = False

    def fits(self, scope: Scope) -> bool:
        """Whether ``scope`` falls under this pattern, looked at now: links are followed again."""
        if scope.kind != self.kind or scope.outside != self.outside:
            return False
        match self.kind:
            case "command":
                words = plain_words(scope.subject)
                if words is None:
                    return False
                if self.exact:
                    return words == self.words and not _quotes_matter(scope.subject, words)
                return words[: len(self.words)] == self.words and _keeps_to(self.words, words, scope)
            case "path":
                return self._holds(scope.subject)
            case "host":
                return _host(scope.subject) == self.words[0]
            case "mcp":
                return tuple(scope.subject.partition("/")[::2]) == self.words
            case "tool":
                return True

    def in_words(self, tool: str) -> str:
        """What a rule of this pattern releases, for a person."""
        match self.kind:
            case "command" if self.exact:
                return f"exactly this command: {' '.join(self.words)}"
            case "command":
                return (
                    f"every single command that begins with: {' '.join(self.words)} "
                    "(no chains, pipes, redirects or substitutions; no path outside the workspace, no option that runs "
                    "other programs)"
                )
            case "path" if self.exact:
                return f"{tool} on exactly this file: {self.words[0]}"
            case "path":
                return (
                    f"{tool} on every file below {self.words[0]}, except those by which other programs run something "
                    "(.git, .vscode, .envrc, .mcp.json and the like)"
                )
            case "host":
                return f"{tool} for every address on the host {self.words[0]}"
            case "mcp":
                return f"every call of the tool {self.words[1]} of the MCP server {self.words[0]}"
            case "tool":
                return f"every call of {tool}"

    @property
    def sound(self) -> bool:
        """Whether the pattern is one that would be made here; a file edited by hand may hold others."""
        match self.kind:
            case "command":
                return bool(self.words) and (self.exact or suggest(self.words) == Prefix(self.words))
            case "path":
                return len(self.words) == 1 and Path(self.words[0]).is_absolute() and (self.exact or not self.outside)
            case "host":
                return len(self.words) == 1 and bool(self.words[0])
            case "mcp":
                return len(self.words) == 2 and all(self.words)
            case "tool":
                return not self.words

    def _holds(self, subject: str) -> bool:
        # The stored root is not resolved again: a root that became a link must not carry the rule elsewhere.
        path = os.path.realpath(subject)
        root = self.words[0]
        if self.exact:
            return path == root
        inner = Path(path).parts[len(Path(root).parts) :]
        return Path(path).is_relative_to(root) and not _has_machinery(inner)


def pattern_for(scope: Scope, effect: Effect) -> Pattern | None:
    """The pattern that a rule for this call would have; None when no rule may cover it: a command that is not plain,
    and a dangerous tool as a whole.
    """
    match scope.kind:
        case "command":
            words = plain_words(scope.subject)
            if words is None:
                return None
            prefix = suggest(words)
            exact = prefix.exact or not _keeps_to(prefix.words, words, scope)
            if exact and _quotes_matter(scope.subject, words):
                return None
            return Pattern("command", words if exact else prefix.words, exact, scope.outside)
        case "path":
            return _path_pattern(os.path.realpath(scope.subject), scope.outside)
        case "host":
            host = _host(scope.subject)
            return Pattern("host", (host,), outside=scope.outside) if host else None
        case "mcp":
            server, _, tool = scope.subject.partition("/")
            return Pattern("mcp", (server, tool), outside=scope.outside) if server and tool else None
        case "tool":
            return None if effect is Effect.DANGER else Pattern("tool", outside=scope.outside)


def _keeps_to(prefix: tuple[str, ...], words: tuple[str, ...], scope: Scope) -> bool:
    """Whether what follows ``prefix`` only says where in the workspace, and how the command shows it."""
    if breaks_out(program_of(words[0]), words):
        return False
    return not leads_out(words[len(prefix) :], scope.folder, scope.roots)


def _quotes_matter(command: str, words: tuple[str, ...]) -> bool:
    """Whether the words alone do not say which command it is: ``rm '*'`` and ``rm *`` have the same."""
    quoted = "'" in command or '"' in command
    return quoted and any(sign in word for word in words for sign in "*?[]{}~")


def _path_pattern(path: str, outside: bool) -> Pattern:
    folder = Path(path).parent
    exact = outside or _has_machinery(Path(path).parts) or folder == folder.parent
    return Pattern("path", (path if exact else str(folder),), exact, outside)


def _has_machinery(parts: tuple[str, ...]) -> bool:
    return any(part.casefold() in _MACHINERY for part in parts)


def _host(name: str) -> str:
    return name.strip().rstrip(".").lower()
