"""What the packages are made of agrees with the app; the bundle does what Python does for our own processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
SHARE = ROOT / "packaging/share"
ID = "dev.sayso.Sayso"


def bundled(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "packaging/bundle/entry.py"), *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("flags", [("-P",), ("-E", "-P"), ()])
def test_a_module_runs_with_its_arguments(flags: tuple[str, ...]) -> None:
    done = bundled(*flags, "-m", "actions.cli.main", "--version", "--json")
    assert (done.returncode, '"ok": true' in done.stdout) == (0, True), done.stderr


def test_a_line_of_code_and_a_file_run(tmp_path: Path) -> None:
    assert bundled("-P", "-c", "import sys; print(sys.argv[1:])", "a b").stdout == "['a b']\n"
    script = tmp_path / "script.py"
    script.write_text("import sys; print(__name__, sys.argv[1])")
    assert bundled("-P", str(script), "x").stdout == "__main__ x\n"


def test_anything_else_is_the_command() -> None:
    assert bundled("--version").stdout.startswith("sayso ")
    assert bundled("no-such-command").returncode == 2


def test_children_get_the_libraries_of_the_system() -> None:
    show = "import os; print(os.environ.get('LD_LIBRARY_PATH'), [n for n in os.environ if n.startswith('_PYI_')])"
    code = f"import subprocess, sys; subprocess.run(['{sys.executable}', '-c', {show!r}])"
    assert bundled("-c", code, LD_LIBRARY_PATH="/bundle", _PYI_HOME="/bundle").stdout == "None []\n"
    mine = bundled("-c", code, LD_LIBRARY_PATH="/bundle", LD_LIBRARY_PATH_ORIG="/mine")
    assert mine.stdout == "/mine []\n"


def test_the_window_and_its_entry_have_one_name() -> None:
    assert f'setDesktopFileName("{ID}")' in (ROOT / "desktop/app/qt.py").read_text(encoding="utf-8")
    component = ElementTree.parse(SHARE / f"{ID}.metainfo.xml").getroot()
    assert component.findtext("id") == ID
    assert component.findtext("launchable") == f"{ID}.desktop"
    entry = (SHARE / f"{ID}.desktop").read_text(encoding="utf-8").splitlines()
    assert {f"Icon={ID}", f"StartupWMClass={ID}", "Exec=sayso desktop"} <= set(entry)
    assert (SHARE / f"{ID}.svg").is_file()


def test_the_newest_release_is_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    release = ElementTree.parse(SHARE / f"{ID}.metainfo.xml").getroot().find("releases/release")
    assert release is not None
    assert release.get("version") == project["version"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("appstreamcli", ["validate", "--no-net", f"{ID}.metainfo.xml"]),
        ("desktop-file-validate", [f"{ID}.desktop"]),
    ],
)
def test_the_system_takes_entry_and_metadata(tool: str, arguments: list[str]) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([tool, *arguments], cwd=SHARE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
