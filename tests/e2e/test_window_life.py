"""A window comes and goes; what it shows goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest
from PySide6.QtWidgets import QApplication

from actions.client.aio import AsyncClient
from actions.storage.paths import Paths
from desktop.app.application import Application
from desktop.app.loop import AppLoop
from desktop.app.remote import RemoteBackend
from desktop.theme.colors import SchemeName
from desktop.theme.theme import Theme
from tests.actions.cli.home import COMMAND, Home
from tests.e2e.processes import hosts_of, processes_of, started
from tests.e2e.steps import NO_TRACE, add_provider, at_terminal, clients, looked_at, new_session, until_state, waiting
from tests.running_host import eventually, gone

pytestmark = pytest.mark.timeout(180)


@contextmanager
def window(home: Home, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`sayso desktop` as a process, connected to its host."""
    with started(COMMAND, "desktop", *words, env=home.environment(QT_QPA_PLATFORM="offscreen")) as process:
        eventually(lambda: process.poll() is not None or clients(home) == 1, 60)
        assert process.poll() is None, process.communicate()
        yield process


async def what_a_window_shows(home: Home, app: QApplication, session: str, until: str) -> tuple[str, str, bool]:
    """State, text and whether all is there, of a session in a new window, once ``until`` is in its transcript."""
    paths = Paths.under(home.folder)
    backend = RemoteBackend(AsyncClient(str(paths.socket_file), surface="ui", label="window"))
    application = Application(Theme(app, SchemeName.LIGHT), backend)
    application.open()
    backend.open({})
    try:
        model = application.window.transcript
        async with asyncio.timeout(60):
            while application.window.sessions.session(session) is None:  # noqa: ASYNC110 - any state of a widget
                await asyncio.sleep(0.02)
            application.sessions.open(session)
            while until not in "".join(model[at].text for at in range(len(model))):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        shown = application.window.sessions.session(session)
        assert shown is not None
        return shown.state.value, "".join(model[at].text for at in range(len(model))), application.window.isVisible()
    finally:
        await application.close()
        await backend.close()


def test_a_killed_window_takes_nothing_with_it(home: Home, qapp: QApplication) -> None:
    with window(home) as first:
        session = new_session(home, add_provider(home))
        assert home.json("session", "send", session, "slow please").exit == 0
        until_state(home, session, "working")
        started = [process for host in hosts_of(home.folder) for process in host.children(recursive=True)]
        agents = [process for process in started if "sayso-keeper" not in process.cmdline()]  # that one is the host's
        assert agents
        first.send_signal(signal.SIGKILL)
        first.wait(timeout=60)

    eventually(lambda: clients(home) == 0)
    assert not any(gone(agent) for agent in agents)
    assert home.json("session", "show", session).data["state"] == "working"
    before = home.json("session", "transcript", session).data["events"]
    eventually(lambda: len(looked_at(home, "session.transcript.get", session_id=session)["events"]) > len(before) + 1)

    with asyncio.Runner(loop_factory=lambda: AppLoop(qapp)) as runner:
        state, text, visible = runner.run(what_a_window_shows(home, qapp, session, "40 "))
    assert (state, visible) == ("working", True)
    assert "slow please" in text
    assert "".join(f"{number} " for number in range(41)) in text  # from the first word on, in order, each once

    assert home.json("session", "stop", session).data["state"] == "stopped"
    assert all(eventually(lambda agent=agent: gone(agent)) for agent in agents)


def test_a_window_killed_in_a_permission_request_leaves_it_to_the_next(home: Home) -> None:
    with window(home) as first:
        session = new_session(home, add_provider(home))
        home.json("session", "send", session, "permission")
        eventually(lambda: waiting(home))
        first.kill()
        first.wait(timeout=60)
    [row] = home.json("inbox", "list").data["rows"]
    with window(home) as second:
        with at_terminal(home, "inbox", "approve", row["id"], "--yes") as person:
            assert person.end() == 0, person.seen
        eventually(lambda: not waiting(home))
        until_state(home, session, "idle")
        second.send_signal(signal.SIGTERM)
        assert second.wait(timeout=60) == 0


def test_a_second_start_raises_the_first_window(home: Home) -> None:
    with window(home) as first:
        again = home.sayso("desktop")
        assert (again.exit, again.err) == (0, "")
        assert "open already" in again.out
        ran = home.json("desktop")
        assert (ran.exit, ran.document["kind"], ran.data) == (0, "desktop", {"raised": True, "pid": first.pid})
        assert clients(home) == 1
        assert first.poll() is None
        first.kill()
        first.wait(timeout=60)
    with window(home) as next_one:  # the right to be the window went with the first
        next_one.send_signal(signal.SIGTERM)
        assert next_one.wait(timeout=60) == 0


def test_two_starts_at_once_make_one_window_and_one_host(home: Home) -> None:
    env = home.environment(QT_QPA_PLATFORM="offscreen")
    with started(COMMAND, "desktop", "--json", env=env) as one, started(COMMAND, "desktop", "--json", env=env) as two:
        eventually(lambda: one.poll() is not None or two.poll() is not None, 90)
        stays, ended = (two, one) if one.poll() is not None else (one, two)
        out, err = ended.communicate()
        assert ended.returncode == 0, err
        assert f'"pid": {stays.pid}' in out
        assert stays.poll() is None
        eventually(lambda: len(hosts_of(home.folder)) == 1)  # a second one finds the home taken, and ends


def test_a_window_that_does_not_answer_is_named_and_nothing_is_ended(home: Home) -> None:
    with window(home) as first:
        first.send_signal(signal.SIGSTOP)
        try:
            with started(COMMAND, "desktop", "--json", env=home.environment()) as second:
                assert second.wait(timeout=90) == 1
                assert "does not answer" in second.stdout.read()
                assert NO_TRACE not in second.stderr.read()
        finally:
            first.send_signal(signal.SIGCONT)
        assert first.poll() is None


def test_a_host_that_dies_comes_back_under_the_window(home: Home) -> None:
    with window(home) as first:
        session = new_session(home, add_provider(home))
        home.json("session", "send", session, "hello")
        until_state(home, session, "idle")
        [host] = hosts_of(home.folder)
        host.kill()
        eventually(lambda: clients(home) == 1, 60)
        assert [process.pid for process in hosts_of(home.folder)] != [host.pid]
        assert "hello" in home.sayso("session", "transcript", session).out
        assert first.poll() is None
        first.send_signal(signal.SIGTERM)
        assert first.wait(timeout=60) == 0
        assert NO_TRACE not in first.stderr.read()


def test_no_window_is_left_in_the_home(home: Home) -> None:
    with window(home) as first:
        assert psutil.Process(first.pid) in processes_of(home.folder)
        os.kill(first.pid, signal.SIGINT)
        first.wait(timeout=60)
    home.sayso("host", "stop")
    eventually(lambda: not processes_of(home.folder))
