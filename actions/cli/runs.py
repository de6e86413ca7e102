"""`sayso run start` and `sayso run wait`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from actions.cli.answer import FAILED, TRY_AGAIN, Answer
from actions.cli.invocation import Invocation
from actions.errors import ErrorCode, SaysoError

if TYPE_CHECKING:
    from actions.client.connection import HostConnection

_OF_COMMAND = frozenset({"wait", "timeout_s", "exit_status"})


def start(call: Invocation) -> Answer:
    """Start one run a provider; done when any has started. With ``--wait`` each result carries its ended run."""
    host = call.host()
    given = {field: value for field, value in call.values.items() if field not in _OF_COMMAND}
    data = call.execute(call.command["action"], given, effect=call.command["effect"], host=host)
    results: list[dict[str, Any]] = data["results"]
    started = [result for result in results if result["ok"]]
    if not started:
        return Answer(call.command["kind"], data, exit=FAILED, error=_none_started(results))
    if call.value("wait"):
        timeout_s = call.value("timeout_s")
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        try:
            for result in started:
                result["run"] = _ended(call, host, result["run_id"], deadline)
        except KeyboardInterrupt:
            # The runs go on: say which ones they are.
            raise KeyboardInterrupt(data) from None
    runs = [result["run"] for result in started if "run" in result]
    return Answer(call.command["kind"], data, exit=_status(runs) if call.value("exit_status") else 0)


def wait(call: Invocation) -> Answer:
    """Wait for the end of a run. A timeout ends the wait and nothing else."""
    given = {field: value for field, value in call.values.items() if field != "exit_status"}
    run = call.execute(call.command["action"], given, effect="read")
    return Answer("run", run, exit=_status([run]) if call.value("exit_status") else 0)


def _ended(call: Invocation, host: HostConnection, run_id: str, deadline: float | None) -> dict[str, Any]:
    """The run when it has ended, or as it stands when the time is over."""
    question: dict[str, Any] = {"run_id": run_id}
    if deadline is not None:
        question["timeout_s"] = max(0.01, deadline - time.monotonic())
    try:
        return call.execute("execution.run.wait", question, effect="read", host=host)
    except SaysoError as error:
        if error.code is not ErrorCode.TIMEOUT:
            raise
        return call.execute("execution.run.get", {"run_id": run_id}, effect="read", host=host)


def _status(runs: list[dict[str, Any]]) -> int:
    """The exit code that the runs' ends stand for: failed before try again, try again before done."""
    failed = [run for run in runs if run["state"] != "succeeded"]
    if not failed:
        return 0
    return TRY_AGAIN if all(run.get("retryable") for run in failed) else FAILED


def _none_started(results: list[dict[str, Any]]) -> dict[str, Any]:
    errors: list[dict[str, Any]] = [result.get("error") or {} for result in results]
    reasons = "; ".join(f"{r['provider']}: {e.get('message')}" for r, e in zip(results, errors, strict=True))
    code = str(errors[0].get("code", "failed")) if errors else "failed"
    return {"code": code, "message": f"No run has started. {reasons}", "details": {"results": results}}
