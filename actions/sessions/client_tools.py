"""Tools that an agent calls and that run at our end: an extension of ACP that the built-in agent speaks.

They are offered in ``initialize`` (``_meta.sayso.client_tools``) and called by ``_sayso/client_tool/call``; see
``docs/agent-tools.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from actions.errors import SaysoError

METHOD = "sayso/client_tool/call"
"""The method without the underscore that ACP puts before an extension."""


class ClientTools(Protocol):
    """Offers tools and runs them. ``offers`` gives what can be run now: ``{name, description, schema, effect}``."""

    def offers(self) -> Sequence[Mapping[str, Any]]: ...

    async def run(self, session_id: str, name: str, arguments: Mapping[str, Any]) -> str:
        """What the model is told. Raises SaysoError where it could not be done."""
        ...


@dataclass(frozen=True, slots=True)
class SessionTools:
    """The tools of one agent: what it was offered at its start, and the session that its calls are of."""

    tools: ClientTools
    session_id: str
    offered: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, tools: ClientTools, session_id: str) -> SessionTools | None:
        """None where there is nothing to offer now."""
        offered = tuple(tools.offers())
        return cls(tools, session_id, offered) if offered else None

    @property
    def meta(self) -> dict[str, Any]:
        """``_meta`` of ``initialize``."""
        return {"sayso": {"client_tools": [dict(offer) for offer in self.offered]}}

    async def answer(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a call; whatever fails is an error of the tool, in words for the model."""
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or name not in {offer["name"] for offer in self.offered}:
            return {"is_error": True, "output": "", "message": f"There is no tool {name!r} here."}
        try:
            given = cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {}
            output = await self.tools.run(self.session_id, name, given)
        except SaysoError as error:
            return {"is_error": True, "output": "", "message": error.message}
        return {"is_error": False, "output": output}
