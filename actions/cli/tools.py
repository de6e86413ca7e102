"""`sayso tools list` and `sayso tools call`: the tools of a session, ours and those of its MCP servers."""

from __future__ import annotations

from typing import Any, cast

from actions.cli.answer import FAILED, Answer, Pending, error_from, usage
from actions.cli.invocation import Invocation


def list_tools(call: Invocation) -> Answer:
    """Every source with its tools; what is wrong with one is a warning."""
    params = {**_asked(call), "provider": call.value("provider")}
    envelope = call.host().call("tools.list", _given(params), repeatable=True)
    if not envelope["ok"]:
        raise error_from(envelope["error"])
    data = envelope["data"]
    return Answer("tools", data, text=_table(data))


def call_tool(call: Invocation) -> Answer:
    """Call one tool. Raises Pending when a person is asked first."""
    arguments: Any = call.value("args_json", {})
    if not isinstance(arguments, dict):
        raise usage('--args-json must be a JSON object, such as {"query": "review"}.', "args_json")
    params = {
        **_asked(call),
        "source": call.values["source"],
        "tool": call.values["tool"],
        "arguments": cast("dict[str, Any]", arguments),
        "wait": call.value("wait"),
        "idempotency_key": call.flags.idempotency_key,
    }
    envelope = call.host().call("tools.call", _given(params), repeatable=call.flags.idempotency_key is not None)
    if envelope.get("outcome") == "pending":
        raise Pending(envelope["data"])
    if envelope["ok"]:
        return Answer("tool_result", envelope["data"])
    if "data" in envelope:  # the tool itself reports an error, and says more in its output
        return Answer("tool_result", envelope["data"], exit=FAILED, error=envelope["error"])
    raise error_from(envelope["error"])


def _asked(call: Invocation) -> dict[str, Any]:
    return {
        "surface": "cli",
        "label": call.said,
        "session_id": call.value("session_id") or call.environ.get("SAYSO_SESSION_ID"),
        "workspace": call.flags.workspace or call.value("workspace"),
    }


def _given(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


def _table(data: dict[str, Any]) -> str:
    lines: list[str] = []
    for source, tools in data["sources"].items():
        lines.append(source)
        lines += [f"  {tool['name']}  {str(tool['description'] or '').split('. ')[0][:100]}" for tool in tools]
    lines += [f"warning: {warning['source']}: {warning['error']}" for warning in data["warnings"]]
    return "\n".join(lines)
