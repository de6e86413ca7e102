"""Which command lines a rule may cover."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actions.agent.toolset.asking import Scope
from actions.catalog.spec import Effect
from actions.patterns.pattern import Pattern, pattern_for
from actions.patterns.plain import plain_words

GIT_STATUS = Pattern("command", ("git", "status"))


def fits(command: str, pattern: Pattern = GIT_STATUS) -> bool:
    return pattern.fits(Scope("command", command))


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "  git   status  ",
        "git\tstatus",
        "git status -s",
        "git status -- src/*.py",
        "git status --oneline",
        "git status 'a;b'",
        "git status 'a$(x)`y`\\z > <|&'",
        'git status "a;b|c>d&e (f)"',
        "'git' \"status\" x",
        "git sta'tus'",
        "git status 文件.txt",
        "git status a#b",
        "git status --x=1 A=2",
    ],
)
def test_fits_git_status(command: str) -> None:
    assert fits(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        " ",
        "git",
        "git push",
        "git statusx",
        "git status_x",
        "gitstatus",
        "git -C /etc status",
        "git -c core.pager=evil status",
        "'git status'",
        "/tmp/git status",
        "./git status",
        "git status; rm -rf /",
        "git status ;rm x",
        "git status&&rm x",
        "git status || rm x",
        "git status | sh",
        "git status |& sh",
        "git status & rm x",
        "git status &",
        "git status $(rm x)",
        "git status `rm x`",
        'git status "$(rm x)"',
        'git status "`rm x`"',
        "git status $HOME",
        'git status "${x:=$(rm y)}"',
        "git status $'\\x3b rm'",
        'git status $"x"',
        "git status $((1))",
        "git status > ~/.bashrc",
        "git status >> x",
        "git status 2>x",
        "git status >|x",
        "git status < x",
        "git status << EOF\nx\nEOF",
        "git status <<< x",
        "git status <(rm x)",
        "git status >(rm x)",
        "git status\nrm x",
        "git status \\\nrm x",
        "git status\rrm x",
        "git status\x00rm x",
        "git status\x0brm x",
        "git status\u2028rm x",
        "git\u00a0status",
        "git status \u202etxt.exe",
        "git status \x1b[2K",
        "git status \\; rm",
        "git status 'unclosed",
        'git status "unclosed',
        "git status 'a'\\''b'",
        "(git status)",
        "{ git status; }",
        "! git status",
        "time git status",
        "if git status",
        "git status # hidden",
        "#git status",
        "GIT_PAGER=evil git status",
        "A+=1 git status",
        "A[0]=1 git status",
        "'A=1' git status",
        "'' git status",
        "\\git status",
        "git status !(x)",
        'git status "!!"',
        "git status @(a|b)",
        "git\\ status",
        "git status --output=.git/hooks/pre-commit",
        "git status --outp x",
        "git status --ext-diff",
        "git status {--output=x,}",
        "git status *",
        "git status --[o]utput=x",
        "git status ~/x",
        "git status ../x",
        "git status /etc",
        "sudo git status",
        "env git status",
        "function git { rm x; }",
        "git() { rm x; }; git status",
        "git status " + "x" * 20_000,
        "git status '\n'",
    ],
)
def test_does_not_fit_git_status(command: str) -> None:
    assert not fits(command)


@pytest.mark.parametrize(
    ("command", "words", "exact"),
    [
        ("git status -s", "git status", False),
        ("git commit -m 'a; b'", "git commit", False),
        ("git branch -v", "git branch -v", True),  # -D deletes
        ("git stash list", "git stash list", True),
        ("npm run build", "npm run build", False),
        ("npm test", "npm test", False),
        ("npm run build -- --watch", "npm run build -- --watch", True),
        ("npm test --script-shell=./x", "npm test --script-shell=./x", True),
        ("pytest -p evil", "pytest -p evil", True),
        ("pytest -xp evil", "pytest -xp evil", True),
        ("pytest --rootdir=x", "pytest --rootdir=x", True),
        ("pytest -c x.ini", "pytest -c x.ini", True),
        ("pytest --override-ini=addopts=-pevil", "pytest --override-ini=addopts=-pevil", True),
        ("pytest --tx popen//python=./x", "pytest --tx popen//python=./x", True),
        ("pytest @options.txt", "pytest @options.txt", True),
        ("pytest -vv -x -k 'a or b' --maxfail=1 -n4 tests/a.py::test_b", "pytest", False),
        ("go test -exec ./x ./...", "go test -exec ./x ./...", True),
        ("go test -toolexec=./x ./...", "go test -toolexec=./x ./...", True),
        ("go build -o ../x", "go build -o ../x", True),
        ("go vet -vettool=./x", "go vet -vettool=./x", True),
        ("go test -run TestA -v ./...", "go test", False),
        ("cargo build --config build.rustc-wrapper=./x", "cargo build --config build.rustc-wrapper=./x", True),
        ("cargo clippy -- -C linker=./x", "cargo clippy -- -C linker=./x", True),
        ("cargo test --manifest-path x/Cargo.toml", "cargo test --manifest-path x/Cargo.toml", True),
        ("cargo build --release", "cargo build", False),
        ("cargo test -- --nocapture", "cargo test", False),
        ("pylint --init-hook=x a.py", "pylint --init-hook=x a.py", True),
        ("mypy --python-executable=./x .", "mypy --python-executable=./x .", True),
        ("eslint --config x.js src", "eslint --config x.js src", True),
        ("tsc -p x", "tsc -p x", True),
        ("ruff check src", "ruff", False),
        ("grep -rn 'x' src", "grep", False),
        ("head -c 100 a.txt", "head", False),
        ("cat /etc/shadow", "cat /etc/shadow", True),
        ("cat ~/.ssh/id_rsa", "cat ~/.ssh/id_rsa", True),
        ("head ../other/a", "head ../other/a", True),
        ("wc -l a.txt", "wc", False),
        ("cargo test -p x", "cargo test", False),
        ("docker ps -a", "docker ps", False),
        ("kubectl get pods", "kubectl get", False),
        ("make test", "make test", False),
        ("uv sync", "uv sync", False),
        ("ls -la src", "ls", False),
        ("pytest -q tests", "pytest", False),
        ("./check.sh --fast", "./check.sh", False),
        # Whatever their arguments say, they do it.
        ("sh -c 'rm x'", "sh -c 'rm x'", True),
        ("bash x.sh", "bash x.sh", True),
        ("python -c 'x'", "python -c x", True),
        ("/usr/bin/python3.11 x.py", "/usr/bin/python3.11 x.py", True),
        ("python3 x.py", "python3 x.py", True),
        ("node x.js", "node x.js", True),
        ("env X=1 make", "env X=1 make", True),
        ("sudo ls", "sudo ls", True),
        ("xargs rm", "xargs rm", True),
        ("find . -name x", "find . -name x", True),
        ("find . -exec rm x +", "find . -exec rm x +", True),
        ("ssh host ls", "ssh host ls", True),
        ("curl https://x.org", "curl https://x.org", True),
        ("rm -rf build", "rm -rf build", True),
        ("eval ls", "eval ls", True),
        (". ./x", ". ./x", True),
        ("npx cowsay", "npx cowsay", True),
        ("uv run x", "uv run x", True),
        ("docker run x", "docker run x", True),
        ("kubectl exec pod -- sh", "kubectl exec pod -- sh", True),
        ("git -C /etc status", "git -C /etc status", True),
        ("git -c alias.x=y x", "git -c alias.x=y x", True),
        ("git push --force origin main", "git push --force origin main", True),
        ("git fetch --upload-pack=x origin", "git fetch --upload-pack=x origin", True),
        ("git reset --hard", "git reset --hard", True),
        ("npm install left-pad", "npm install left-pad", True),
        ("uv pip install x", "uv pip install x", True),
        ("apt-get install x", "apt-get install x", True),
        ("git config alias.x '!rm'", "git config alias.x '!rm'", True),
        ("git", "git", True),
        ("npm run", "npm run", True),
        ("make -f evil.mk", "make -f evil.mk", True),
        ("*/x", "*/x", True),
    ],
)
def test_what_a_rule_is_offered_for(command: str, words: str, exact: bool) -> None:
    pattern = pattern_for(Scope("command", command), Effect.DANGER)
    assert pattern is not None
    assert pattern.sound
    assert (list(pattern.words), pattern.exact) == (shlex.split(words), exact)
    assert fits(command, pattern)
    assert fits(f"{command} more", pattern) is not exact
    assert not fits(f"{command}; rm x", pattern)
    assert ("exactly" in pattern.in_words("Shell")) is exact


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A workspace with a file, a folder and links that lead out of it, in a folder with a secret."""
    (tmp_path / "secret").write_text("s")
    shop = tmp_path / "shop"
    (shop / "src").mkdir(parents=True)
    (shop / "src" / "a.txt").write_text("a")
    (shop / "src" / "link").symlink_to(tmp_path / "secret")
    (shop / "out").symlink_to(tmp_path)
    return shop


