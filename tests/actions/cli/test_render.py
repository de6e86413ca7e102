"""What people see: aligned in any script, nothing that moves the cursor."""

from __future__ import annotations

from actions.cli.conversation import paragraphs
from actions.cli.printable import printable, when
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


def test_a_session_is_told_in_a_few_lines() -> None:
    modes = [{"id": "default", "name": "Default"}, {"id": "plan", "name": "Plan"}]
    model = {"name": "Model", "category": "model", "value": "m1", "choices": [{"id": "m1", "name": "One"}]}
    speed = {"name": "Speed", "category": None, "value": True, "choices": []}
    session = {
        "id": "ses_1", "title": "Login\x1b[2J", "state": "failed", "reason": "The agent ended.",
        "provider_name": "Claude", "workspace": "/w", "worktree": None, "mode": "plan", "modes": modes,
        "model": "m1", "options": [{"name": "Mode", "category": "mode", "value": "plan", "choices": []}, model, speed],
        "run_id": None, "waiting_for": 2, "queue": [{"id": "q", "text": "then\n  this"}],
        "tools": {"delivery": "shell_bridge", "listed_at": None, "servers": [{"name": "time"}]},
        "pinned": True, "archived": False, "unread": False, "resumable": True, "marks": ["never_asks"],
        "last_activity": 0,
    }  # fmt: skip
    assert rendered("session", session).splitlines() == [
        "Login�[2J  ses_1",
        "  state      failed: The agent ended.",
        "  agent      Claude",
        "  workspace  /w",
        "  mode       plan (others: default)",
        "  model      One",
        "  speed      yes",
        "  waits      2 in the inbox",
        "  queue      then this",
        "  tools      through the command sayso; servers: time",
        "  also       pinned, resumable",
        f"  active     {when(0)}",
        "! Its agent never asks before it acts.",
    ]


def test_a_run_is_told_with_its_result() -> None:
    run = {
        "id": "run_1", "kind": "review", "provider": "claude", "state": "succeeded", "session_id": "ses_2",
        "workspace": "/w", "instructions": "", "error": None, "stale": True, "head_now": "fedcba9876543210",
        "started": 0, "ended": None,
        "scope": {"change": "uncommitted", "branch": "main", "head": "0123456789abcdef", "files": 1, "added": 2,
                  "deleted": 3},
        "result": {"summary": "Fine.", "text": "# Review\n\nFine.\n"},
    }  # fmt: skip
    told = [
        "Review run by claude  run_1",
        "  state      succeeded",
        "  workspace  /w",
        "  session    ses_2",
        "  change     uncommitted changes of main at 0123456789ab: 1 file, +2 -3",
        f"  from, to   {when(0)}",
        "! Stale: HEAD moved from 0123456789 to fedcba9876 since. Review again to be sure.",
        "",
        "# Review",
        "",
        "Fine.",
    ]
    assert rendered("run", run).splitlines() == told
    started = {"results": [{"provider": "claude", "ok": True, "run_id": "run_1", "run": run}]}
    assert rendered("runs_started", started).splitlines()[3:] == told
    begun = {"results": [{"provider": "claude", "ok": True, "run_id": "run_1", "scope": run["scope"]}]}
    assert rendered("runs_started", begun).splitlines()[2:] == [
        "change: uncommitted changes of main at 0123456789ab: 1 file, +2 -3"
    ]


def test_findings_are_told_with_who_said_what_and_who_said_nothing() -> None:
    words = {"severity": "error", "text": "It leaks."}
    said = [{"provider": "claude", "line": 2, **words}, {"provider": "codex", "line": 3, **words, "text": "A leak!"}]
    review = {
        "reviewers": [
            {"run_id": "r1", "provider": "claude", "state": "succeeded", "findings": 1, "problem": None},
            {"run_id": "r2", "provider": "codex", "state": "running", "findings": None, "problem": None},
            {"run_id": "r3", "provider": "pi", "state": "failed", "findings": None, "problem": "It has no key."},
        ],
        "workspace": "/w", "scope": {"change": "branch", "branch": "b", "head": "0123456789abcdef"}, "stale": True,
        "head_now": None, "change": "diff --git a/x b/x\n+y\n", "change_problem": None,
        "findings": [{"id": "f_1", "file": "a.py", "line": 2, "found_by": ["claude", "codex"], "said": said, **words}],
    }  # fmt: skip
    assert rendered("review_findings", review).splitlines() == [
        "  by         claude (1), codex (running), pi (It has no key.)",
        "  workspace  /w",
        "  change     branch changes of b at 0123456789ab: 0 files, +0 -0",
        "! Stale: HEAD moved from 0123456789 to no commit since. Review again to be sure.",
        "",
        "error  a.py:2  f_1",
        "  claude: It leaks.",
        "  codex: A leak!",
        "",
        "diff --git a/x b/x",
        "+y",
    ]


def test_a_turn_is_what_the_agent_said() -> None:
    turn = {"session_id": "ses_1", "state": "idle", "queued": False, "stop_reason": "end_turn", "text": "Done.\n"}
    assert rendered("turn_end", turn) == "Done."
    waits = {"session_id": "ses_1", "state": "working", "queued": True, "stop_reason": None, "text": None}
    assert rendered("turn_end", waits).split() == ["session", "ses_1", "state", "working", "queued", "yes"]
