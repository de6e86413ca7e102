"""Each way in which a local server goes wrong: the state, the reason in words, and nothing left behind."""

from __future__ import annotations

import re
from pathlib import Path

import psutil
import pytest

from actions.servers.pool.definition import Limits, SecretRef, ServerDefinition, Stdio
from actions.servers.pool.pool import Pool
from actions.servers.pool.process import EOF_WAIT
from actions.servers.pool.states import Reason, State
from actions.servers.pool.tree import TERM_WAIT
from actions.storage.secrets import Secret
from tests.actions.servers.pool.conftest import Settled, stdio
from tests.stopwatch import Stopwatch


@pytest.mark.parametrize("mode", ["ok", "discover_weird", "discover_die", "stderrflood", "hugedesc"])
async def test_a_server_that_can_be_used_is_connected(settled: Settled, mode: str) -> None:
    row = await settled(stdio(mode))
    assert (row.state, row.protocol, row.modern) == (State.CONNECTED, "2025-11-25", False)
    assert len(row.tools) == (1 if mode == "hugedesc" else 19)
    assert row.failure is None
    assert row.warnings == ()


@pytest.mark.parametrize(
    ("mode", "reason", "words"),
    [
        ("exit0", Reason.PROCESS_EXITED, "The process ended, exit code 0."),
        ("exit3", Reason.PROCESS_EXITED, "The process ended, exit code 3."),
        ("usage", Reason.PROCESS_EXITED, "The process ended, exit code 2."),
        ("initerr", Reason.SERVER_ERROR, "cannot connect to database"),
        ("noserverinfo", Reason.PROTOCOL_ERROR, "Invalid answer to initialize: serverInfo: Field required."),
        ("futurever", Reason.PROTOCOL_ERROR, "Unsupported protocol version from the server: 2099-01-01."),
        ("listerr", Reason.SERVER_ERROR, "boom"),
        ("dielist", Reason.PROCESS_EXITED, "The process ended, exit code 9."),
        ("listloop", Reason.PROTOCOL_ERROR, "pagination limit of 250 pages"),
    ],
)
async def test_a_failure_names_its_reason(settled: Settled, mode: str, reason: Reason, words: str) -> None:
    row = await settled(stdio(mode))
    assert row.state is State.FAILED
    assert row.failure is not None
    assert row.failure.reason is reason
    assert words in row.failure.message


async def test_the_stderr_tail_comes_with_the_failure(settled: Settled) -> None:
    row = await settled(stdio("exit3"))
    assert row.failure.tail == "FATAL: missing API_KEY"
    assert row.failure.exit_code == 3


@pytest.mark.parametrize(
    ("mode", "limit", "heard"),
    [
        ("hang", 1.0, ""),
        ("hanginit", 1.0, ""),
        ("junk_nonl", 3.0, "Its stdout began with 'banner without newline> "),
        ("bom", 3.0, r"Its stdout began with '\ufeff"),
    ],
)
async def test_no_answer_to_initialize_fails_at_the_limit(
    settled: Settled, mode: str, limit: float, heard: str
) -> None:
    row = await settled(stdio(mode, limits=Limits(connect=limit)))
    assert row.state is State.FAILED
    assert row.failure.reason is Reason.INIT_TIMEOUT
    assert row.failure.message.startswith(f"It did not answer initialize within {limit:g} s. {heard}".strip())
    assert row.pid is None


@pytest.mark.parametrize(("mode", "line"), [("junk", "Starting server v1.0 ..."), ("badutf8", "caf\ufffd junk")])
async def test_lines_that_are_no_message_are_flagged_and_tolerated(settled: Settled, mode: str, line: str) -> None:
    row = await settled(stdio(mode))
    assert row.state is State.CONNECTED
    assert row.warnings == (f"It writes to stdout, which belongs to the protocol: {line!r}",)


async def test_a_server_that_ignores_the_probe_is_asked_in_the_old_way_and_remembered(
    settled: Settled, tmp_path: Path
) -> None:
    first = await settled(stdio("discover_hang", name="first", env={"TRACE": "1"}))
    assert first.state is State.CONNECTED
    assert "server/discover" in (tmp_path / "logs" / "first.log").read_text()
    for name in ("second", "third", "fourth"):  # a machine under load may be too slow to be sure the first time
        assert (await settled(stdio("discover_hang", name=name, env={"TRACE": "1"}))).state is State.CONNECTED
        if "server/discover" not in (tmp_path / "logs" / f"{name}.log").read_text():
            return
    raise AssertionError("each was asked in the new way first")


async def test_an_old_version_is_shown(settled: Settled) -> None:
    row = await settled(stdio("oldver"))
    assert (row.state, row.protocol) == (State.CONNECTED, "2024-11-05")


async def test_a_list_that_never_comes_fails_at_the_limit(settled: Settled) -> None:
    row = await settled(stdio("listhang", limits=Limits(connect=4.0)))
    assert row.failure.reason is Reason.TIMEOUT
    assert row.failure.message.startswith("tools/list timed out")


