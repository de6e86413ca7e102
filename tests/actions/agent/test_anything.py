"""Whatever lies in a folder and whatever is asked: a plan comes back, the same one each time, and it fits into JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actions.agent.scout.ask import answer_pieces
from actions.agent.scout.cancel import Cancel
from actions.agent.scout.draft import draft_plan
from actions.agent.scout.markdown import render
from tests.actions.agent.conftest import git, write

_NAMES = st.sampled_from(
    "a.py b.ts c.go d.rs e.java f.c README.md Makefile package.json pyproject.toml x .gitignore setup.cfg Cargo.toml "
    "Dockerfile tests/test_a.py pkg/__init__.py pkg/a.py 名.py Procfile".split()
)
_CODE = ["def gadget():", "class Gadget:", "import a", "from . import a", "TODO gadget", "# gadget", "[project]", "a:"]
_MARKS = ["gadget", "session", "会话", "`", "\n", "\r\n", "{}", "\t", "(", '"', "'", "=", "\x0c", "\u2028"]
_TEXT = st.lists(st.one_of(st.sampled_from(_CODE + _MARKS), st.text(max_size=8)), max_size=12).map(" ".join)
_BYTES = st.one_of(_TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=60))
_INSTRUCTIONS = st.one_of(_TEXT, st.sampled_from(["gadget", "a.py", "修复会话 gadget", "`gadget` in pkg/a.py", ""]))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(files=st.dictionaries(_NAMES, _BYTES, max_size=6), instructions=_INSTRUCTIONS, with_git=st.booleans())
def test_there_is_always_a_plan(tmp_path: Path, files: dict[str, bytes], instructions: str, with_git: bool) -> None:
    root = tmp_path / "any"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    write(root, files)
    if with_git:
        git(root, "init", "-q")
        git(root, "add", "-A")
    first, second = (draft_plan(root, instructions, Cancel()) for _ in range(2))
    assert first == second
    text = render(first)
    assert text == render(second)
    text.encode()
    json.dumps(first.model_dump(mode="json"), allow_nan=False)
    assert "".join(answer_pieces(first))
    assert all(file.path in files for file in first.files)
    assert [file.score for file in first.files] == sorted((file.score for file in first.files), reverse=True)
