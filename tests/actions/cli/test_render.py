"""What people see: aligned in any script, nothing that moves the cursor."""

from __future__ import annotations

from actions.cli.conversation import paragraphs
from actions.cli.printable import printable
from actions.cli.render import rendered
from actions.cli.width import fit, pad, width


def test_columns_of_a_text() -> None:
    assert [width(t) for t in ("abc", "会话", "e\u0301", "🙂", "")] == [3, 4, 1, 2, 0]
    assert pad("会", 4) == "会  "
    assert fit("会话列表", 5) == "会话…"
    assert fit("会话", 4) == "会话"


def test_a_table_is_aligned_over_wide_characters() -> None:
    sessions = [
        {"id": "ses_1", "title": "登录", "provider": "builtin", "state": "idle"},
        {"id": "ses_2", "title": "Login", "provider": "claude", "state": "failed"},
    ]
    assert rendered("sessions", {"sessions": sessions}).splitlines() == [
        "ID     TITLE  PROVIDER  STATE",
        "ses_1  登录   builtin   idle",
        "ses_2  Login  claude    failed",
    ]
    assert rendered("sessions", {"sessions": []}, language="zh") == "没有。"


def test_colours_only_where_they_are_wanted() -> None:
    data = {"sessions": [{"id": "s", "state": "failed"}]}
    assert "\x1b[31mfailed\x1b[0m" in rendered("sessions", data, colours=True)
    assert "\x1b" not in rendered("sessions", data)


def test_what_an_agent_wrote_does_not_move_the_cursor() -> None:
    assert printable("a\x1b[2Jb\rc\nd\u202ee") == "a�[2Jb�c\nd�e"
    shown = rendered("sessions", {"sessions": [{"id": "s", "title": "x\x1b[31m\ny"}]})
    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 2


def test_pieces_of_a_message_are_one_paragraph() -> None:
    def event(kind: str, item: str | None, **data: object) -> dict[str, object]:
        return {"kind": kind, "item_id": item, "data": data}

    events = [
        event("user", "u1", text="Hi"),
        event("agent", "a1", text="Hel"),
        event("agent", "a1", text="lo"),
        event("tool_call", "t1", title="Read x", status="pending"),
        event("tool_call", "t1", status="completed"),
        event("agent", "a2", text="Done."),
        event("turn_end", None, stop_reason="cancelled"),
    ]
    assert list(paragraphs(events)) == [
        "you: Hi",
        "agent: Hello",
        "tool: Read x (completed)",
        "agent: Done.",
        "turn ended: cancelled",
    ]


def test_a_request_is_shown_with_its_fields_and_choices() -> None:
    row = {
        "id": "req_1",
        "kind": "permission",
        "title": "Permission",
        "summary": "Write PLAN.md",
        "fields": [{"path": "text", "title": "New text", "value": "# Plan\n\x1b[2Jsteps"}],
        "state": "open",
        "asked_by": "ses_1",
        "options": [{"id": "allow_once", "name": "Write this file", "kind": "allow_once"}],
    }
    assert rendered("inbox_row", row).splitlines() == [
        "req_1  open",
        "Permission  (permission, asked by ses_1)",
        "Write PLAN.md",
        "  New text: # Plan",
        "    �[2Jsteps",
        "",
        "  allow_once: Write this file",
    ]
