"""How another window is started, and what a start with its flag means."""

from __future__ import annotations

from desktop.app.another import command
from desktop.app.arguments import Arguments, read_arguments


def test_as_this_one_was_started() -> None:
    script = command(["/opt/venv/bin/sayso", "desktop"], "/opt/venv/bin/python", frozen=False)
    assert script == ["/opt/venv/bin/python", "/opt/venv/bin/sayso", "desktop", "--new-window"]
    assert command(["/opt/sayso/sayso"], "/opt/sayso/sayso", frozen=True) == [
        "/opt/sayso/sayso",
        "desktop",
        "--new-window",
    ]


def test_the_flag_is_read() -> None:
    assert read_arguments(["--new-window"], "usage") == Arguments(new_window=True)
    assert read_arguments([], "usage") == Arguments()
