"""A peer's own environment: made once, in the user's cache folder, where there is a Python and a package for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import platformdirs

INSTALL_LIMIT = 600
PEER = "kimi-cli==1.50.0"
PEER_NEEDS = (3, 13)
"""It says 3.12, but its ACP side cannot be imported on 3.12.1 (``super()`` in a generic dataclass with slots)."""


def peer_python(package: str, at_least: tuple[int, int]) -> Path | None:
    """The interpreter that has ``package`` (``name==version``); None, with a line on stderr, where it cannot be had."""
    home = Path(platformdirs.user_cache_dir("sayso")) / "bench" / package.replace("==", "-")
    python, done = home / "bin" / "python", home / "installed"
    if done.exists() and python.exists():
        return python
    base = _interpreter(at_least)
    if base is None:
        return _without(package, f"no Python >= {at_least[0]}.{at_least[1]} is installed")
    shutil.rmtree(home, ignore_errors=True)
    try:
        subprocess.run([base, "-m", "venv", str(home)], check=True, capture_output=True, timeout=INSTALL_LIMIT)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
        subprocess.run(install, check=True, capture_output=True, timeout=INSTALL_LIMIT)
    except (subprocess.SubprocessError, OSError) as error:
        shutil.rmtree(home, ignore_errors=True)
        return _without(package, f"it could not be installed: {error}")
    done.touch()
    return python


def _without(package: str, why: str) -> None:
    print(f"{package} is not measured beside ours: {why}; limits are those of the floor", file=sys.stderr)


def _interpreter(at_least: tuple[int, int]) -> str | None:
    names = [f"python3.{minor}" for minor in range(at_least[1], at_least[1] + 4)]
    pyenv = Path.home() / ".pyenv" / "versions"
    found = [path for name in names if (path := shutil.which(name))]
    found += [str(path) for name in names for path in sorted(pyenv.glob(f"*/bin/{name}"))]
    return next((path for path in (sys.executable, *found) if _version(path) >= at_least), None)


def _version(python: str) -> tuple[int, ...]:
    show = "import sys; print(*sys.version_info[:2])"
    try:
        said = subprocess.run([python, "-c", show], check=True, capture_output=True, text=True, timeout=20).stdout
    except (subprocess.SubprocessError, OSError):
        return ()
    return tuple(int(number) for number in said.split())
