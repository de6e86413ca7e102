"""`sayso session new` and `sayso session transcript`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from actions.cli.answer import Answer
from actions.cli.invocation import Invocation
from actions.cli.output import write, write_json

_PAGE = 1000


def new(call: Invocation) -> Answer:
    """Start a session, in the current directory when no other is named. With ``--wait`` people see what was said.

    Ctrl+C before the agent is ready ends it; the session is then stopped.
    """
    given = dict(call.values)
    if "workspace" not in given and "directory" not in given:
        given["workspace"] = os.getcwd()
    session = call.execute("session.spawn_new", given, effect="external", attached=True)
    if call.flags.as_json or call.flags.quiet or not (call.value("wait") and call.value("initial_message")):
        return Answer("session", session)
    from actions.cli.conversation import paragraphs
    from actions.cli.summaries import session_lines

    page = call.execute("session.transcript.get", {"session_id": session["id"]}, effect="read")
    return Answer("session", session, text="\n".join([*session_lines(session), "", *paragraphs(page["events"])]))


def transcript(call: Invocation) -> Answer:
    """One page as a document; with ``--jsonl``, and for people, all of it, an event after the other."""
    if call.flags.as_json:
        return Answer("transcript", call.execute("session.transcript.get", call.values, effect="read"))
    if call.flags.as_lines:
        for event in _events(call):
            write_json(event)
    else:
        from actions.cli.conversation import paragraphs

        for text in paragraphs(_events(call)):
            write(text + "\n")
    return Answer("transcript", None, printed=True)


def _events(call: Invocation) -> Iterator[dict[str, Any]]:
    host = call.host()
    left: int | None = call.value("limit")
    cursor: int | None = call.value("cursor")
    while left is None or left > 0:
        question = {**call.values, "limit": _PAGE if left is None else min(left, _PAGE)}
        if cursor is not None:
            question["cursor"] = cursor
        page = call.execute("session.transcript.get", question, effect="read", host=host)
        yield from page["events"]
        cursor = page["next_cursor"]
        if left is not None:
            left -= len(page["events"])
        if cursor is None or not page["events"]:
            return
