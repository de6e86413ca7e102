"""What a plan says about repositories that can be worked out by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from actions.agent.scout.cancel import Cancel, ScoutCancelled
from actions.agent.scout.draft import LOOKS, Look, draft_plan
from actions.agent.scout.markdown import NO_MODEL, render
from actions.agent.scout.plan import Plan
from tests.actions.agent.conftest import SHOP, git, write

Make = Callable[[Mapping[str, str | bytes]], Path]


def plan_for(root: Path, instructions: str) -> Plan:
    return draft_plan(root, instructions, Cancel())


def paths(plan: Plan) -> list[str]:
    return [file.path for file in plan.files]


@pytest.fixture
def shop(repository: Make) -> Path:
    return repository(SHOP)


class TestRanking:
    def test_the_file_named_after_the_matter_is_first_with_its_reasons(self, shop: Path) -> None:
        best = plan_for(shop, "Refund a payment twice").files[0]
        assert best.path == "shop/payment.py"
        assert best.score == 100
        assert best.reasons[0] == "its path says “payment”"
        assert "`refund_payment` (line 9)" in best.reasons[1]
        assert any("imported by `shop/orders.py`" in reason for reason in best.reasons)
        assert [line.number for line in best.lines if line.defines == "refund_payment"] == [9]

    def test_vendored_and_lock_files_never_appear(self, shop: Path) -> None:
        found = paths(plan_for(shop, "refund payment"))
        assert not any("node_modules" in path or "lock" in path for path in found)

    def test_a_file_without_any_of_the_words_does_not_appear(self, shop: Path) -> None:
        assert "shop/catalog.py" not in paths(plan_for(shop, "refund payment"))

    def test_a_path_in_the_instructions_beats_everything(self, shop: Path) -> None:
        best = plan_for(shop, "refund payment refund, but do it in shop/catalog.py").files[0]
        assert best.path == "shop/catalog.py"
        assert best.reasons[0] == "named in the instructions"

    def test_a_name_in_the_instructions_beats_words(self, repository: Make) -> None:
        root = repository(
            {
                "queue.py": "# queue queue queue\ndef queue():\n    pass\n",
                "work.py": "def drain_queue_now():\n    pass\n",
            }
        )
        assert paths(plan_for(root, "speed up `drain_queue_now`"))[0] == "work.py"

    def test_the_definition_beats_many_mentions(self, repository: Make) -> None:
        root = repository(
            {
                "a.py": "".join(f"x{i} = 1  # throttle\n" for i in range(200)),
                "b.py": "def throttle(rate):\n    return rate\n",
            }
        )
        assert paths(plan_for(root, "throttle"))[0] == "b.py"

    def test_source_comes_before_its_test_unless_tests_are_asked_for(self, repository: Make) -> None:
        root = repository(
            {
                "parser.py": "def parse_header(line):\n    return line\n",
                "tests/test_parser.py": "def test_parse_header():\n    pass\n",
            }
        )
        assert paths(plan_for(root, "parse header"))[0] == "parser.py"
        assert "tests/test_parser.py" in paths(plan_for(root, "tests for parse header"))

    def test_a_word_inside_another_word_is_no_match(self, repository: Make) -> None:
        root = repository({"a.py": "restart = 1\n", "b.py": "art = 1\n"})
        assert paths(plan_for(root, "art")) == ["b.py"]

    def test_equal_scores_are_in_path_order(self, repository: Make) -> None:
        root = repository(dict.fromkeys(("c.py", "a.py", "b.py"), "def gadget():\n    pass\n"))
        assert paths(plan_for(root, "gadget")) == ["a.py", "b.py", "c.py"]

    def test_chinese_instructions_find_english_code_and_chinese_comments(self, repository: Make) -> None:
        root = repository(
            {
                "session.py": "def cancel_session():\n    pass\n",
                "other.py": "def other():\n    pass\n",
                "width.py": "# 计算宽度表\nx = 1\n",
            }
        )
        assert paths(plan_for(root, "修复会话的取消"))[0] == "session.py"
        assert paths(plan_for(root, "宽度表"))[0] == "width.py"


class TestAround:
    def test_tests_are_found_by_name_and_by_import(self, shop: Path) -> None:
        tests = plan_for(shop, "refund a payment").tests
        assert [test.path for test in tests] == ["tests/test_payment.py"]
        assert tests[0].covers == ("shop/payment.py",)

    def test_helpers_and_what_imports_a_hub_are_no_related_tests(self, repository: Make) -> None:
        files = {"gadget.py": "def gadget():\n    pass\n", "tests/gadget_house.py": "import gadget\n"}
        assert plan_for(repository(files), "gadget").tests == ()

    def test_a_hub_does_not_bring_every_test(self, repository: Make) -> None:
        files = {"gadget.py": "def gadget():\n    pass\n"}
        files |= {f"tests/test_{number}.py": "from gadget import gadget as g\n" for number in range(30)}
        assert all(test.reason != "imports `gadget.py`" for test in plan_for(repository(files), "gadget").tests)

    def test_entry_points(self, shop: Path) -> None:
        found = {(entry.kind, entry.name, entry.target) for entry in plan_for(shop, "refund").entry_points}
        assert found == {
            ("script", "shop", "shop.orders:place_order"),
            ("make", "make test", "Run the tests"),
            ("make", "make lint", ""),
            ("container", "CMD", '["shop"]'),
        }

    def test_other_languages_entry_points(self, repository: Make) -> None:
        root = repository(
            {
                "package.json": json.dumps(
                    {"name": "web", "bin": "cli.js", "main": "lib.js", "scripts": {"dev": "vite"}}
                ),
                "cmd/api/main.go": "package main\n",
                "Cargo.toml": '[[bin]]\nname = "tool"\npath = "src/tool.rs"\n',
                "pkg/__main__.py": "print(1)\n",
                ".github/workflows/ci.yml": "on: push\n",
                "Procfile": "web: gunicorn app\n",
            }
        )
        found = {(entry.kind, entry.name) for entry in plan_for(root, "x").entry_points}
        assert found == {
            ("script", "web"), ("main", "main"), ("script", "npm run dev"), ("main", "api"), ("script", "tool"),
            ("main", "pkg"), ("ci", "ci"), ("process", "web"),
        }  # fmt: skip

    def test_broken_manifests_are_passed_over(self, repository: Make) -> None:
        root = repository({"package.json": "{", "pyproject.toml": "[[[", "Cargo.toml": "=", "setup.cfg": "x\ny"})
        assert plan_for(root, "anything").entry_points == ()

    def test_todos_near_the_matter(self, shop: Path) -> None:
        (todo,) = plan_for(shop, "refund a payment").todos
        assert (todo.path, todo.line, todo.near) == ("shop/payment.py", 10, True)
        assert todo.text == "# TODO: partial refund of a payment"

    def test_churn_counts_commits(self, shop: Path) -> None:
        for number in range(3):
            with (shop / "shop/payment.py").open("a") as file:
                file.write(f"RATE_{number} = {number}\n")
            git(shop, "commit", "-qam", "More")
        plan = plan_for(shop, "refund a payment")
        (row,) = [row for row in plan.churn if row.path == "shop/payment.py"]
        assert (row.commits, row.added, row.deleted, row.last) == (4, 14, 0, "2026-01-02")
        assert plan.repository.commits_read == 4
        assert "changed in 4 of the last 4 commits" in plan.files[0].reasons

    def test_steps_name_the_places_and_the_commands(self, shop: Path) -> None:
        steps = plan_for(shop, "Fix: refund of a payment crashes").steps
        assert [step.title for step in steps] == [
            "Read what is there",
            "Know the tests that guard this",
            "Reproduce it, then fix it",
            "Check who depends on it",
            "Settle the notes nearby or leave them on purpose",
            "Extend the tests",
            "Bring the documentation along",
            "Run the whole round of checks",
        ]
        assert "`shop/payment.py:9`" in steps[0].detail
        assert "`python -m pytest tests/test_payment.py`" in steps[1].detail
        assert steps[3].paths == ("shop/orders.py",)
        assert steps[7].detail == "`make lint`"

    @pytest.mark.parametrize(
        ("importer", "line", "imported"),
        [
            ("pkg/a.py", "from .gizmo import x", "pkg/gizmo.py"),
            ("pkg/a.py", "from pkg import (\n    other,  # why\n    gizmo,\n)", "pkg/gizmo.py"),
            ("pkg/sub/a.py", "from ..gizmo import x", "pkg/gizmo.py"),
            ("a.py", "import pkg.gizmo as g", "src/pkg/gizmo.py"),
            ("web/a.ts", "import { g } from './gizmo'", "web/gizmo.ts"),
            ("web/a.ts", "import { g } from './gizmo.js'", "web/gizmo.ts"),
            ("web/a.js", "const g = require('./gizmo')", "web/gizmo/index.js"),
            ("main.go", 'import "example.org/m/gizmo"', "gizmo/gizmo.go"),
            ("src/main.rs", "mod gizmo;", "src/gizmo.rs"),
            ("src/deep/a.rs", "use crate::gizmo::Thing;", "src/gizmo.rs"),
            ("a.c", '#include "gizmo.h"', "gizmo.h"),
            ("A.java", "import org.example.Gizmo;", "org/example/Gizmo.java"),
        ],
    )
    def test_imports_are_followed_in_each_language(
        self, repository: Make, importer: str, line: str, imported: str
    ) -> None:
        plan = plan_for(repository({importer: line + "\n", imported: "struct gizmo gizmo\n"}), "gizmo")
        assert plan.files[0].path == imported
        check = [step for step in plan.steps if step.title == "Check who depends on it"]
        assert [step.paths for step in check] == [(importer,)]


class TestQuestions:
    def test_words_that_match_nothing_are_asked_about(self, shop: Path) -> None:
        questions = plan_for(shop, "refund with a flumph").questions
        assert questions[0] == (
            "Nothing in the repository matches “flumph”. Is it new, or is it called something else here?"
        )

    def test_a_dirty_tree_is_told(self, shop: Path) -> None:
        (shop / "shop/mail.py").write_text("x = 1\n")
        (shop / "new.py").write_text("x = 1\n")
        plan = plan_for(shop, "refund")
        assert plan.repository.changed == 2
        assert any(question.startswith("The working tree is not clean: 2 paths") for question in plan.questions)

    def test_a_missing_test_is_told(self, repository: Make) -> None:
        plan = plan_for(repository({"a.py": "def gadget():\n    pass\n"}), "gadget")
        assert "No test belongs to these files. How is a change to be checked?" in plan.questions
        assert [step.title for step in plan.steps][-1] == "Add a test"

    def test_a_detached_head_is_told(self, shop: Path) -> None:
        git(shop, "checkout", "-q", "--detach")
        plan = plan_for(shop, "refund")
        assert plan.repository.branch is None
        assert any(question.startswith(f"HEAD is detached at {plan.repository.head}") for question in plan.questions)

    def test_a_path_that_is_not_there_is_asked_about(self, shop: Path) -> None:
        questions = plan_for(shop, "refund in shop/ledger.py").questions
        assert any(question.startswith("The instructions name `shop/ledger.py`") for question in questions)

    def test_two_equal_places_are_asked_about(self, repository: Make) -> None:
        root = repository({"a/gadget.py": "def gadget():\n    pass\n", "b/gadget.py": "def gadget():\n    pass\n"})
        assert any("fit almost equally well" in question for question in plan_for(root, "gadget").questions)


class TestStrangeFolders:
    def test_an_empty_folder(self, folder: Path) -> None:
        plan = plan_for(folder, "refund")
        assert (plan.files, plan.steps, plan.repository.files) == ((), (), 0)
        assert plan.questions[0] == "The workspace holds no text file that could be read. Is this the right folder?"

    def test_a_folder_that_is_not_there(self, folder: Path) -> None:
        assert plan_for(folder / "gone", "refund").files == ()

    def test_without_git_the_ignore_files_still_hold(self, folder: Path) -> None:
        write(
            folder,
            {
                ".gitignore": "secret/\n*.log.txt\n",
                "a.txt": "gadget\n",
                "b.log.txt": "gadget\n",
                "secret/c.txt": "gadget\n",
                "sub/.gitignore": "!keep.txt\n/d.txt\n",
                "sub/d.txt": "gadget\n",
                "sub/e.txt": "gadget\n",
            },
        )
        plan = plan_for(folder, "gadget")
        assert paths(plan) == ["a.txt", "sub/e.txt"]
        assert plan.repository.source == "walk"
        assert any("this folder is not in a git repository" in question for question in plan.questions)

    def test_git_decides_what_is_ignored_and_what_is_new(self, repository: Make) -> None:
        root = repository({".gitignore": "hidden.py\n", "a.py": "gadget = 1\n"})
        write(root, {"hidden.py": "gadget = 1\n", "new.py": "gadget = 1\n"})
        assert paths(plan_for(root, "gadget")) == ["a.py", "new.py"]

    def test_a_repository_without_commits(self, folder: Path) -> None:
        git(folder, "init", "-q")
        write(folder, {"a.py": "gadget = 1\n"})
        plan = plan_for(folder, "gadget")
        assert paths(plan) == ["a.py"]
        assert (plan.repository.branch, plan.repository.head) == ("main", None)
        assert any("has no commit yet" in question for question in plan.questions)

    def test_a_subfolder_of_a_repository_is_its_own_world(self, shop: Path) -> None:
        plan = plan_for(shop / "shop", "refund a payment")
        assert paths(plan)[0] == "payment.py"
        assert next(row.path for row in plan.churn) in {"payment.py", "orders.py", "mail.py"}

    def test_a_submodule_is_looked_into(self, repository: Make, tmp_path: Path) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        git(inner, "init", "-q")
        write(inner, {"gadget.py": "def gadget():\n    pass\n"})
        git(inner, "add", "-A")
        git(inner, "commit", "-qm", "Inner")
        root = repository({"a.py": "x = 1\n"})
        git(root, "submodule", "--quiet", "add", str(inner), "lib")
        assert paths(plan_for(root, "gadget")) == ["lib/gadget.py"]

    def test_links_binaries_fifos_and_odd_bytes(self, folder: Path) -> None:
        write(
            folder,
            {
                "real.py": "gadget = 1\n",
                "latin.py": "# caf\xe9\ngadget = 1\n".encode("latin-1"),
                "image.dat2": b"\x00\x01gadget\n",
                "big.txt": b"gadget\n" * 100_000,
                "sub/x.py": "y = 1\n",
            },
        )
        (folder / "sub/loop").symlink_to(folder)
        (folder / "link.py").symlink_to(folder / "real.py")
        (folder / "broken.py").symlink_to(folder / "nowhere")
        os.mkfifo(folder / "pipe.py")
        (Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.py"))).write_text("gadget = 1\n")
        plan = plan_for(folder, "gadget")
        assert sorted(paths(plan)) == ["latin.py", "real.py"]
        (told,) = [question for question in plan.questions if question.startswith("Not every file was read")]
        assert "1 have a name that is no UTF-8" in told
        assert "1 are larger than 400 kB" in told
        json.dumps(plan.model_dump(mode="json")).encode()

    def test_what_exists_to_hold_secrets_is_never_quoted(self, repository: Make) -> None:
        names = (".env", ".env.local", "deploy/server.key", "id_ed25519", ".npmrc", "credentials.json")
        root = repository(dict.fromkeys((*names, ".env.example", "keys.py"), "GADGET_TOKEN=hunter2\n"))
        plan = plan_for(root, "gadget token")
        assert sorted(paths(plan)) == [".env.example", "keys.py"]

    def test_a_file_that_cannot_be_opened_is_counted(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(folder, {"a.py": "gadget = 1\n", "locked.py": "gadget = 1\n"})
        real = os.open

        def refuse(path: str, *args: int) -> int:
            # Tests may run as root, whom no mode keeps out.
            if str(path).endswith("locked.py"):
                raise PermissionError(13, "Permission denied", path)
            return real(path, *args)

        monkeypatch.setattr("actions.agent.scout.corpus.os.open", refuse)
        plan = plan_for(folder, "gadget")
        assert paths(plan) == ["a.py"]
        assert any("1 could not be opened" in question for question in plan.questions)

    def test_without_git_on_the_path(self, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        plan = plan_for(shop, "refund a payment")
        assert paths(plan)[0] == "shop/payment.py"
        assert any("git could not be started" in question for question in plan.questions)

    def test_variables_of_an_outer_git_lead_nowhere_else(
        self, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
        assert plan_for(shop, "refund").repository.branch == "main"

    def test_instructions_that_say_nothing(self, shop: Path) -> None:
        plan = plan_for(shop, "please do it")
        assert plan.files == ()
        assert plan.questions[0].startswith("The instructions name nothing that could be looked up")
        assert plan.churn


class TestWhole:
    def test_the_same_repository_and_words_give_the_same_bytes(self, shop: Path) -> None:
        first, second = (plan_for(shop, "Refund a payment, 修复支付") for _ in range(2))
        assert render(first).encode() == render(second).encode()
        assert first.model_dump_json() == second.model_dump_json()

    def test_a_copy_elsewhere_gives_the_same_bytes(self, shop: Path, tmp_path: Path) -> None:
        git(tmp_path, "clone", "-q", str(shop), "copy")
        assert render(plan_for(tmp_path / "copy", "refund a payment")) == render(plan_for(shop, "refund a payment"))

    def test_it_says_first_that_no_model_wrote_it(self, shop: Path) -> None:
        text = render(plan_for(shop, "refund a payment"))
        assert text.startswith(f"# Plan: refund a payment\n\n{NO_MODEL}\n")
        assert "No model wrote this" in NO_MODEL

    def test_the_result_survives_json(self, shop: Path) -> None:
        plan = plan_for(shop, "refund a payment")
        assert Plan.model_validate(json.loads(json.dumps(plan.model_dump(mode="json")))) == plan

    def test_code_in_a_line_cannot_break_the_markdown(self, repository: Make) -> None:
        root = repository({"a.py": "gadget = '```'  # `x` ``y``\n"})
        (row,) = [row for row in render(plan_for(root, "gadget")).splitlines() if row.strip().startswith("- line 1")]
        assert row.strip() == "- line 1: ```` gadget = '```' # `x` ``y`` ````"

    def test_each_look_is_told_twice_in_order(self, shop: Path) -> None:
        told: list[Look] = []
        draft_plan(shop, "refund", Cancel(), told.append)
        assert [look.key for look in told] == [key for key, _, _ in LOOKS for _ in range(2)]
        assert [look.result is None for look in told] == [True, False] * len(LOOKS)

    @pytest.mark.parametrize("key", [key for key, _, _ in LOOKS[:-1]])
    def test_a_cancel_ends_it_in_every_look(self, shop: Path, key: str) -> None:
        cancel = Cancel()

        def watch(look: Look) -> None:
            if look.key == key:
                cancel.set()

        with pytest.raises(ScoutCancelled):
            draft_plan(shop, "refund", cancel, watch)
