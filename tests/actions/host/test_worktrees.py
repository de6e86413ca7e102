"""Worktrees through a real host process and real repositories, as its clients reach them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.actions.git.repository import Repository
from tests.running_host import RunningHost, eventually, running_host

SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("worktrees") / "home"
    (home / "config").mkdir(parents=True)
    row = f'[providers.scripted]\nname = "Scripted"\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n'
    gone = '\n[providers.absent]\nname = "Absent"\ncommand = ["/nowhere/agent"]\n'
    (home / "config" / "providers.toml").write_text(row + 'env = { SCRIPTED = "resume" }\n' + gone)
    return home


@pytest.fixture(scope="module")
def host(home: Path) -> Iterator[RunningHost]:
    with running_host(home, env={"GIT_CONFIG_GLOBAL": os.devnull}) as running:
        yield running


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo")


def start(host: RunningHost, repo: Repository, title: str = "Fix the login", **more: Any) -> dict[str, Any]:
    more = {"worktree": True, **more}
    return host.done("session.spawn_new", provider="scripted", workspace=str(repo.path), title=title, **more)


def commit_in(repo: Repository, session: dict[str, Any], name: str = "b.txt", content: str = "b\n") -> str:
    place = Path(session["workspace"])
    repo.write(name, content, at=place)
    return repo.commit(f"add {name}", at=place)


def status(host: RunningHost, session: dict[str, Any], **more: Any) -> dict[str, Any]:
    return host.done("worktree.status", session_id=session["id"], **more)


def dare(host: RunningHost, action: str, **input: Any) -> dict[str, Any]:
    """Do what is always asked about, and say yes."""
    asked = host.run(action, **input)
    assert asked["outcome"] == "pending", asked
    decided = host.done("approval.request.decide", approval_id=asked["data"]["approval_id"], decision="approve")
    assert decided["outcome"] == "completed", decided
    return decided["result"]


def command(host: RunningHost, *arguments: str) -> tuple[int, dict[str, Any]]:
    environment = {**os.environ, "SAYSO_HOME": str(host.home)}
    program = [sys.executable, "-c", "from actions.cli.main import main; raise SystemExit(main())"]
    done = subprocess.run(
        [*program, *arguments, "--json"], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)


def test_a_session_gets_a_folder_and_a_branch_of_its_own(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo)
    worktree = session["worktree"]
    assert (worktree["branch"], worktree["base"], worktree["state"]) == ("sayso/fix-the-login", "main", "present")
    place = Path(session["workspace"])
    assert place.is_relative_to(host.home / "data" / "worktrees")
    assert repo.git("symbolic-ref", "--short", "HEAD", at=place) == "sayso/fix-the-login"
    assert (place / "a.txt").read_text() == (repo.path / "a.txt").read_text()
    assert repo.git("symbolic-ref", "--short", "HEAD") == "main"
    assert repo.ran_hooks() == ""
    listed = host.done("worktree.list", workspace=str(repo.path))["worktrees"]
    assert [w["id"] for w in listed] == [worktree["id"]]
    paths = [w["path"] for w in host.done("workspace.list")["workspaces"]]
    assert str(repo.path) in paths
    assert str(place) not in paths
    again = start(host, repo, "Fix: the LOGIN!")
    assert again["worktree"]["branch"] == "sayso/fix-the-login-2"
    plain = start(host, repo, worktree=False)
    also = start(host, repo, worktree=False)
    assert plain["worktree"] is None
    assert plain["workspace"] == also["workspace"] == str(repo.path)


def test_a_name_in_any_script_and_a_base_of_choice(host: RunningHost, repo: Repository) -> None:
    repo.git("branch", "old")
    repo.write("late.txt", "late\n")
    repo.commit("late")
    session = start(host, repo, "修复 登录", base="old")
    assert (session["worktree"]["branch"], session["worktree"]["base"]) == ("sayso/修复-登录", "old")
    assert not (Path(session["workspace"]) / "late.txt").exists()
    offered = host.done(
        "action.options.resolve",
        action_id="session.spawn_new",
        field_path="base",
        draft={"workspace": str(repo.path), "worktree": True},
    )["options"]
    assert {option["value"] for option in offered} == {"main", "old", "sayso/修复-登录"}


def test_a_subfolder_stays_the_place_to_work(host: RunningHost, repo: Repository) -> None:
    repo.write("packages/app/main.py", "x = 1\n")
    repo.commit("app")
    session = host.done(
        "session.spawn_new", provider="scripted", workspace=str(repo.path / "packages/app"), worktree=True
    )
    assert session["workspace"].endswith("/packages/app")
    assert session["worktree"]["repository"] == str(repo.path)


@pytest.mark.parametrize(
    ("spoil", "more", "words"),
    [
        (lambda repo: shutil.rmtree(repo.path / ".git"), {}, "no git repository"),
        (lambda repo: repo.git("checkout", "-q", "--orphan", "new"), {}, "no commit yet"),
        (lambda repo: None, {"base": "nonsense"}, "no branch or commit 'nonsense'"),
        (lambda repo: None, {"base": "--help"}, "no branch or commit"),
    ],
    ids=["no_repository", "no_commit", "no_such_base", "option_as_base"],
)
def test_where_none_can_be_made_it_is_said_and_nothing_is_left(
    host: RunningHost, repo: Repository, spoil: Any, more: dict[str, Any], words: str
) -> None:
    spoil(repo)
    before = host.done("session.list", limit=200)["sessions"]
    given = {"provider": "scripted", "workspace": str(repo.path), "worktree": True, **more}
    assert words in host.run("session.spawn_new", **given)["error"]["message"]
    assert words in host.run("session.spawn_new", "voice", **given)["error"]["message"]  # nobody is asked in vain
    assert host.done("session.list", limit=200)["sessions"] == before
    assert host.done("worktree.list", workspace=str(repo.path))["worktrees"] == []


def test_a_provider_that_is_not_there_leaves_no_worktree(host: RunningHost, repo: Repository) -> None:
    given = {"provider": "absent", "workspace": str(repo.path), "worktree": True, "title": "x"}
    assert host.run("session.spawn_new", **given)["outcome"] == "failed"
    assert repo.git("branch", "--format=%(refname:short)") == "main"
    assert host.done("worktree.list", workspace=str(repo.path))["worktrees"] == []


def test_a_base_that_moved_after_it_was_shown_is_asked_about_again(host: RunningHost, repo: Repository) -> None:
    given = {"provider": "scripted", "workspace": str(repo.path), "worktree": True, "title": "stale"}
    asked = host.run("session.spawn_new", "voice", **given)
    assert asked["outcome"] == "pending", asked
    repo.write("later.txt", "x\n")
    repo.commit("later")
    answer = host.done("approval.request.decide", approval_id=asked["data"]["approval_id"], decision="approve")
    assert answer["status"] == "stale"
    assert "sayso/" not in repo.git("branch")


def test_what_the_worktree_lacks_is_noted(host: RunningHost, repo: Repository, tmp_path: Path) -> None:
    library = Repository(tmp_path / "library", hooks=False)
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.path), "library")
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    repo.commit("submodule and lfs")
    repo.write("a.txt", "not committed\n")
    session = start(host, repo)
    notes = host.done("worktree.list", workspace=str(repo.path))["worktrees"][0]["notes"]
    assert [word in " ".join(notes) for word in ("1 uncommitted", "submodule update", "lfs pull")] == [True] * 3
    assert status(host, session)["clean"]


def test_merged_back_as_it_was_shown_then_removed_with_its_branch(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo)
    head = commit_in(repo, session)
    shown = status(host, session)
    assert (shown["merge"]["kind"], shown["merge"]["commits"], shown["merge"]["files"]) == ("fast_forward", 1, 1)
    assert (shown["clean"], [loss["kind"] for loss in shown["losses"]]) == (False, ["unmerged"])
    assert shown["sessions"] == [session["id"]]
    assert not (repo.path / "b.txt").exists()
    done = host.done("worktree.merge", session_id=session["id"])
    assert done["commit"] == head == repo.git("rev-parse", "HEAD")
    assert (repo.path / "b.txt").read_text() == "b\n"
    assert done["worktree"]["merged"]["into"] == "main"
    assert host.run("worktree.merge", session_id=session["id"])["error"]["details"]["reason"] == "up_to_date"
    removed = dare(host, "worktree.remove", session_id=session["id"])
    assert removed["branch_deleted"] is True
    assert not Path(session["workspace"]).exists()
    assert "sayso/" not in repo.git("branch")
    after = host.done("session.status.get", session_id=session["id"])
    assert (after["state"], after["worktree"]["state"]) == ("stopped", "removed")
    refused = host.run("session.message.send", session_id=session["id"], message="go on", wait=True)
    assert refused["outcome"] == "failed"
    assert f"{session['workspace']}, was removed." in refused["error"]["message"], refused


def test_two_lines_of_work_are_merged_with_a_commit(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo)
    commit_in(repo, session)
    repo.write("c.txt", "c\n")
    repo.commit("c")
    assert status(host, session)["merge"]["kind"] == "merge_commit"
    commit = host.done("worktree.merge", session_id=session["id"])["commit"]
    assert repo.git("log", "-1", "--format=%H %s") == f"{commit} Merge branch 'sayso/fix-the-login' into main"
    assert {"a.txt", "b.txt", "c.txt"} <= {f.name for f in repo.path.iterdir()}


def test_a_merge_commit_by_choice_where_moving_forward_would_do(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo)
    commit_in(repo, session)
    host.done("worktree.merge", worktree=session["workspace"], merge_commit=True)
    assert len(repo.git("log", "-1", "--format=%P").split()) == 2
    assert (repo.path / "b.txt").exists()


def _conflict(repo: Repository, session: dict[str, Any]) -> None:
    commit_in(repo, session, "a.txt", "theirs\n")
    repo.write("a.txt", "ours\n")
    repo.commit("ours")


def _dirty_target(repo: Repository, session: dict[str, Any]) -> None:
    commit_in(repo, session)
    repo.write("a.txt", "half done\n")


def _dirty_worktree(repo: Repository, session: dict[str, Any]) -> None:
    commit_in(repo, session)
    repo.write("forgotten.txt", "x\n", at=Path(session["workspace"]))


def _other_branch(repo: Repository, session: dict[str, Any]) -> None:
    repo.git("switch", "-q", "-c", "else", at=Path(session["workspace"]))


@pytest.mark.parametrize(
    ("spoil", "reason", "words"),
    [
        (_conflict, "conflict", "conflict in a.txt"),
        (_dirty_target, "blocked", "a.txt in the way"),
        (_dirty_worktree, "dirty", "forgotten.txt"),
        (_other_branch, "other_branch", "git switch"),
    ],
    ids=["conflict", "dirty_target", "dirty_worktree", "other_branch"],
)
def test_a_merge_that_would_not_go_through_is_refused_before_it_begins(
    host: RunningHost, repo: Repository, spoil: Any, reason: str, words: str
) -> None:
    session = start(host, repo)
    spoil(repo, session)
    head, files = repo.git("rev-parse", "HEAD"), repo.git("status", "--porcelain")
    error = host.run("worktree.merge", session_id=session["id"])["error"]
    assert error["details"]["reason"] == reason
    assert words in error["message"]
    assert (repo.git("rev-parse", "HEAD"), repo.git("status", "--porcelain")) == (head, files)


def test_what_is_nowhere_else_keeps_a_worktree_and_its_agent(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo)
    commit_in(repo, session)
    repo.write("new.txt", "n\n", at=Path(session["workspace"]))
    error = host.run("worktree.remove", session_id=session["id"])["error"]
    assert error["details"]["reason"] == "not_clean"
    assert [loss["kind"] for loss in error["details"]["losses"]] == ["untracked", "unmerged"]
    assert "new.txt" in error["message"]
    assert "add b.txt" in error["message"]
    assert (Path(session["workspace"]) / "new.txt").exists()
    assert host.done("session.status.get", session_id=session["id"])["state"] == "idle"


def test_ignored_files_are_named_and_go_only_with_a_yes_that_says_so(host: RunningHost, repo: Repository) -> None:
    repo.write(".gitignore", "*.env\n")
    repo.commit("ignore")
    session = start(host, repo)
    place = Path(session["workspace"])
    repo.write("local.env", "KEY=1\n", at=place)
    error = host.run("worktree.remove", session_id=session["id"])["error"]
    assert (error["details"]["reason"], error["details"]["ignored_names"]) == ("ignored", ["local.env"])
    assert "1 file or folder that git ignores (local.env)" in error["message"]
    assert "--with-ignored" in error["message"]
    assert (place / "local.env").exists()
    assert host.done("session.status.get", session_id=session["id"])["state"] == "idle"
    assert dare(host, "worktree.remove", session_id=session["id"], with_ignored=True)["worktree"]["state"] == "removed"
    for words in (("session", "resume", session["id"]), ("session", "send", session["id"], "hello")):
        code, answer = command(host, *words)
        assert code == 1
        assert answer["error"]["message"] == (
            f"The worktree of this session, {place}, was removed. What was said can still be read. "
            f"Begin a new session: sayso session new --workspace {repo.path} --worktree"
        )


def test_a_session_at_work_keeps_its_worktree(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo)
    host.done("session.message.send", session_id=session["id"], message="hang")
    eventually(lambda: host.done("session.status.get", session_id=session["id"])["state"] == "working")
    error = host.run("worktree.remove", session_id=session["id"])["error"]
    assert error["details"] == {"reason": "at_work", "working": [session["id"]]}
    host.done("session.stop", session_id=session["id"])
    assert dare(host, "worktree.remove", session_id=session["id"], keep_branch=True)["branch_deleted"] is False
    assert "sayso/fix-the-login" in repo.git("branch")


@pytest.mark.parametrize("action", ["session.archive", "session.delete"])
def test_putting_a_session_away_leaves_its_worktree(host: RunningHost, repo: Repository, action: str) -> None:
    session = start(host, repo)
    file = repo.write("new.txt", "n\n", at=Path(session["workspace"]))
    (dare if action == "session.delete" else RunningHost.done)(host, action, session_id=session["id"])
    assert file.read_text() == "n\n"
    (worktree,) = host.done("worktree.list", workspace=str(repo.path))["worktrees"]
    assert (worktree["id"], worktree["state"]) == (session["worktree"]["id"], "present")


def test_an_agent_has_to_ask_for_each_of_them(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo)
    given = {"worktree": session["worktree"]["id"]}
    assert host.run("worktree.remove", "mcp", **given)["outcome"] == "pending"
    commit_in(repo, session)
    assert host.run("worktree.merge", "mcp", **given)["outcome"] == "pending"
    assert Path(session["workspace"]).exists()


def test_the_same_from_the_command_line(host: RunningHost, repo: Repository) -> None:
    code, answer = command(
        host, "session", "new", "--provider", "scripted", "--workspace", str(repo.path), "--worktree", "--base", "main",
        "--title", "From the shell",
    )  # fmt: skip
    assert code == 0, answer
    session = answer["data"]
    assert session["worktree"]["branch"] == "sayso/from-the-shell"
    commit_in(repo, session)
    code, answer = command(host, "worktree", "show", "sayso/from-the-shell")
    assert (code, answer["data"]["merge"]["kind"]) == (0, "fast_forward")
    assert "1 commit" in answer["data"]["summary"]
    code, answer = command(host, "worktree", "merge", session["worktree"]["id"][:12])
    assert code == 0, answer
    code, answer = command(host, "worktree", "list", "--workspace", str(repo.path))
    assert [w["state"] for w in answer["data"]["worktrees"]] == ["present"]


def test_a_workspace_is_forgotten_and_its_files_and_sessions_stay(host: RunningHost, repo: Repository) -> None:
    session = start(host, repo, worktree=False)
    host.done("session.message.send", session_id=session["id"], message="hang")
    eventually(lambda: host.done("session.status.get", session_id=session["id"])["state"] == "working")
    error = host.run("workspace.remove", workspace=str(repo.path))["error"]
    assert error["details"] == {"reason": "at_work", "working": [session["id"]]}
    dare(host, "workspace.remove", workspace=str(repo.path), stop_sessions=True)
    assert str(repo.path) not in [w["path"] for w in host.done("workspace.list")["workspaces"]]
    assert (repo.path / "a.txt").exists()
    assert host.done("session.status.get", session_id=session["id"])["state"] == "stopped"
    again = host.done("workspace.add", path=str(repo.path))
    assert (again["id"], again["trusted"]) == (session["workspace_id"], False)
    assert str(repo.path) in [w["path"] for w in host.done("workspace.list")["workspaces"]]


def test_a_new_host_finds_each_worktree_as_it_is(tmp_path: Path) -> None:
    home = tmp_path / "other home"
    (home / "config").mkdir(parents=True)
    repo = Repository(tmp_path / "repo")
    with running_host(home) as host:
        (home / "config" / "settings.toml").write_text('[worktrees]\nplace = "beside"\nbranch_prefix = "ai/"\n')
        made = [
            host.done("worktree.create", workspace=str(repo.path), title=title)
            for title in ("kept", "deleted", "moved", "mended")
        ]
        assert made[0]["branch"] == "ai/kept"
        assert Path(made[0]["path"]).parent == tmp_path / "repo.worktrees"
        host.end(9)
    shutil.rmtree(made[1]["path"])
    repo.git("worktree", "move", made[2]["path"], str(tmp_path / "elsewhere"))
    with running_host(home) as host:
        found = host.done("worktree.list")["worktrees"]
        assert [w["state"] for w in found] == ["present", "gone", "gone", "present"]
        assert str(tmp_path / "elsewhere") in found[2]["reason"]
        refused = host.run("worktree.status", worktree=made[1]["id"])["error"]
        assert (refused["code"], "is gone" in refused["message"]) == ("not_found", True)
        dare(host, "worktree.remove", worktree=made[1]["id"])
        assert [w["id"] for w in host.done("worktree.list")["worktrees"]] == [
            made[0]["id"],
            made[2]["id"],
            made[3]["id"],
        ]
        shutil.rmtree(made[3]["path"])
        assert host.run("worktree.status", worktree=made[3]["id"])["error"]["code"] == "not_found"
        assert host.done("worktree.list")["worktrees"][2]["state"] == "gone"


def test_a_worktree_is_trusted_as_its_repository_is(host: RunningHost, home: Path, repo: Repository) -> None:
    providers = home / "config" / "providers.toml"
    before = providers.read_text()
    providers.write_text(before.replace('env = { SCRIPTED = "resume" }', 'trusted_env = { TRUSTED_HERE = "yes" }'))

    def told(**more: Any) -> str | None:
        session = start(host, repo, **more)
        host.done("session.message.send", session_id=session["id"], message="env", wait=True, timeout_s=60)
        said = host.done("session.transcript.get", session_id=session["id"], kinds=["agent"])["events"]
        return json.loads("".join(event["data"]["text"] for event in said)).get("TRUSTED_HERE")

    try:
        assert told() is None
        assert dare(host, "workspace.trust", workspace=str(repo.path))["trusted"] is True
        assert (told(), told(worktree=False)) == ("yes", "yes")
        asked = host.run("workspace.trust", "mcp", workspace=str(repo.path))
        assert asked["outcome"] == "pending", "no agent trusts on its own account"
        assert host.done("workspace.trust", workspace=str(repo.path), trusted=False)["trusted"] is False
        assert told() is None
    finally:
        providers.write_text(before)