def in_folder(command: str, shop: Path, folder: str = "") -> Scope:
    return Scope("command", command, folder=str(shop / folder), roots=(str(shop),))


@pytest.mark.parametrize("reader", ["cat", "head", "wc", "ls", "grep x", "diff a", "./check.sh"])
@pytest.mark.parametrize(
    "operand",
    [
        "/etc/shadow", "~/.ssh/id_rsa", "~", "~root", "../secret", "src/../../secret", "--file=/etc/shadow", "-f/etc/x",
        "-f../secret", "--from=~/x", "src/link", "out/secret", "src/l*", "out/s?cret", "*/link", ".*/secret", ".?/x",
        "a:/etc/shadow", "'load(\"/etc/shadow\")'", "{a,/etc/shadow}", "@/etc/shadow", "-Iout", "/", "..", "/*",
        "'/etc/shadow'", "/dev/fd/../../etc/shadow", "//etc/shadow", "-- /etc/shadow",
    ],
)  # fmt: skip
def test_a_rule_by_prefix_does_not_reach_out_of_the_workspace(shop: Path, reader: str, operand: str) -> None:
    rule = pattern_for(in_folder(f"{reader.split(maxsplit=1)[0]} src/a.txt", shop), Effect.DANGER)
    assert rule is not None
    assert not rule.exact
    assert "no path outside the workspace" in rule.in_words("Shell")
    command = f"{reader} {operand}"
    assert not rule.fits(in_folder(command, shop))
    offered = pattern_for(in_folder(command, shop), Effect.DANGER)
    assert offered is None or offered.exact


