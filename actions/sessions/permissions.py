"""Permission requests of agents: read from the wire, and answered by the agent's own option ids.

Source: ACP 1, ``session/request_permission``.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any, cast

from actions.errors import Ambiguous, InvalidInput

_VALUE_LIMIT = 2000


def choose(
    options: Sequence[dict[str, str]], decision: str, option_id: str | None, *, request_id: str = "REQUEST"
) -> dict[str, str] | None:
    """The agent's option that stands for a decision; None means the outcome ``cancelled``.

    ``option_id`` names it exactly. Without, ``allow`` is the one option of kind allow_once and ``deny`` the one of kind
    reject_once (or, with none of these, nothing is chosen and the call is cancelled). Never by position: where several
    would do, Ambiguous lists them. Raises InvalidInput for an unknown option or decision.
    """
    if option_id is not None:
        for option in options:
            if option["id"] == option_id:
                return option
        known = ", ".join(option["id"] for option in options)
        raise InvalidInput(
            f"The agent offers no option {option_id!r}; it offers {known}.",
            [{"field": "option_id", "message": f"one of {known}"}],
        )
    if decision not in ("allow", "deny"):
        raise InvalidInput("A permission is allowed or denied.", [{"field": "decision", "message": "allow or deny"}])
    kinds = ("allow_once",) if decision == "allow" else ("reject_once", "reject_always")
    for kind in kinds:
        fitting = [option for option in options if option["kind"] == kind]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise _several(fitting, decision, request_id)
    if decision == "deny":
        return None
    raise _several([option for option in options if option["kind"].startswith("allow")], decision, request_id)


def plan_of(call: dict[str, Any]) -> str:
    """The plan, in Markdown, that a call to leave plan mode puts before a person; empty where it is no such call.

    Source: the call's kind ``switch_mode``; the plan is its input's ``plan``, else its text.
    """
    if call.get("kind") != "switch_mode":
        return ""
    given: Any = call.get("input")
    plan = cast("dict[str, Any]", given).get("plan") if isinstance(given, dict) else None
    if isinstance(plan, str) and plan.strip():
        return plan.strip()
    texts: list[str] = []
    for part in cast("list[dict[str, Any]]", call.get("content") or []):
        inner: Any = part.get("content")
        if isinstance(inner, dict):
            texts.append(str(cast("dict[str, Any]", inner).get("text") or ""))
    return "\n\n".join(text.strip() for text in texts if text.strip())


def options_of(options: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """The options as stored: id, name and kind, in the agent's order."""
    return [
        {"id": str(o["optionId"]), "name": str(o.get("name") or o["optionId"]), "kind": str(o.get("kind") or "")}
        for o in options
        if o.get("optionId") is not None
    ]


def summary_of(call: dict[str, Any]) -> str:
    """One line that says what is asked, from the tool call as folded so far."""
    given: Any = call.get("input")
    values = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    command = values.get("command") or values.get("cmd")
    if isinstance(command, list):
        command = " ".join(str(part) for part in cast("list[Any]", command))
    title = str(call.get("title") or "").strip()
    text = title or str(command or values.get("tool") or call.get("kind") or "A tool call")
    if isinstance(command, str) and command and command not in text:
        text = f"{text}: {command}"
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:299] + "…"


def field_rows(call: dict[str, Any]) -> list[dict[str, str]]:
    """What the call would do, one row an argument: ``{path, title, value}``."""
    given: Any = call.get("input")
    rows: list[dict[str, str]] = []
    if isinstance(given, dict):
        for key, value in cast("dict[str, Any]", given).items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            rows.append({"path": str(key), "title": str(key), "value": text[:_VALUE_LIMIT]})
    places = [str(place.get("path", "")) for place in cast("list[dict[str, Any]]", call.get("locations") or [])]
    if places and not any(row["value"] in places for row in rows):
        rows.append({"path": "locations", "title": "Files", "value": "\n".join(places)[:_VALUE_LIMIT]})
    for part in cast("list[dict[str, Any]]", call.get("content") or []):
        if part.get("type") == "diff":
            text = str(part.get("newText") or "")
            rows.append({"path": "content", "title": f"New text of {part.get('path')}", "value": text[:_VALUE_LIMIT]})
    return rows


def _several(options: Sequence[dict[str, str]], decision: str, request_id: str) -> Ambiguous:
    names = ", ".join(f"{option['id']} ({option['name']})" for option in options)
    given = json.dumps({"decision": decision, "option_id": options[0]["id"] if options else "ID"})
    return Ambiguous(
        f"The agent offers several options for that: {names}. Choose one by its id, as in: "
        f"sayso inbox answer {request_id} --json-input {shlex.quote(given)}",
        [{"id": option["id"], "label": option["name"]} for option in options],
    )
