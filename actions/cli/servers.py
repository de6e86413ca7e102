"""`sayso mcp add|remove|enable|disable|test|import`: the user's MCP servers."""

from __future__ import annotations

import os
import sys
from typing import Any

from actions.cli.answer import FAILED, Answer, usage
from actions.cli.invocation import Invocation
from actions.cli.printable import printable
from actions.errors import ErrorCode, NotFound, SaysoError

_DEVICE = "device"


def add(call: Invocation) -> Answer:
    """Define a server and bind it: to the device, or to the given workspace."""
    definition = _definition(call)
    binding = {"target": _target(call), "enabled": not call.value("disabled")}
    data = call.execute("mcp.servers.create", {"definition": definition, "bindings": [binding], **_here(call)})
    return Answer("server", data)


def remove(call: Invocation) -> Answer:
    """Remove a definition and every binding of it."""
    asked = {"server": call.values["server"], "remove_bindings": True, **_here(call)}
    return Answer("done", call.execute("mcp.servers.delete", asked))


def enable(call: Invocation) -> Answer:
    """Switch a server on, on the device or in a workspace."""
    return _switch(call, enabled=True)


def disable(call: Invocation) -> Answer:
    """Switch a server off, on the device or in a workspace."""
    return _switch(call, enabled=False)


def test(call: Invocation) -> Answer:
    """Start a server and list its tools. One that does not answer is exit 1, with the end of its stderr.

    Ctrl+C ends the server with the command.
    """
    data = call.execute("mcp.servers.test", {**call.values, **_here(call)}, effect="external", attached=True)
    if data["ok"]:
        return Answer("server_test", data)
    details = {name: data[name] for name in ("code", "stderr", "exit_code") if data.get(name) is not None}
    message = data.get("message") or "The server does not answer."
    if data.get("stderr"):
        message += "\n" + printable(data["stderr"])
    error = {"code": ErrorCode.FAILED.value, "message": message, "details": details}
    return Answer("server_test", data, exit=FAILED, error=error)


def take_over(call: Invocation) -> Answer:
    """Import servers. At a terminal what would be taken over is shown first, and each taken name is asked about."""
    given = {**call.values, **_here(call), "source": _source(call.values["source"])}
    if given.get("dry_run") or call.flags.as_json or call.flags.quiet or not _at_a_terminal():
        data = call.execute("mcp.servers.import", given, effect="danger")
        return Answer("found_servers", data, text=_shown(data))
    host = call.host()
    found = call.execute("mcp.servers.import", {**given, "dry_run": True}, effect="danger", host=host)
    sys.stderr.write(_shown(found) + "\n")
    wanted = [row for row in found["servers"] if row["status"] in ("new", "conflict")]
    if not wanted:
        return Answer("found_servers", found, text="There is nothing to take over.")
    given["conflicts"] = {
        row["name"]: _ask_about(row["name"])
        for row in wanted
        if row["status"] == "conflict" and "on_conflict" not in call.values
    }
    given["values"] = {
        name: value
        for name, prompt in _missing(wanted).items()
        if (value := _hidden(f"{prompt or name} (Enter: later): "))
    }
    if _asked(f"Take over {len(wanted)} of them? They may run the commands shown. [y/N] ") not in ("y", "yes", "是"):
        raise SaysoError("Nothing was taken over.", code=ErrorCode.CANCELLED)
    data = call.execute("mcp.servers.import", given, effect="danger", host=host)
    return Answer("found_servers", data, text=_shown(data))


def _switch(call: Invocation, *, enabled: bool) -> Answer:
    asked = {"server": call.values["server"], "target": _target(call), "enabled": enabled}
    return Answer("binding", call.execute("mcp.bindings.add", asked, effect="danger"))


def _definition(call: Invocation) -> dict[str, Any]:
    name = call.values["name"]
    asks: list[dict[str, Any]] = []
    if preset := call.value("preset"):
        known = {row["id"]: row for row in call.execute("mcp.presets.list", {}, effect="read")["presets"]}
        if preset not in known:
            raise NotFound(f"There is no known server {preset!r}. There is: {', '.join(known)}.")
        definition: dict[str, Any] = {**known[preset]["definition"], "name": name}
        asks = known[preset]["asks"]
    else:
        command, url = call.value("command"), call.value("url")
        if (command is None) == (url is None):
            raise usage("sayso mcp add needs --command or --url, and not both.", "command")
        definition = {"name": name, "command": command, "args": call.value("arg"), "url": url}
        definition |= {"cwd": call.value("cwd"), "transport": call.value("transport")}
    if env := call.value("env"):
        definition["env"] = {**definition.get("env", {}), **dict(_variable(call, text) for text in env)}
    if headers := call.value("header"):
        definition["headers"] = dict(_header(text) for text in headers)
    if asks and _at_a_terminal() and not call.flags.as_json:
        _ask_for(asks, definition)
    return {name: value for name, value in definition.items() if value is not None}


