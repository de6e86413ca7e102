"""The tools as they are offered: one tool that a provider would refuse must not cost all the others.

A name that the vendors do not allow goes out under another; a schema is mended where its meaning stays; what cannot be
mended leaves that one tool out, with a warning.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from actions.agent.model.events import ToolSpec
from actions.agent.model.outgoing import scrub
from actions.agent.model.schemas import Unfit, mend

if TYPE_CHECKING:
    from pydantic_ai.models import Model as LibraryModel
    from pydantic_ai.tools import ToolDefinition

_ALLOWED = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""What OpenAI, Anthropic and Gemini all take."""
_PLACE = re.compile(r"\btools\.(\d+)\.|\btools\[(\d+)\](?!\.function_decl)|function_declarations\[(\d+)\]")
"""How Anthropic (``tools.3.custom.input_schema``), OpenAI (``tools[3].function``) and Gemini name the place."""
_DESCRIPTION = 16_000


@dataclass(frozen=True)
class Offer:
    """``definitions`` go out; ``wire`` is the name on the wire by the tool's own, ``own`` the way back."""

    definitions: tuple[ToolDefinition, ...] = ()
    wire: dict[str, str] = field(default_factory=dict[str, str])
    own: dict[str, str] = field(default_factory=dict[str, str])

    def blamed(self, complaint: str) -> str | None:
        """The own name of the one tool that a provider's ``complaint`` is about, by name or by its place."""
        if place := _PLACE.search(complaint):
            index = int(place[3] or place[2] or place[1])
            if index < len(self.definitions):
                return self.own[self.definitions[index].name]
        named = [name for name in self.own if re.search(rf"['\"`]{re.escape(name)}['\"`]", complaint)]
        return self.own[named[0]] if len(named) == 1 else None


def wire_name(name: str) -> str:
    """``name`` itself where every vendor takes it, else a name that they take and that stays the same."""
    if _ALLOWED.fullmatch(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain if plain[:1].isalpha() else f't_{plain}'}"[:55] + f"_{mark}"


def offer(tools: Sequence[ToolSpec], library: LibraryModel, warn: Callable[[str, str], None]) -> Offer:
    """What goes out for ``tools``. ``warn(tool, why)`` is called for each one that is left out."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    definitions: list[ToolDefinition] = []
    result = Offer()
    for tool in tools:
        name = wire_name(tool.name)
        if name in result.own:
            warn(tool.name, f"has the name of {result.own[name]}")
            continue
        try:
            definition = ToolDefinition(
                name=name,
                description=scrub(tool.description)[:_DESCRIPTION],
                parameters_json_schema=mend(tool.parameters),
                strict=False,
            )
            library.customize_request_parameters(ModelRequestParameters(function_tools=[definition]))
        except Unfit as unfit:
            warn(tool.name, str(unfit))
            continue
        except (UserError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            # What the library's own rewriting of a schema raises on one that it does not understand
            warn(tool.name, f"has a schema that cannot be sent ({type(error).__name__}: {error})")
            continue
        definitions.append(definition)
        result.wire[tool.name] = name
        result.own[name] = tool.name
    return Offer(tuple(definitions), result.wire, result.own)
