from pathlib import Path

from desktop.launcher.recent import Recent
from desktop.launcher.spec import ActionSummary

HITS = [ActionSummary(name, name) for name in ("a", "b", "c", "d")]


def test_what_was_run_last_comes_first_in_a_new_window_too(tmp_path: Path) -> None:
    file = tmp_path / "launcher.json"
    first = Recent(file)
    for name in ("b", "d", "b"):
        first.used(name)
    again = Recent(file)
    assert again.ids() == ["b", "d"]
    assert [hit.id for hit in again.in_order(HITS)] == ["b", "d", "a", "c"]


def test_a_better_hit_beats_a_recent_one() -> None:
    recent = Recent()
    recent.used("a")
    hits = [ActionSummary("c", "c", score=100), ActionSummary("b", "b", score=25), ActionSummary("a", "a", score=25)]
    assert [hit.id for hit in recent.in_order(hits)] == ["c", "a", "b"]


def test_a_broken_or_unwritable_file_costs_only_the_memory(tmp_path: Path) -> None:
    file = tmp_path / "launcher.json"
    file.write_text("{", encoding="utf-8")
    assert Recent(file).ids() == []
    lost = Recent(tmp_path / "no" / "such" / "folder.json")
    lost.used("a")
    assert lost.ids() == ["a"]


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    recent = Recent(tmp_path / "r.json")
    for number in range(50):
        recent.used(f"a{number}")
    assert len(Recent(tmp_path / "r.json").ids()) == 30
