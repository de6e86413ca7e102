"""Titles where a session is asked for by its id."""

from __future__ import annotations

from typing import Any, cast


def title_as_reference(data: Any) -> Any:
    """Take a ``session_title`` where a ``session_id`` is asked for: a reference may be a title."""
    if not isinstance(data, dict):
        return data
    fields = cast("dict[str, Any]", data)
    titles = {"session_title", "sessionTitle"} & fields.keys()
    if not titles or fields.keys() & {"session_id", "sessionId"}:
        return fields
    return {k: v for k, v in fields.items() if k not in titles} | {"session_id": fields[titles.pop()]}
