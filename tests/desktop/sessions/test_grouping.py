from desktop.sessions.grouping import Group, group_rows
from tests.desktop.host import session


def _shape(rows: list) -> list[str]:
    return [f"[{row.name} {row.count}]" if isinstance(row, Group) else row.id for row in rows]


def test_by_workspace_with_the_newest_first_and_pinned_on_top() -> None:
    sessions = [
        session("old", last_activity=1),
        session("new", last_activity=9),
        session("pin", last_activity=2, pinned=True),
        session("other", last_activity=5, workspace_id="w2", workspace="/home/ada/site"),
    ]
    assert _shape(group_rows(sessions)) == ["[sayso 3]", "pin", "new", "old", "[site 1]", "other"]


def test_archived_sessions_and_those_of_runs_are_left_out() -> None:
    assert group_rows([session("a", archived=True), session("b", kind="run")]) == []


def test_filter_needs_every_word() -> None:
    sessions = [session("a", title="Fix the login test"), session("b", title="Login page")]
    assert _shape(group_rows(sessions, "login TEST")) == ["[sayso 1]", "a"]
