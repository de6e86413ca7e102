import os
import subprocess
import sys

from desktop.app.display import missing_display


def test_offscreen_needs_no_display() -> None:
    assert missing_display({"QT_QPA_PLATFORM": "offscreen"}) is None


def test_no_display_names_both_ways_out() -> None:
    message = missing_display({"PATH": os.environ["PATH"]}, platform="linux")
    assert message is not None
    assert "xvfb-run sayso desktop" in message
    assert "QT_QPA_PLATFORM=offscreen" in message


def test_a_display_that_is_gone_ends_the_command_and_not_by_a_crash() -> None:
    environment = {key: value for key, value in os.environ.items() if key not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")}
    child = subprocess.run(
        [sys.executable, "-c", "import sys; from desktop.main import run; sys.exit(run([]))"],
        env={**environment, "DISPLAY": ":4242"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert child.returncode == 1
    assert "QT_QPA_PLATFORM=offscreen" in child.stderr
    assert "Traceback" not in child.stderr
    assert len(child.stderr.splitlines()) == 1
    assert child.stdout == ""


def test_wrong_usage_is_exit_2(capsys: object) -> None:
    from desktop.main import run

    assert run(["--theme", "pink"]) == 2
    assert run(["--help"]) == 0
