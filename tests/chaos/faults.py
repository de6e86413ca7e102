"""The faults. Each leaves its session at rest, with whatever it promised checked on the spot."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable

import psutil

from tests.chaos.house import Broken, ChaosHouse, ChaosSession

Fault = Callable[[ChaosHouse, ChaosSession], None]


def kill_agent(house: ChaosHouse, session: ChaosSession) -> None:
    """SIGKILL to the agent while it streams: the turn is interrupted, and says so."""
    _streams(house, session)
    agent = house.agent(session)
    if agent is None:
        raise Broken(f"{session} streams without a process")
    with contextlib.suppress(psutil.NoSuchProcess):
        agent.kill()
    view = house.rests(session)
    if view["state"] != "interrupted":
        raise Broken(f"{session}: its agent was killed and it is {view['state']}")


def kill_host(house: ChaosHouse, session: ChaosSession) -> None:
    """SIGKILL to the host while one agent streams, another asks and a decision was just taken."""
    _streams(house, session)
    other = house.chance.choice([s for s in house.sessions if s is not session and not s.builtin])
    house.running(other)
    house.done("session.message.send", session_id=other.id, message="permission")
    request = house.waits(other)["id"]
    if house.chance.random() < 0.6:
        house.decide(other, request, house.chance.choice(["go", "no"]))
    house.kill_host()
    house.start_host()
    if request in house.decided:
        return
    late = house.decide(other, request, "go")
    if late.get("outcome") == "completed":
        raise Broken(f"{other}: a request of an agent that is gone could be answered: {late}")


def close_stdin(house: ChaosHouse, session: ChaosSession) -> None:
    """The agent stops listening in its turn and lives on; a cancel finds that out."""
    house.begin(session, "closestdin")
    house.done("session.turn.cancel", session_id=session.id)
    if (view := house.rests(session))["state"] != "interrupted":
        raise Broken(f"{session}: an agent that does not listen is {view['state']}")


def junk(house: ChaosHouse, session: ChaosSession) -> None:
    """Log lines, colours, bare JSON on stdout: nothing of it reaches the transcript, nothing is lost."""
    _answers(house, session, "junk", "after junk")


def long_line(house: ChaosHouse, session: ChaosSession) -> None:
    """One message of 5 MB on one line, and one after it."""
    _answers(house, session, "long", "after the long line")


def rate_limited(house: ChaosHouse, session: ChaosSession) -> None:
    """429 for ever: the built-in agent gives up by itself, with the words of the server."""
    house.settled(session)
    seen = house.last_seq(session)
    house.done("session.message.send", session_id=session.id, message="[[ratehard]] please")
    house.rests(session)
    errors = house.events(session, seen, "error")
    if not errors or "Rate" not in str(errors[-1]["data"]):
        raise Broken(f"{session}: 429 for ever ended without a word of it: {errors}")


def permission_after_cancel(house: ChaosHouse, session: ChaosSession) -> None:
    """The agent asks only after it was cancelled: it is told so, and nobody is asked."""
    house.begin(session, "asklate")
    house.done("session.turn.cancel", session_id=session.id)
    house.rests(session)
    if house.done("inbox.list", session_id=session.id)["rows"]:
        raise Broken(f"{session}: a cancelled turn still asks")


def disk_full(house: ChaosHouse, session: ChaosSession) -> None:
    """No room in the middle of a stream and of a decision: nothing said or decided is lost, nothing is made up."""
    other = house.chance.choice([s for s in house.sessions if s is not session and not s.builtin])
    house.running(other)
    house.done("session.message.send", session_id=other.id, message="permission")
    request = house.waits(other)["id"]
    _streams(house, session)
    host = house.host.process.pid
    house.disk.fill(host)
    try:
        time.sleep(house.chance.uniform(0.2, 0.8))
        refused = house.decide(other, request, "go")
        said = str((refused.get("error") or {}).get("message", ""))
        if refused.get("outcome") != "completed" and "disk" not in said:
            raise Broken(f"{other}: a decision on a full disk: {refused}")
    finally:
        house.disk.free(host)
    if request not in house.decided:
        answer = house.decide(other, request, "go")
        if answer.get("outcome") != "completed":
            raise Broken(f"{other}: the disk has room again and a decision is not taken: {answer}")
    house.rests(other)


def stopped_agent(house: ChaosHouse, session: ChaosSession) -> None:
    """A frozen agent (SIGSTOP) is stopped by a person: its group is ended with it."""
    _streams(house, session)
    if (agent := house.agent(session)) is not None:
        agent.send_signal(signal.SIGSTOP)
    house.done("session.stop", session_id=session.id)
    if house.rests(session)["state"] != "stopped":
        raise Broken(f"{session} was stopped and is not")


FAULTS: dict[str, Fault] = {
    "kill agent": kill_agent,
    "kill host": kill_host,
    "close stdin": close_stdin,
    "junk on stdout": junk,
    "5 MB line": long_line,
    "429 for ever": rate_limited,
    "permission after cancel": permission_after_cancel,
    "disk full": disk_full,
    "frozen agent": stopped_agent,
}
BUILTIN_TOO = frozenset({"kill agent", "kill host", "disk full", "frozen agent"})
"""Faults that need no script of the agent's own."""
BUILTIN_ONLY = frozenset({"429 for ever"})


def fits(name: str, session: ChaosSession) -> bool:
    if name in BUILTIN_ONLY:
        return session.builtin
    return not session.builtin or name in BUILTIN_TOO


def _streams(house: ChaosHouse, session: ChaosSession) -> None:
    house.begin(session, "[[slow]] please" if session.builtin else "slow")


def _answers(house: ChaosHouse, session: ChaosSession, word: str, expected: str) -> None:
    house.settled(session)
    answer = house.run("session.message.send", session_id=session.id, message=word, wait=True, timeout_s=60)
    if answer.get("outcome") != "completed" or not (answer["data"].get("text") or "").endswith(expected):
        raise Broken(f"{session} to {word!r}: {str(answer)[-500:]}")