async def test_a_slow_start_is_shown_with_its_time(settled: Settled, pool: Pool) -> None:
    pool.start([stdio("slowlist", limits=Limits(connect=50.0))])
    snapshot = await pool.wait_ready(0.5)
    assert snapshot.loading
    assert snapshot.servers[0].state is State.CONNECTING
    assert snapshot.servers[0].elapsed > 0.3
    assert (await settled(stdio("slowlist"))).state is State.CONNECTED


@pytest.mark.parametrize("mode", ["noschema", "nullschema"])
async def test_a_tool_without_a_schema_hides_no_other(settled: Settled, mode: str) -> None:
    row = await settled(stdio(mode))
    assert [tool.name for tool in row.tools] == ["good"]
    assert [(tool.name, tool.reason) for tool in row.skipped] == [("a", "it has no input schema")]


async def test_bad_schemas_cost_their_own_tool_only(settled: Settled) -> None:
    row = await settled(stdio("badschema"))
    assert [tool.name for tool in row.tools] == ["local_ref", "empty", "top_anyof", "bad_output", "good"]
    assert {tool.name for tool in row.skipped} == {"bad_type", "not_object", "remote_ref"}
    reasons = {tool.name: tool.reason for tool in row.skipped}
    assert "http://schema.example.invalid/s.json, which is not fetched" in reasons["remote_ref"]
    assert next(tool for tool in row.tools if tool.name == "bad_output").output_schema is None
    assert any(warning.startswith("The output schema of bad_output is not used") for warning in row.warnings)


async def test_odd_names_are_kept_and_a_double_one_is_named(settled: Settled) -> None:
    row = await settled(stdio("weirdnames"))
    assert [tool.name for tool in row.tools] == ["a.b", "a/b", "x" * 100, "spa ce", "ünï", "1st", "dup"]
    assert [tool.name for tool in row.skipped] == ["(entry 4)", "dup"]


async def test_three_thousand_tools_take_no_long_time(settled: Settled) -> None:
    ours = Stopwatch()
    row = await settled(stdio("manytools"))
    assert len(row.tools) == 3000
    assert ours.seconds < 5.0


async def test_a_secret_on_stderr_is_taken_out_of_tail_and_file(settled: Settled, pool: Pool, tmp_path: Path) -> None:
    row = await settled(stdio("secretlog", env={"TOKEN": Secret("canary-7f3a9c")}))
    assert row.state is State.CONNECTED
    await pool.close()
    log = (tmp_path / "logs" / "bad.log").read_text()
    for text in (row.tail, log, repr(row)):
        assert "canary-7f3a9c" not in text
    assert "request headers: Authorization: •••" in log


async def test_a_flood_on_stderr_is_kept_in_bounds(settled: Settled, pool: Pool, tmp_path: Path) -> None:
    await settled(stdio("stderrflood"))
    await pool.close()
    files = sorted((tmp_path / "logs").iterdir())
    assert [file.name for file in files] == ["bad.log", "bad.log.1"]
    assert all(file.stat().st_size <= 1024 * 1024 for file in files)


@pytest.mark.parametrize(
    ("mode", "limit"),
    [
        ("ok", EOF_WAIT),
        ("ignoreeof", EOF_WAIT + TERM_WAIT),
        ("ignoreterm", 30.0),
        ("grandchild", EOF_WAIT),
        ("grandchild_setsid", EOF_WAIT),
    ],
)
async def test_nothing_is_left_after_close(settled: Settled, pool: Pool, mode: str, limit: float) -> None:
    row = await settled(stdio(mode))
    family = [psutil.Process(row.pid), *psutil.Process(row.pid).children(recursive=True)]
    assert len(family) == (2 if mode.startswith("grandchild") else 1)
    took = Stopwatch()
    await pool.close()
    assert took.seconds < limit
    assert [process for process in family if process.is_running() and process.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.parametrize(
    ("transport", "reason", "words"),
    [
        (Stdio("no-such-command-here"), Reason.COMMAND_NOT_FOUND, "'no-such-command-here' was not found"),
        (Stdio("/etc/hostname"), Reason.NOT_EXECUTABLE, "is not a program"),
        (Stdio("/tmp"), Reason.NOT_EXECUTABLE, "is not a program"),
        (Stdio("true", cwd=Path("/no/such/folder")), Reason.CWD_MISSING, "The folder /no/such/folder is not there"),
        (Stdio("true", ("a\0b",)), Reason.BAD_DEFINITION, "null byte"),
        (Stdio("true", env={"KEY": SecretRef("absent")}), Reason.BAD_DEFINITION, "The secret 'absent' is not stored"),
    ],
)
async def test_what_cannot_be_started_says_why(settled: Settled, transport: Stdio, reason: Reason, words: str) -> None:
    row = await settled(ServerDefinition("x", transport))
    assert row.state is State.FAILED
    assert row.failure.reason is reason
    assert words in row.failure.message
    assert not row.failure.passing
    assert re.search(r"[.]$", row.failure.message)
