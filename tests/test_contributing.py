"""The recipe for an action in CONTRIBUTING.md is one file, and true."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROBE = """
import json
from actions.catalog.projections.command import command
from actions.catalog.projections.tool import tool
from actions.catalog.registry import load

catalog = load()
spec = catalog.get("session.all.stop")
form = catalog.form(spec)
print(json.dumps({
    "form": [(f.path, f.widget.value) for f in form],
    "command": command(spec, form).words,
    "tool": tool(spec).name,
    "phrases": [say.template for say in spec.say],
}))
"""


def test_the_action_of_the_guide_is_one_file_that_gives_form_command_tool_and_phrases(tmp_path: Path) -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [diff] = re.findall(r"^```diff\n(.*?)^```$", guide, re.M | re.S)
    assert re.findall(r"^\+\+\+ b/(.*)$", diff, re.M) == ["actions/catalog/domains/session_all.py"]

    shutil.copytree(ROOT / "actions", tmp_path / "actions", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "apply", "-"], input=diff, text=True, cwd=tmp_path, check=True)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    child = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )

    assert child.returncode == 0, child.stderr
    assert json.loads(child.stdout) == {
        "form": [["keep_pinned", "toggle"]],
        "command": ["session", "all", "stop"],
        "tool": "session_all_stop",
        "phrases": ["stop (all|every) session[s]", "停止所有会话"],
    }