def _ask_for(asks: list[dict[str, Any]], definition: dict[str, Any]) -> None:
    """Values that a known server takes; none may be left out that it cannot do without."""
    for ask in asks:
        part, _, name = ask["field"].partition(".")
        if name in definition.get(part, {}):
            continue
        value = _hidden(f"{ask['title']}{'' if ask['required'] else ' (Enter: without)'}: ")
        if value:
            definition.setdefault(part, {})[name] = ask.get("before", "") + value


def _variable(call: Invocation, text: str) -> tuple[str, str]:
    """``NAME=value``; ``NAME`` alone takes the value that it has here, so that no secret stands in the command."""
    name, equals, value = text.partition("=")
    if not equals:
        found = call.environ.get(name)
        if found is None:
            raise usage(f"--env {name}: there is no such variable here. Give its value: --env {name}=VALUE", "env")
        return name, found
    return name, value


def _header(text: str) -> tuple[str, str]:
    name, mark, value = text.partition(":")
    if not mark or "=" in name:
        name, mark, value = text.partition("=")
    if not mark:
        raise usage(f"--header {text[:80]!r} must be like 'Name: value'.", "header")
    return name.strip(), value.strip()


def _target(call: Invocation) -> str:
    return call.flags.workspace or _DEVICE


def _here(call: Invocation) -> dict[str, str]:
    return {"workspace": call.flags.workspace} if call.flags.workspace else {}


def _source(text: str) -> str:
    """A file as the host finds it; ``-`` is standard input; else a program's name, text or a command line."""
    if text == "-":
        from actions.cli.jsons import from_stdin

        return from_stdin("source")
    expanded = os.path.expanduser(text)
    return os.path.abspath(expanded) if os.path.isfile(expanded) else text


def _at_a_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _asked(question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower()


def _missing(rows: list[dict[str, Any]]) -> dict[str, str]:
    """What has to be given for these, with how it is asked for."""
    return {name: row["prompts"].get(name, "") for row in rows for name in row["missing"]}


def _hidden(question: str) -> str:
    """An answer that is not shown while it is typed: it may be a secret."""
    from getpass import getpass

    return getpass(printable(question), stream=sys.stderr)


def _ask_about(name: str) -> str:
    answers = {"s": "skip", "r": "rename", "p": "replace", "": "skip"}
    while (answer := _asked(f"There is a server {name} already. (s)kip, (r)ename or re(p)lace? [s] ")) not in answers:
        if answer in answers.values():
            return answer
    return answers[answer]


def _shown(data: dict[str, Any]) -> str:
    """Every server with its whole command line."""
    lines: list[str] = []
    for row in data["servers"]:
        saved = f" as {row['saved_as']}" if row.get("saved_as") else ""
        lines.append(printable(f"{row['name']}  {row['status']}{saved}  ({row['client']}, {row['scope']})"))
        if row["command"]:
            lines.append(printable(f"  runs: {_line(row['command'])}"))
        if row["url"]:
            lines.append(printable(f"  at: {row['url']}"))
        for title, names in (("env", row["env"]), ("headers", row["headers"])):
            if names:
                lines.append(printable(f"  {title}: {', '.join(names)}"))
        notes = [*row["warnings"]]
        if row["secrets"]:
            notes.append(f"Goes among the secrets: {', '.join(row['secrets'])}.")
        if row["missing"]:
            notes.append(f"Not set here: {', '.join(row['missing'])}.")
        if row["ignored"]:
            notes.append(f"Never taken over: {', '.join(row['ignored'])}.")
        lines += [printable(f"  {note}") for note in notes]
    lines += [printable(f"{problem['client']}: {problem['message']}") for problem in data["problems"]]
    return "\n".join(lines) or "None."


def _line(words: list[str]) -> str:
    import shlex

    return " ".join(word if word == "•••" else shlex.quote(word) for word in words)
