"""What must hold at the end, read from the database itself: nothing lost, nothing twice, nothing left open."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.chaos.house import Broken, ChaosHouse, marked


def check_stored(house: ChaosHouse) -> None:
    """Call with the host ended. Raises Broken."""
    db = sqlite3.connect(house.home / "data" / "sayso.db")
    db.row_factory = sqlite3.Row
    try:
        if (said := db.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise Broken(f"the database is damaged: {said}")
        _processes(db)
        _states(db)
        _decisions(db, house.decided)
        for session in house.sessions:
            rows = db.execute(
                "SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq", (session.id,)
            ).fetchall()
            _transcript(str(session), [{**dict(row), "payload": json.loads(row["payload"])} for row in rows])
    finally:
        db.close()


def check_no_orphan(house: ChaosHouse) -> None:
    """Call with the host ended. Raises Broken."""
    house.until("every agent has ended", lambda: not list(marked(house.sessions)))


def _processes(db: sqlite3.Connection) -> None:
    open_rows = db.execute("SELECT pid, session_id FROM processes WHERE ended_at IS NULL").fetchall()
    if open_rows:
        raise Broken(f"the ledger has open rows: {[tuple(row) for row in open_rows]}")
    survivors = db.execute("SELECT pid FROM processes WHERE end_reason LIKE '%survived'").fetchall()
    if survivors:
        raise Broken(f"processes survived: {[row[0] for row in survivors]}")


def _states(db: sqlite3.Connection) -> None:
    for row in db.execute("SELECT id, state, end_reason FROM sessions"):
        reason = json.loads(row["end_reason"] or "null") or {}
        if row["state"] not in ("stopped", "interrupted", "failed") or not reason.get("message"):
            raise Broken(f"{row['id']} ended as {row['state']} with {reason}")
    waiting = db.execute("SELECT id FROM user_requests WHERE state = 'open'").fetchall()
    if waiting:
        raise Broken(f"requests are still open: {[row[0] for row in waiting]}")


def _decisions(db: sqlite3.Connection, decided: dict[str, str]) -> None:
    answers: dict[str, list[Any]] = defaultdict(list)
    for row in db.execute("SELECT item_id, payload FROM transcript_events WHERE kind = 'permission_answer'"):
        answers[row["item_id"]].append(json.loads(row["payload"]))
    for request, option in decided.items():
        row = db.execute("SELECT state, answer FROM user_requests WHERE id = ?", (request,)).fetchone()
        kept = json.loads(row["answer"]) if row is not None else None
        shown = answers[request]
        if kept is None or kept.get("option_id") != option or [a.get("option_id") for a in shown] != [option]:
            raise Broken(f"{request} was decided {option!r}; stored is {kept}, the transcript has {shown}")


def _transcript(name: str, events: list[dict[str, Any]]) -> None:
    if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
        raise Broken(f"{name}: its events are not numbered without a gap")
    begun = [event["turn"] for event in events if event["kind"] == "turn_start"]
    ended = [event["turn"] for event in events if event["kind"] == "turn_end"]
    if begun != sorted(set(begun)) or ended != begun:
        raise Broken(f"{name}: turns began {begun} and ended {ended}")
    asked = [event["item_id"] for event in events if event["kind"] == "permission"]
    answered = [event["item_id"] for event in events if event["kind"] == "permission_answer"]
    if sorted(asked) != sorted(answered):
        raise Broken(f"{name}: asked {asked}, answered {answered}")
    words: dict[int, str] = {e["turn"]: e["payload"]["text"] for e in events if e["kind"] == "user"}
    for turn, word in words.items():
        said = "".join(e["payload"]["text"] for e in events if e["kind"] == "agent" and e["turn"] == turn)
        if "replayed" in said:
            raise Broken(f"{name}: turn {turn} shows a replay")
        if word == "slow":
            numbers = [int(number) for number in re.findall(r"\d+(?= )", said)]
            if numbers != list(range(len(numbers))):
                raise Broken(f"{name}: turn {turn} lost or reordered a piece: {said[:300]}")


def database_size(home: Path) -> int:
    return (home / "data" / "sayso.db").stat().st_size
