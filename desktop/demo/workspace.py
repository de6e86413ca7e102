"""The sample repository of the demo: a small web shop with a short history, made anew in a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from actions.errors import SaysoError

_SOURCE = Path(__file__).with_name("repository")
_HISTORY = (
    ("Start the shop", ("README.md", "pyproject.toml", "shop/__init__.py", "shop/settings.py")),
    ("Keep products and orders in SQLite", ("shop/database.py", "shop/orders.py", "tests/test_orders.py")),
    ("Number the changes of the schema", ("shop/migrations.py", "tests/test_migrations.py")),
    ("Serve the shop and print the day's sales", ("shop/web.py", "shop/report.py", "docker-compose.yml")),
)
_AUTHOR = ("-c", "user.name=Orchard", "-c", "user.email=orchard@example.org", "-c", "commit.gpgsign=false")


def make_workspace(folder: Path) -> Path:
    """Write the sample repository into ``folder`` with its commits, and return it. Blocks for a moment.

    Raises SaysoError where git is missing or fails.
    """
    folder.mkdir(parents=True)
    _git(folder, "init", "--quiet", "--initial-branch=main")
    for message, names in _HISTORY:
        for name in names:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(_SOURCE / name, target)
        _git(folder, "add", "--all")
        _git(folder, *_AUTHOR, "commit", "--quiet", "--message", message)
    return folder


def _git(folder: Path, *arguments: str) -> None:
    try:
        subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True, timeout=30)
    except FileNotFoundError:
        raise SaysoError("The demo needs git. Install it, or give a repository with --workspace.") from None
    except subprocess.CalledProcessError as error:
        raise SaysoError(f"git could not make the sample repository: {error.stderr.strip()}") from error
    except subprocess.TimeoutExpired:
        raise SaysoError("git did not answer. Give a repository with --workspace.") from None
