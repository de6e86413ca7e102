"""`sayso mcp trust|preview|login|logout`: what sessions get of the user's MCP servers."""

from __future__ import annotations

import contextlib
import os
import sys
import webbrowser
from typing import Any

from actions.cli.answer import FAILED, Answer, usage
from actions.cli.invocation import Invocation
from actions.cli.printable import printable
from actions.errors import ErrorCode, SaysoError

_WAIT_S = 10.0
_POLL_S = 15.0
_YES = ("y", "yes", "是", "好")


def trust(call: Invocation) -> Answer:
    """Show what the servers of a workspace's file would run, ask, and keep the yes."""
    workspace = str(call.values["workspace"])
    host = call.host()
    if call.value("withdraw"):
        return Answer("trust", call.execute("mcp.trust", {"workspace": workspace, "withdraw": True}, host=host))
    review = call.execute("mcp.trust.get", {"workspace": workspace}, effect="read", host=host)
    waiting = [server for server in review["servers"] if server["trust"] not in ("own", "trusted")]
    if not waiting:
        return Answer("trust", review, text=_nothing_waits(review))
    sys.stderr.write("\n".join(_shown(review["workspace"], waiting)) + "\n")
    allowed: list[str] = list(call.value("allow_env") or [])
    if not call.value("yes"):
        _asked(f"Let {_these(waiting)} run, as shown? [y/N] ")
        risky = sorted({name for server in waiting for name in server["environment"]} - {*allowed})
        if risky:
            listed = ", ".join(printable(name) for name in risky)
            with contextlib.suppress(SaysoError):
                _asked(f"Also let them set {listed}, which can change the program that runs? [y/N] ")
                allowed += risky
    agreed = {"workspace": workspace, "content_hash": review["content_hash"], "allow_env": allowed}
    return Answer("trust", call.execute("mcp.trust", agreed, host=host), text=f"Trusted: {_these(waiting)}.")


def preview(call: Invocation) -> Answer:
    """What a session would get. Waits for servers that connect, at most ``--wait`` seconds."""
    workspace = call.flags.workspace or call.value("workspace") or os.getcwd()
    provider = call.value("provider", "builtin")
    asked: dict[str, Any] = {"provider": provider, "workspace": workspace, "wait_s": call.value("wait_s", _WAIT_S)}
    if (selection := call.value("selection")) is not None:
        asked["selection"] = selection
    data = call.execute("mcp.preview", asked, effect="read")
    return Answer("tool_preview", data, text=_table(data))


def login(call: Invocation) -> Answer:
    """Open the page, or print it, and wait until the person came back."""
    host = call.host()
    asked: dict[str, Any] = {"server": call.values["server"], **_workspace(call)}
    state = call.execute("mcp.servers.login", asked, host=host)
    try:
        if state["state"] == "waiting" and state["url"]:
            _show_page(state["url"], state["seconds_left"])
        while state["state"] == "waiting":
            state = call.execute("mcp.servers.login", {**asked, "wait_s": _POLL_S}, host=host)
    except KeyboardInterrupt:
        call.execute("mcp.servers.login", {**asked, "cancel": True}, host=host)
        raise
    if state["state"] == "failed":
        message = state["message"] or "The login did not work."
        error = {"code": ErrorCode.FAILED.value, "message": message, "details": {"server": asked["server"]}}
        return Answer("login", state, exit=FAILED, error=error)
    return Answer("login", state, text=f"You are logged in to {printable(state['server'])}.")


def logout(call: Invocation) -> Answer:
    """Forget a login."""
    state = call.execute("mcp.servers.logout", {"server": call.values["server"], **_workspace(call)})
    return Answer("login", state, text=f"The login to {printable(state['server'])} is forgotten.")


def _workspace(call: Invocation) -> dict[str, str]:
    found = call.flags.workspace or call.value("workspace")
    return {} if found is None else {"workspace": found}


def _show_page(url: str, seconds: int | None) -> None:
    sys.stderr.write(f"Log in here, within {seconds or 0} s:\n  {printable(url)}\n")
    sys.stderr.flush()
    # A browser in a terminal would take it over; without a display there is no other
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform in ("darwin", "win32"):
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(url)


def _asked(question: str) -> None:
    if sys.stdin is None or not sys.stdin.isatty():
        raise usage("Nobody can be asked here: say --yes to agree to what is shown.", "yes")
    sys.stderr.write(question)
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in _YES:
        raise SaysoError("Nothing was trusted; nothing of it runs.", code=ErrorCode.CANCELLED)


def _these(servers: list[dict[str, Any]]) -> str:
    return ", ".join(printable(server["server"]) for server in servers)


def _nothing_waits(review: dict[str, Any]) -> str:
    if not review["servers"]:
        return f"{printable(review['workspace'])} has no servers of its own."
    return "Everything there is trusted as it is."


def _shown(workspace: str, servers: list[dict[str, Any]]) -> list[str]:
    lines = [f"{printable(workspace)} wants to run:"]
    for server in servers:
        lines.append(f"  {printable(server['server'])} ({printable(server['file'])}, line {server['line']})")
        rows = [
            ("command", _argv(server["command"])),
            ("program", server["resolved"]),
            ("folder", server["cwd"]),
            ("url", server["url"]),
            ("environment", ", ".join(server["env"])),
            ("headers", ", ".join(server["headers"])),
            ("scripts", ", ".join(server["scripts"])),
            ("problem", server["problem"]),
        ]
        lines += [f"    {name + ':':<13}{printable(value)}" for name, value in rows if value]
        if server["environment"]:
            lines.append(f"    {', '.join(map(printable, server['environment']))} can change the program that runs.")
        if server["changes"]:
            lines.append("    different from what you trusted:")
        lines += [
            f"      {printable(change['field'])}: {_value(change['before'])} -> {_value(change['after'])}"
            for change in server["changes"]
        ]
    return lines


def _argv(words: list[str]) -> str:
    import shlex

    return shlex.join(words)


def _value(value: str | None) -> str:
    return "nothing" if value is None else printable(value)


def _table(data: dict[str, Any]) -> str:
    lines = [
        f"{printable(server['name'])}  {server['state']}  {server['tools']} tools  {server['delivery']}"
        + (f"  {printable(server['error'] or server['message'])}" if server["error"] or server["message"] else "")
        for server in data["servers"]
    ]
    lines += [
        f"  {printable(tool['source'])}  {printable(tool['name'])}  {tool['approval']}  {tool['tokens']} tokens"
        + ("" if tool["available"] else f"  not usable: {printable(tool['reason'] or '')}")
        for tool in data["tools"]
        if tool["exposure"] == "direct"
    ]
    for found in data["collisions"]:
        named = ", ".join(f"{tool['source']}/{tool['name']}" for tool in found["tools"])
        lines.append(f"one name for several: {printable(found['name'])} ({printable(named)})")
    for own in data["brought"]:
        place = " ".join(own["command"]) or own["url"] or ""
        lines.append(f"the agent's own: {printable(own['name'])}  {printable(place)}  ({printable(own['file'] or '')})")
    lines.append(f"{data['totals']['tools']} tools, about {data['totals']['tokens']} tokens")
    if data["loading"]:
        lines.append("Some servers still connect; ask again.")
    return "\n".join(lines)
