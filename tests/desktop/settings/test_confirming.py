"""A dangerous call and its own request: nobody else's request is answered by the way."""

import asyncio
from collections.abc import Mapping
from typing import Any

from desktop.app.backend import Outcome, Status
from desktop.settings.confirming import Asked, Confirmer
from tests.desktop.host import NOW, InMemoryHost

VIEW = {
    "status": "open", "title": "Remove", "summary": "", "fields": [], "input": {}, "asked_by": "window",
    "created": NOW, "updated": NOW,
}  # fmt: skip


class AskingHost(InMemoryHost):
    """Its actions wait for the decision of ``mine``; an agent asks for the same at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.decided: dict[str, str] = {}
        self._settled = asyncio.Event()

    async def execute(
        self,
        action_id: str,
        input: Mapping[str, Any] | None = None,
        *,
        patience_s: float | None = None,
        attached: bool = False,
    ) -> Outcome:
        given = dict(input or {})
        match action_id:
            case "approval.request.get":
                id = given["approval_id"]
                surface = "ui" if id == "mine" else "session_agent"
                return self.completed(VIEW | {"id": id, "action": "mcp.servers.delete", "surface": surface})
            case "approval.request.decide":
                self.decided[given["approval_id"]] = given["decision"]
                self._settled.set()
                return self.completed({})
            case _:
                for id in ("theirs", "mine"):
                    self.publish("inbox_did_change", id=id, status="open")
                await self._settled.wait()
                return Outcome(Status.COMPLETED if self.decided.get("mine") == "approve" else Status.REJECTED)


async def test_only_the_request_of_the_call_is_asked_about_and_answered() -> None:
    for yes in (True, False):
        host, asked = AskingHost(), list[Asked]()

        async def answer(one: Asked, asked: list[Asked] = asked, yes: bool = yes) -> bool:
            asked.append(one)
            return yes

        outcome = await Confirmer(host, answer).execute("mcp.servers.delete", {"server": "a"})
        assert outcome.ok is yes
        assert [one.id for one in asked] == ["mine"]
        assert host.decided == {"mine": "approve" if yes else "reject"}
        assert host.listeners == 0


async def test_what_was_agreed_to_in_full_is_not_asked_a_second_time() -> None:
    async def never(asked: Asked) -> bool:
        raise AssertionError(asked)

    host = AskingHost()
    assert (await Confirmer(host, never).execute("mcp.servers.delete", {}, agreed=True)).ok
    assert host.decided == {"mine": "approve"}
