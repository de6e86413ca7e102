"""Where a home keeps its files, and whom it lets in."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from actions.errors import SaysoError
from actions.storage import paths as paths_module
from actions.storage import socket_file
from actions.storage.paths import Paths
from actions.storage.socket_file import SOCKET_PATH_LIMIT


def test_one_folder_holds_everything(tmp_path: Path) -> None:
    home = tmp_path / "h"
    paths = Paths.from_environment({"SAYSO_HOME": str(home)})
    assert (paths.config, paths.data, paths.state, paths.cache) == (
        home / "config",
        home / "data",
        home / "state",
        home / "cache",
    )
    assert paths.settings_file == home / "config/settings.toml"
    assert paths.mcp_file == home / "config/mcp.json"
    assert paths.providers_file == home / "config/providers.toml"
    assert paths.database_file == home / "data/sayso.db"
    assert paths.lock_file == home / "state/host.lock"
    assert paths.logs == home / "state/logs"
    assert paths.models == home / "cache/models"


def test_without_a_home_the_folders_are_those_of_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    paths = Paths.from_environment({})
    assert paths.config == tmp_path / "CONFIG/sayso"
    assert paths.data == tmp_path / "DATA/sayso"
    assert paths.state == tmp_path / "STATE/sayso"
    assert paths.cache == tmp_path / "CACHE/sayso"


def test_a_relative_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Paths.from_environment({"SAYSO_HOME": "h"}).data == tmp_path / "h/data"


def test_folders_are_for_their_owner_only(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "h")
    paths.data.mkdir(parents=True, mode=0o755)
    paths.ensure()
    paths.ensure()
    for folder in (paths.config, paths.data, paths.state, paths.cache, paths.logs, paths.backups):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder


def test_a_home_that_cannot_be_made_names_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("a file is in the way")
    with pytest.raises(SaysoError, match="set SAYSO_HOME"):
        Paths.under(tmp_path / "h").ensure()


def test_a_read_only_home_names_the_way_out() -> None:
    """/proc is read-only even for the superuser."""
    with pytest.raises(SaysoError, match="set SAYSO_HOME"):
        Paths.under(Path("/proc/sayso-home")).ensure()


def test_a_short_home_keeps_its_socket(tmp_path: Path) -> None:
    paths = Paths.under(Path("/h"))
    assert paths.socket_file == Path("/h/state/host.sock")


def test_a_long_home_has_a_short_socket_that_every_client_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_file, "_RUNTIME_ROOT", str(tmp_path / "run"))
    (tmp_path / "run").mkdir()
    home = tmp_path / ("long-" * 30)
    home.mkdir()
    link = tmp_path / ("other-name-of-the-same-" + "x" * 100)
    link.symlink_to(home)

    host = Paths.under(home)
    host.ensure()

    assert len(os.fsencode(paths_module._socket_for(Path("/" + "x" * 200)))) < SOCKET_PATH_LIMIT + len(str(tmp_path))
    assert Paths.under(link).socket_file == host.socket_file
    assert Paths.under(home / "another").socket_file != host.socket_file
    assert host.trusted_socket() == host.socket_file
    assert stat.S_IMODE(host.socket_file.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("what", ["open to others", "a link", "of another user"])
def test_a_runtime_folder_that_is_not_ours_alone_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    root = tmp_path / "run"
    root.mkdir()
    monkeypatch.setattr(socket_file, "_RUNTIME_ROOT", str(root))
    paths = Paths.under(tmp_path / ("long-" * 30))
    folder = paths.socket_file.parent
    match what:
        case "open to others":
            folder.mkdir()
            folder.chmod(0o777)
        case "a link":
            (tmp_path / "elsewhere").mkdir(mode=0o700)
            folder.symlink_to(tmp_path / "elsewhere")
        case _:
            folder.mkdir(mode=0o700)
            if os.getuid() != 0:
                pytest.skip("only the superuser can give a folder away")
            os.chown(folder, 12345, 12345)
    with pytest.raises(SaysoError, match="not yours alone"):
        paths.ensure()
    with pytest.raises(SaysoError, match="not yours alone"):
        paths.trusted_socket()


def test_it_is_cheap_to_import() -> None:
    """On the fast path of every command: nothing but the standard library, and no platformdirs under SAYSO_HOME."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from actions.storage.paths import Paths\n"
        "Paths.from_environment({'SAYSO_HOME': '/h'}).socket_file\n"
        "names = {n.split('.')[0] for n in set(sys.modules) - before} - {'actions'}\n"
        "print(sorted(n for n in names if n not in sys.stdlib_module_names), 'dataclasses' in sys.modules)\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[] False"
