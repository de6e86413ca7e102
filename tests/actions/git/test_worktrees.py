"""Work trees of real repositories: made, judged, merged, taken away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from actions.git import worktrees as git
from actions.git.command import GitFailed
from actions.git.losses import LossKind, read_contents
from actions.git.merging import MergeKind, merge, try_merge
from tests.actions.git.repository import Repository


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo")


@pytest.fixture
def tree(repo: Repository, tmp_path: Path) -> Path:
    """A work tree of ``repo`` on the branch ``work``, from main."""
    path = tmp_path / "work tree"
    git.add(repo.path, path, "work", repo.git("rev-parse", "HEAD"))
    return path


def kinds(path: Path, branch: str | None = "work") -> set[LossKind]:
    return {loss.kind for loss in read_contents(path, branch).losses}


def test_a_new_work_tree_is_clean_and_no_hook_ran(repo: Repository, tree: Path) -> None:
    assert (tree / "a.txt").read_text() == "one\ntwo\nthree\n"
    entries = git.listed(repo.path)
    assert [(e.path, e.branch) for e in entries] == [(repo.path, "main"), (tree, "work")]
    assert read_contents(tree, "work").clean
    assert "post-checkout" not in repo.ran_hooks()
    assert repo.ran_hooks() == ""


def test_what_is_there_already_is_not_touched(repo: Repository, tree: Path, tmp_path: Path) -> None:
    head = repo.git("rev-parse", "HEAD")
    (tree / "unsaved").write_text("x")
    with pytest.raises(GitFailed, match="exists already"):
        git.add(repo.path, tree, "other", head)
    with pytest.raises(GitFailed, match="branch work exists"):
        git.add(repo.path, tmp_path / "second", "work", head)
    assert (tree / "unsaved").exists()
    assert git.branch_names(repo.path) == ["main", "work"]
    assert not (tmp_path / "second").exists()


def test_a_failed_checkout_leaves_nothing(repo: Repository, tmp_path: Path) -> None:
    with pytest.raises(GitFailed):
        git.add(repo.path, tmp_path / "second", "second", "0" * 40)
    assert not (tmp_path / "second").exists()
    assert git.branch_names(repo.path) == ["main"]
    assert len(git.listed(repo.path)) == 1


def _stash_by_hand(repo: Repository, tree: Path) -> None:
    repo.write("a.txt", "changed\n", at=tree)
    repo.git("stash", "-q", at=tree)


def _stash_of_own_commit(repo: Repository, tree: Path) -> None:
    """Its subject says nothing of the branch; its parent does."""
    repo.write("a.txt", "mine\n", at=tree)
    repo.commit("mine", at=tree)
    repo.write("a.txt", "more\n", at=tree)
    stash = repo.git("stash", "create", at=tree)
    repo.git("stash", "store", "-m", "for later", stash, at=tree)
    repo.git("checkout", "-q", "--", ".", at=tree)


def _unmerged(repo: Repository, tree: Path) -> None:
    repo.write("b.txt", "b\n", at=tree)
    repo.commit("add b", at=tree)


def _detached(repo: Repository, tree: Path) -> None:
    repo.git("checkout", "-q", "--detach", at=tree)
    _unmerged(repo, tree)


def _middle_of_a_merge(repo: Repository, tree: Path) -> None:
    repo.write("a.txt", "main\n")
    repo.commit("main")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "main", at=tree)


def _unseen(repo: Repository, tree: Path) -> None:
    repo.git("update-index", "--assume-unchanged", "a.txt", at=tree)
    repo.write("a.txt", "changed unseen\n", at=tree)


def _own_repository(repo: Repository, tree: Path) -> None:
    Repository(tree / "build" / "clone", hooks=False)


def _submodule(repo: Repository, tree: Path) -> None:
    library = Repository(repo.path.parent / "library", hooks=False)
    allow = ("-c", "protocol.file.allow=always")
    repo.git(*allow, "submodule", "--quiet", "add", str(library.path), "library", at=tree)
    repo.commit("library", at=tree)
    repo.git("push", "-q", ".", "HEAD:refs/heads/saved", at=tree)


def _broken(repo: Repository, tree: Path) -> None:
    (tree / ".git").write_text("gitdir: /nowhere\n")


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda repo, tree: repo.write("a.txt", "changed\n", at=tree), {LossKind.CHANGED}),
        (lambda repo, tree: (tree / "a.txt").unlink(), {LossKind.CHANGED}),
        (lambda repo, tree: repo.write("new.txt", "new\n", at=tree), {LossKind.UNTRACKED}),
        (_stash_by_hand, {LossKind.STASHED}),
        (_stash_of_own_commit, {LossKind.STASHED, LossKind.UNMERGED}),
        (_unmerged, {LossKind.UNMERGED}),
        (_detached, {LossKind.UNMERGED}),
        (_middle_of_a_merge, {LossKind.UNFINISHED, LossKind.CHANGED}),
        (_unseen, {LossKind.UNKNOWN}),
        (_own_repository, {LossKind.UNKNOWN}),
        (_submodule, {LossKind.UNKNOWN}),
        (_broken, {LossKind.UNKNOWN}),
    ],
    ids="changed deleted untracked stash stash_of_own_commit unmerged detached merging unseen nested submodule "
    "broken".split(),
)
def test_what_is_nowhere_else_would_be_lost(
    repo: Repository, tree: Path, spoil: Callable[[Repository, Path], object], expected: set[LossKind]
) -> None:
    spoil(repo, tree)
    assert kinds(tree) == expected


def test_a_merged_a_pushed_and_a_saved_commit_are_not_lost(repo: Repository, tree: Path, tmp_path: Path) -> None:
    _unmerged(repo, tree)
    assert kinds(tree) == {LossKind.UNMERGED}
    remote = tmp_path / "remote.git"
    repo.git("init", "-q", "--bare", str(remote))
    repo.git("remote", "add", "origin", str(remote))
    repo.git("push", "-q", "origin", "work", at=tree)
    assert kinds(tree) == set()
    repo.write("b.txt", "more\n", at=tree)
    repo.commit("more", at=tree)
    (loss,) = read_contents(tree, "work").losses
    assert (loss.count, [name.split(" ", 1)[1] for name in loss.names]) == (1, ["more"])
    repo.git("merge", "-q", "work")
    assert kinds(tree) == set()


def test_a_stash_of_another_branch_and_an_ignored_file_hold_nothing_up(repo: Repository, tree: Path) -> None:
    repo.write("a.txt", "changed\n")
    repo.git("stash", "-q")
    repo.write("x.ignored", "x", at=tree)
    contents = read_contents(tree, "work")
    assert (contents.clean, contents.ignored, contents.ignored_names) == (True, 1, ("x.ignored",))


def test_what_cannot_be_asked_is_one_thing_that_cannot_be_judged(tmp_path: Path) -> None:
    contents = read_contents(tmp_path, "work")
    [loss] = contents.losses
    assert (loss.kind, loss.count, contents.clean) == (LossKind.UNKNOWN, 1, False)
    assert "not a git repository" in loss.names[0]


def test_removing_asks_git_once_more(repo: Repository, tree: Path) -> None:
    repo.write("new.txt", "new\n", at=tree)
    with pytest.raises(GitFailed):
        git.remove(repo.path, tree)
    (tree / "new.txt").unlink()
    git.remove(repo.path, tree)
    assert not tree.exists()
    assert len(git.listed(repo.path)) == 1


def test_a_fast_forward_moves_branch_and_files_and_runs_no_hook(repo: Repository, tree: Path) -> None:
    _unmerged(repo, tree)
    repo.log.unlink(missing_ok=True)
    trial = try_merge(repo.path, "work", "main")
    assert (trial.kind, trial.into_path, trial.commits, trial.files, trial.added) == (
        MergeKind.FAST_FORWARD, repo.path, 1, 1, 1,
    )  # fmt: skip
    assert not (repo.path / "b.txt").exists()
    assert merge(repo.path, trial, message="m") == repo.git("rev-parse", "work") == repo.git("rev-parse", "HEAD")
    assert repo.ran_hooks() == ""
    assert (repo.path / "b.txt").read_text() == "b\n"
    assert repo.git("status", "--porcelain") == ""
    assert try_merge(repo.path, "work", "main").kind is MergeKind.UP_TO_DATE


def test_two_lines_of_work_become_a_merge_commit_of_the_tried_tree(repo: Repository, tree: Path) -> None:
    _unmerged(repo, tree)
    repo.write("c.txt", "c\n")
    main = repo.commit("c")
    trial = try_merge(repo.path, "work", "main")
    assert trial.kind is MergeKind.MERGE_COMMIT
    commit = merge(repo.path, trial, message="Merge it")
    assert repo.git("log", "-1", "--format=%P %s") == f"{main} {repo.git('rev-parse', 'work')} Merge it"
    assert repo.git("rev-parse", f"{commit}^{{tree}}") == trial.tree
    assert sorted(f.name for f in repo.path.iterdir() if f.suffix == ".txt") == ["a.txt", "b.txt", "c.txt"]
    assert repo.git("status", "--porcelain") == ""


def test_a_conflict_is_found_and_nothing_is_touched(repo: Repository, tree: Path) -> None:
    repo.write("a.txt", "theirs\n", at=tree)
    repo.commit("theirs", at=tree)
    repo.write("a.txt", "ours\n")
    main = repo.commit("ours")
    trial = try_merge(repo.path, "work", "main")
    assert (trial.kind, trial.names, trial.possible) == (MergeKind.CONFLICT, ("a.txt",), False)
    assert repo.git("rev-parse", "HEAD") == main
    assert repo.git("status", "--porcelain") == ""


def test_changes_in_the_target_block_and_a_stranger_in_the_way_does(repo: Repository, tree: Path) -> None:
    _unmerged(repo, tree)
    repo.write("a.txt", "half done\n")
    assert try_merge(repo.path, "work", "main").names == ("a.txt",)
    repo.git("checkout", "-q", "--", ".")
    repo.write("notes.txt", "not in the way\n")
    assert try_merge(repo.path, "work", "main").possible
    repo.write("b.txt", "in the way\n")
    trial = try_merge(repo.path, "work", "main")
    assert (trial.kind, trial.names) == (MergeKind.BLOCKED, ("b.txt",))
    assert (repo.path / "b.txt").read_text() == "in the way\n"


def test_a_target_that_moved_or_changed_after_the_trial_is_left_alone(repo: Repository, tree: Path) -> None:
    _unmerged(repo, tree)
    trial = try_merge(repo.path, "work", "main")
    repo.write("c.txt", "c\n")
    main = repo.commit("c")
    with pytest.raises(GitFailed, match="moved"):
        merge(repo.path, trial, message="m")
    trial = try_merge(repo.path, "work", "main")
    repo.write("a.txt", "half done\n")
    with pytest.raises(GitFailed, match="not clean"):
        merge(repo.path, trial, message="m")
    assert repo.git("rev-parse", "HEAD") == main
    assert (repo.path / "a.txt").read_text() == "half done\n"


def test_a_target_that_is_checked_out_nowhere_moves_without_any_files(repo: Repository, tree: Path) -> None:
    repo.git("checkout", "-q", "-b", "elsewhere")
    _unmerged(repo, tree)
    repo.log.unlink(missing_ok=True)
    trial = try_merge(repo.path, "work", "main")
    assert (trial.kind, trial.into_path) == (MergeKind.FAST_FORWARD, None)
    merge(repo.path, trial, message="m")
    assert repo.ran_hooks() == ""
    assert repo.git("rev-parse", "main") == repo.git("rev-parse", "work")
    assert repo.git("symbolic-ref", "--short", "HEAD") == "elsewhere"
    assert not (repo.path / "b.txt").exists()


def test_no_name_to_commit_under_is_said_and_changes_nothing(
    repo: Repository, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    _unmerged(repo, tree)
    repo.write("c.txt", "c\n")
    main = repo.commit("c")
    repo.git("config", "--unset", "user.email")
    repo.git("config", "user.useConfigOnly", "true")
    with pytest.raises(GitFailed):
        merge(repo.path, try_merge(repo.path, "work", "main"), message="m")
    assert repo.git("rev-parse", "HEAD") == main
