"""What an agent may have done in a window: real repositories, and a window that remembers what it was given."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from actions.catalog.views import SessionState, SessionView
from actions.delivery.window_tools import WindowTools
from actions.errors import SaysoError
from actions.sessions.client_tools import SessionTools
from tests.actions.git.repository import Repository


class Window:
    def __init__(self, *names: str) -> None:
        self.names = names
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.answer: dict[str, Any] = {"files": 1, "added": 2, "deleted": 3}

    def offers(self, name: str) -> bool:
        return name in self.names

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.calls.append((name, dict(arguments)))
        return self.answer


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo")


@pytest.fixture
def window() -> Window:
    return Window("show_diff", "open_in_desktop")


@pytest.fixture
def tools(repo: Repository, window: Window) -> WindowTools:
    (repo.path / "inner").mkdir()

    async def session(session_id: str) -> SessionView:
        if session_id != "s1":
            raise SaysoError(f"There is no session {session_id}.")
        return SessionView(
            id="s1", provider="builtin", provider_name="Sayso agent", workspace=str(repo.path / "inner"),
            workspace_id="w1", title="Fix", state=SessionState.WORKING, created=0, updated=0, last_activity=0,
        )  # fmt: skip

    return WindowTools(window, session)


async def test_uncommitted_work_is_shown_with_new_files(tools: WindowTools, window: Window, repo: Repository) -> None:
    repo.write("a.txt", "other\n")
    repo.write("inner/new.txt", "new\n")
    assert await tools.run("s1", "show_diff", {}) == "The window shows it: 1 file, +2 −3."
    name, shown = window.calls[0]
    assert (name, shown["session_id"], shown["title"], shown["cut"]) == ("show_diff", "s1", "Fix", False)
    assert "+other" in shown["diff"]
    assert "+++ b/inner/new.txt" in shown["diff"]
    await tools.run("s1", "show_diff", {"path": "new.txt", "title": "Only this"})
    assert window.calls[1][1]["title"] == "Only this"
    assert "a.txt" not in window.calls[1][1]["diff"]


async def test_a_branch_and_a_diff_of_ones_own(tools: WindowTools, window: Window, repo: Repository) -> None:
    repo.git("switch", "-q", "-c", "topic")
    repo.write("b.txt", "b\n")
    repo.commit("b")
    await tools.run("s1", "show_diff", {"base": "main"})
    assert "+++ b/b.txt" in window.calls[0][1]["diff"]
    await tools.run("s1", "show_diff", {"diff": "--- x\n+++ x\n"})
    assert window.calls[1][1]["diff"] == "--- x\n+++ x\n"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("show_diff", {}, "no uncommitted change"),
        ("show_diff", {"base": "nonsense"}, "no branch or commit"),
        ("show_diff", {"base": "--help"}, "no branch or commit"),
        ("show_diff", {"path": "../../../etc/passwd", "diff": None}, "no uncommitted change"),
        ("show_diff", {"surprise": 1}, "do not fit show_diff"),
        ("open_in_desktop", {"target": "settings"}, "do not fit open_in_desktop"),
        ("open_in_desktop", {"target": "session", "id": "other"}, "no session other"),
        ("rm", {}, "do not fit rm"),
    ],
)
async def test_what_cannot_be_shown_is_said(
    tools: WindowTools, window: Window, name: str, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(SaysoError, match=words):
        await tools.run("s1", name, arguments)
    assert window.calls == []


async def test_a_path_outside_the_repository_is_refused(tools: WindowTools, repo: Repository) -> None:
    repo.write("a.txt", "other\n")
    for path in ("../../elsewhere", "/etc/passwd"):
        with pytest.raises(SaysoError, match="is not in the repository"):
            await tools.run("s1", "show_diff", {"path": path})


async def test_a_pane_is_opened_and_a_person_who_types_is_asked(tools: WindowTools, window: Window) -> None:
    assert await tools.run("s1", "open_in_desktop", {"target": "session"}) == "The window shows it: session."
    assert window.calls == [("open_in_desktop", {"session_id": "s1", "target": "session", "id": "s1"})]
    window.answer = {"offered": True}
    assert "typing" in await tools.run("s1", "open_in_desktop", {"target": "runs"})


async def test_only_what_a_window_can_do_is_offered(tools: WindowTools, window: Window) -> None:
    session = SessionTools.of(tools, "s1")
    assert session is not None
    assert [offer["name"] for offer in session.meta["sayso"]["client_tools"]] == ["show_diff", "open_in_desktop"]
    window.names = ()
    assert SessionTools.of(tools, "s1") is None
    answer = await session.answer({"name": "open_in_desktop", "arguments": {"target": "runs"}})
    assert (answer["is_error"], "No window of Sayso is open" in answer["message"]) == (True, True)
    assert (await session.answer({"name": ["x"], "arguments": 7}))["is_error"]