@pytest.mark.parametrize(
    "operand",
    ["src/a.txt", "src", ".", "./src/../src/a.txt", "-n 5 src/a.txt", "src/*.txt", "missing.txt", "/dev/null", "-la",
     "HEAD~1..HEAD", "a..b", "https:x", "100%", "x@y"],
)  # fmt: skip
def test_a_rule_by_prefix_holds_for_the_workspace(shop: Path, operand: str) -> None:
    rule = Pattern("command", ("cat",))
    assert rule.fits(in_folder(f"cat {operand}", shop))
    assert rule.fits(in_folder(f"cat {shop}/src/a.txt", shop))
    assert rule.fits(in_folder("cat ../src/a.txt", shop, "src"))


@pytest.mark.parametrize("command", ["a; b", "a | b", "a > b", "a $(b)", "A=1 b", "a &", "a\nb", "", "'"])
def test_no_rule_for_what_is_not_plain(command: str) -> None:
    assert pattern_for(Scope("command", command), Effect.DANGER) is None


def test_a_free_program_only_fits_exactly() -> None:
    """A pattern that nobody would be offered, as in a file edited by hand."""
    assert not Pattern("command", ("sh",)).sound
    assert not Pattern("command", ()).sound
    assert Pattern("command", ("sh", "x"), exact=True).sound


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which ``git`` is the only command and writes down how it was called."""
    folder = tmp_path_factory.mktemp("box")
    git = folder / "git"
    git.write_text(f'#!/bin/sh\nprintf "%s\\0" called "$@" >> {folder}/calls\n')
    git.chmod(0o755)
    return folder


PIECES = st.sampled_from(
    [*" \t\n\r;&|<>()$`\\'\"#!{}[]=*?@+-", "a", "rm", "git ", "'x y'", '"x"', "$(", "<<E", "&&", "A=1", "文"]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.lists(PIECES, max_size=6).map("".join), st.sampled_from(["sh", "bash"]))
def test_a_shell_agrees_about_plain_commands(box: Path, tail: str, shell: str) -> None:
    """Whatever is taken for plain, a real shell runs as one command with exactly those words."""
    command = f"git status{tail}"
    words = plain_words(command)
    if words is None or words[0] != "git":
        return
    (box / "calls").write_text("")
    options = ["-f", "+B"] if shell == "bash" else ["-f"]
    before = set(box.iterdir())
    subprocess.run(
        [f"/bin/{shell}", *options, "-c", command],
        cwd=box,
        env={"PATH": str(box)},
        check=True,
        capture_output=True,
    )
    assert (box / "calls").read_text().split("\0")[:-1] == ["called", *words[1:]]
    assert set(box.iterdir()) == before


@pytest.mark.parametrize("quoted", ["rm '*'", 'rm "*"', "rm '~'", "rm 'a{b,c}'"])
def test_a_rule_for_a_quoted_pattern_does_not_free_the_pattern(quoted: str) -> None:
    """The file named ``*`` was meant, not all files."""
    bare = quoted.replace("'", "").replace('"', "")
    assert pattern_for(Scope("command", quoted), Effect.DANGER) is None
    rule = pattern_for(Scope("command", bare), Effect.DANGER)
    assert rule is not None
    assert fits(bare, rule)
    assert not fits(quoted, rule)
