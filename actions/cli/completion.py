"""Completion for bash, zsh and fish. The scripts ask `sayso complete`, so that the words are those of the manifest."""

from __future__ import annotations

from typing import Any

from actions.cli.answer import Answer
from actions.cli.commands import Manifest, load
from actions.cli.invocation import Invocation
from actions.errors import SaysoError

_SCRIPTS = {
    "bash": """\
_sayso() {
    local IFS=$'\\n'
    COMPREPLY=($(sayso complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _sayso sayso
""",
    "zsh": """\
#compdef sayso
_sayso() {
    local -a found
    found=("${(@f)$(sayso complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    [[ -n "$found" ]] && compadd -- $found || _files
}
compdef _sayso sayso
""",
    "fish": """\
complete -c sayso -a '(sayso complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
""",
}
_LISTS = {
    "sessions.open": ("session.list", "sessions"),
    "runs.active": ("execution.run.list", "runs"),
    "providers.available": ("providers.list", "providers"),
    "approvals.open": ("inbox.list", "rows"),
    "inbox": ("inbox.list", "rows"),
}
_FIELDS = {
    "session_id": "sessions.open",
    "run_id": "runs.active",
    "approval_id": "inbox",
    "action_id": "actions",
    "provider": "providers.available",
}
_EVERYWHERE = ("--json", "--quiet", "--workspace", "--idempotency-key", "--language", "--help")


def script(call: Invocation) -> Answer:
    """The script of a shell, to be read by its start-up file."""
    shell: str = call.values["shell"]
    return Answer("completion", {"shell": shell, "script": _SCRIPTS[shell]}, text=_SCRIPTS[shell].rstrip("\n"))


def complete(call: Invocation) -> Answer:
    """What may come next on a line; the last word is the one that is being written. A failure completes nothing."""
    line = call.rest[1:] if call.rest[:1] == ["--"] else call.rest
    *before, begun = line or [""]
    manifest = load()
    found = [word for word in _candidates(call, manifest, before, begun) if word.startswith(begun)]
    return Answer("completion", {"words": found}, text="\n".join(found))


def _candidates(call: Invocation, manifest: Manifest, before: list[str], begun: str) -> list[str]:
    words: list[str] = []
    for token in before:
        if not any(c["words"][: len(words) + 1] == [*words, token] for c in manifest.commands):
            break
        words.append(token)
    rest = before[len(words) :]
    following = sorted({c["words"][len(words)] for c in manifest.below(words) if len(c["words"]) > len(words)})
    command = next((c for c in manifest.commands if c["words"] == words), None)
    if command is None or (following and not rest and not begun.startswith("-")):
        return following if not rest else []
    options = {a["flag"]: a for a in command["arguments"] if a["flag"] is not None}
    if rest and (argument := options.get(rest[-1])) is not None and argument["type"] != "boolean":
        return _values(call, manifest, argument)
    if begun.startswith("-"):
        return [*options, *(flag for flag in _EVERYWHERE if flag not in options)]
    positional = [a for a in command["arguments"] if a["flag"] is None]
    valued = {flag for flag, argument in options.items() if argument["type"] != "boolean"}
    pairs = zip(["", *rest], rest, strict=False)
    taken = sum(not token.startswith("-") and previous not in valued for previous, token in pairs)
    return _values(call, manifest, positional[taken]) if taken < len(positional) else []


def _values(call: Invocation, manifest: Manifest, argument: dict[str, Any]) -> list[str]:
    if argument["choices"]:
        return argument["choices"]
    source = argument.get("source") or _FIELDS.get(argument["field"])
    if source == "actions" or (source is None and argument["field"] == "id"):
        return [c["action"] for c in manifest.commands if c["action"]]
    if source not in _LISTS:
        return []
    action, name = _LISTS[source]
    try:
        data = call.execute(action, {}, effect="read", host=call.host(start=False))
    except SaysoError:
        return []
    return [str(item["id"]) for item in data[name]]
