"""A request as a person reads it before deciding: who asks, for what, with which values."""

from __future__ import annotations

from typing import Any

from actions.cli.printable import printable


def request_lines(row: dict[str, Any]) -> list[str]:
    """The title, the summary and each field; what an agent wrote cannot paint over the lines around it."""
    lines = [f"{row['title']}  ({row['kind']}, asked by {row['asked_by']})", row["summary"]]
    for field in row["fields"]:
        first, *more = str(field["value"]).splitlines() or [""]
        lines += [f"  {field['title']}: {first}", *(f"    {line}" for line in more)]
    return [printable(line) for line in lines]
