"""What a client says of itself in ``initialize``. Standard library only: it is read before the rest is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True)
class Hello:
    """The parts of ``initialize`` that the agent acts upon.

    ``forms``: the client shows forms (ACP, elicitation). ``tools`` is ``_meta.sayso.client_tools`` as it came, None for
    a client that offers none.
    """

    forms: bool = False
    tools: object = None

    @classmethod
    def read(cls, params: object) -> Hello:
        """From the parameters of ``initialize``, of whatever shape; what cannot be read counts as not said."""
        said = _object(params)
        capabilities = _object(said.get("clientCapabilities"))
        form = _object(capabilities.get("elicitation")).get("form")
        return cls(isinstance(form, dict), sayso(said).get("client_tools"))


def sayso(carrier: object) -> dict[str, Any]:
    """``_meta.sayso`` of a message: the one place for what ACP has no field for. Empty when there is none."""
    return _object(_object(_object(carrier).get("_meta")).get("sayso"))


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
