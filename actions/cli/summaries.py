"""A session and a run as a person wants them: what they are, how they stand, what came of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from actions.cli.printable import printable, when
from actions.cli.width import pad
from actions.words import counted

_MARKS = {
    "did_not_ask": "It acted without asking where it should have asked.",
    "never_asks": "Its agent never asks before it acts.",
    "ask_mode_not_set": "Its agent did not confirm the mode in which it asks.",
    "option_not_set": "Its agent did not confirm an option in which it asks.",
    "did_not_list_tools": "Its agent never asked for the tools of Sayso, so it works without them.",
}
_DELIVERY = {"native_mcp": "over MCP", "shell_bridge": "through the command sayso", "none": "none"}


def session_lines(session: dict[str, Any]) -> list[str]:
    """The title, the id, and a line for each thing that differs from one session to the next."""
    choices = [option for option in session["options"] if option["category"] not in ("mode", "model")]
    names = {mode["id"]: mode["name"] for mode in session["modes"]}
    others = [mode for mode in names if mode != session["mode"]]
    mode = session["mode"] or ""
    worktree = _part(session, "worktree")
    queue = [" ".join(message["text"].split())[:80] for message in session["queue"]]
    flags = [name for name in ("pinned", "archived", "unread", "resumable") if session[name]]
    rows = [
        ("state", _sentence(session["state"], session["reason"])),
        ("agent", session["provider_name"]),
        ("workspace", session["workspace"]),
        ("worktree", f"{worktree['branch']} of {worktree['repository']}" if worktree else ""),
        ("mode", f"{mode} (others: {', '.join(others)})" if others else mode),
        ("model", _model(session)),
        *((option["name"].lower(), _value(option)) for option in choices),
        ("run", session["run_id"] or ""),
        ("waits", f"{session['waiting_for']} in the inbox" if session["waiting_for"] else ""),
        ("queue", "; ".join(queue)),
        ("tools", _tools(_part(session, "tools"))),
        ("also", ", ".join(flags)),
        ("active", when(session["last_activity"])),
    ]
    marks = [f"! {_MARKS[mark]}" for mark in session["marks"] if mark in _MARKS]
    return [f"{_line(session['title'])}  {session['id']}", *_labelled(rows), *marks]


def run_lines(run: dict[str, Any]) -> list[str]:
    """What ran and how it ended, then its result in full."""
    result, error, scope = _part(run, "result"), _part(run, "error"), _part(run, "scope")
    ended = [when(moment) for moment in (run["started"], run["ended"]) if moment is not None]
    rows = [
        ("state", _sentence(run["state"], error.get("message"))),
        ("workspace", run["workspace"]),
        ("session", run["session_id"] or ""),
        ("task", run["instructions"]),
        ("change", scope_line(scope)),
        ("from, to", ", ".join(ended)),
    ]
    lines = [f"{run['kind'].capitalize()} run by {run['provider']}  {run['id']}", *_labelled(rows)]
    if run["stale"]:
        now = _commit(run.get("head_now"))
        lines.append(f"! Stale: HEAD moved from {_commit(scope.get('head'))} to {now} since. Review again to be sure.")
    text: str = result.get("text") or result.get("summary") or ""
    return [*lines, "", *(printable(line) for line in text.strip().splitlines())] if text.strip() else lines


def findings_lines(review: dict[str, Any]) -> list[str]:
    """Who reviewed what, then the findings, the gravest first, and at last the change where it was asked for."""
    reviewers = [
        f"{who['provider']} ({who['problem'] or who['state'] if who['findings'] is None else who['findings']})"
        for who in review["reviewers"]
    ]
    rows = [("by", ", ".join(reviewers)), ("workspace", review["workspace"]), ("change", scope_line(review["scope"]))]
    lines = _labelled(rows)
    if review["stale"]:
        moved = f"from {_commit(review['scope'].get('head'))} to {_commit(review['head_now'])}"
        lines.append(f"! Stale: HEAD moved {moved} since. Review again to be sure.")
    for finding in review["findings"]:
        place = finding["file"] if finding["line"] is None else f"{finding['file']}:{finding['line']}"
        lines += ["", f"{finding['severity']}  {_line(place)}  {finding['id']}"]
        said = [f"{who['provider']}: {_line(who['text'])}" for who in finding["said"]]
        lines += [f"  {text}" for text in said]
    if not review["findings"] and any(who["findings"] is not None for who in review["reviewers"]):
        lines += ["", "Nothing was found."]
    if review["change_problem"]:
        lines += ["", f"! {_line(review['change_problem'])}"]
    change: str = review["change"] or ""
    return [*lines, "", *(printable(line) for line in change.splitlines())] if change else lines


def turn_lines(turn: dict[str, Any]) -> list[str]:
    """What the agent said, then how its session stands where that is not idle."""
    said = [printable(line) for line in (turn.get("text") or "").strip().splitlines()]
    if turn["state"] == "idle" and turn.get("stop_reason") in (None, "end_turn") and said:
        return said
    rows = [("session", turn["session_id"]), ("state", turn["state"]), ("ended", turn.get("stop_reason") or "")]
    queued = [("queued", "yes")] if turn.get("queued") else []
    return [*said, *([""] if said else []), *_labelled([*rows, *queued])]


def _commit(id: str | None) -> str:
    return id[:10] if id else "no commit"


def _part(whole: dict[str, Any], name: str) -> dict[str, Any]:
    return whole.get(name) or {}


def _labelled(rows: Iterable[tuple[str, str]]) -> list[str]:
    shown = [(name, text) for name, text in rows if text]
    column = max((len(name) for name, _ in shown), default=0) + 2
    return [f"  {pad(name, column)}{_line(text)}" for name, text in shown]


def _line(text: str) -> str:
    return " ".join(printable(text).split())


def _sentence(state: str, why: str | None) -> str:
    return f"{state}: {why}" if why else state


def _model(session: dict[str, Any]) -> str:
    option = next((option for option in session["options"] if option["category"] == "model"), None)
    return _value(option) if option is not None else session["model"] or ""


def _value(option: dict[str, Any]) -> str:
    named = {choice["id"]: choice["name"] for choice in option["choices"]}
    value = option["value"]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return named.get(value, str(value or ""))


def _tools(tools: dict[str, Any]) -> str:
    if not tools:
        return ""
    delivery: str = tools["delivery"]
    words = _DELIVERY.get(delivery, delivery)
    if tools["listed_at"] is not None:
        words += f", listed by the agent at {when(tools['listed_at'])}"
    servers = [server["name"] for server in tools["servers"]]
    return f"{words}; servers: {', '.join(servers)}" if servers else words


def scope_line(scope: dict[str, Any]) -> str:
    """What a review is about, on one line; empty without."""
    if not scope:
        return ""
    at = f"{scope.get('branch') or 'no branch'} at {str(scope.get('head') or 'no commit')[:12]}"
    size = f"{counted(scope.get('files', 0), 'file')}, +{scope.get('added', 0)} -{scope.get('deleted', 0)}"
    return f"{scope.get('change', '')} changes of {at}: {size}"
