"""ActionSpec: what can be done, declared once. Forms, phrases, tools, palette entries and commands are projections
of it.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol, get_type_hints

from pydantic import AliasChoices, AliasGenerator, BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from actions.catalog.context import ActionContext
from actions.catalog.say import Say
from actions.catalog.text import Text, as_text


class Effect(StrEnum):
    """What an action does to the world; each asks at least as much as the one before it."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    EXTERNAL = "external"
    DANGER = "danger"

    @property
    def rank(self) -> int:
        return list(Effect).index(self)

    @property
    def reads_only(self) -> bool:
        return self.rank <= Effect.READ.rank


class Surface(StrEnum):
    """Where a call comes from."""

    UI = "ui"
    VOICE = "voice"
    SESSION_AGENT = "session_agent"
    MCP = "mcp"
    CLI = "cli"


ALL_SURFACES = frozenset(Surface)


class Placement(StrEnum):
    """Where the window offers an action."""

    SESSION_HEADER = "session_header"
    SESSION_INFO = "session_info"
    SESSION_MENU = "session_menu"
    PALETTE = "palette"
    SLASH = "slash"
    VOICE_PANEL = "voice_panel"
    RUN_LIST = "run_list"
    RUN_CARD = "run_card"
    COMPOSER_CHIP = "composer_chip"


class Exposure(StrEnum):
    """How tools see an action: registered by name, or found by search and run by ``action_execute``."""

    DIRECT = "direct"
    DISCOVERABLE = "discoverable"


class Reply(StrEnum):
    """Whether a caller needs the result of a gated call, or gets an approval id and goes on."""

    WAIT = "wait"
    DEFERRED = "deferred"


def _either_case(name: str) -> AliasChoices:
    return AliasChoices(name, to_camel(name))


class ActionInput(BaseModel):
    """Base of every input: frozen, no unknown fields, snake_case and camelCase accepted."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=AliasGenerator(validation_alias=_either_case),
        loc_by_alias=False,
        validate_by_name=True,
        str_strip_whitespace=True,
    )

    def carries_secret(self) -> bool:
        """Whether a value must not be stored, beside those of secret fields. Such an input dumps it as dots."""
        return False


class ActionOutput(BaseModel):
    """Base of every output: frozen, snake_case, unknown fields refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoInput(ActionInput):
    """An action that takes nothing."""


class Done(ActionOutput):
    """An action that has nothing more to say than that it was done."""

    done: bool = True


class Handler(Protocol):
    def __call__(self, inp: Any, ctx: ActionContext, /) -> Awaitable[BaseModel]: ...


class Proof(Protocol):
    """Makes the staleness proofs of a request: JSON that must be equal when it is approved (HEAD, a directory, a
    hash).
    """

    def __call__(self, inp: Any, ctx: ActionContext, /) -> Awaitable[Mapping[str, Any]]: ...


class EffectOf(Protocol):
    """Raises the effect for an input that does more than the action usually does; pure."""

    def __call__(self, inp: Any, /) -> Effect: ...


class SubjectOf(Protocol):
    """What a call is about, in words: a rule that lasts covers only calls about the same; pure."""

    def __call__(self, inp: Any, /) -> str: ...


class StandsFor(Protocol):
    """The action, and its input, that a call really is; pure. Raises SaysoError for an input that it cannot take."""

    def __call__(self, inp: Any, /) -> tuple[str, Mapping[str, Any]]: ...


@dataclass(frozen=True)
class ActionSpec:
    """One action. Built by :func:`action`; checked as a whole by the catalog."""

    id: str
    title: Text
    description: Text
    effect: Effect
    input: type[ActionInput]
    output: type[BaseModel]
    handler: Handler
    surfaces: frozenset[Surface] = ALL_SURFACES
    placements: frozenset[Placement] = frozenset()
    say: tuple[Say, ...] = ()
    synonyms: tuple[str, ...] = ()
    examples: tuple[Mapping[str, Any], ...] = ()
    hot: bool = False
    exposure: Mapping[Surface, Exposure] = field(default_factory=dict[Surface, Exposure])
    reply: Reply = Reply.DEFERRED
    slash: tuple[str, ...] = ()
    cli: str | None = None
    proof: Proof | None = None
    effect_of: EffectOf | None = None
    stands_for: StandsFor | None = None
    subject_of: SubjectOf | None = None
    decides: bool = False
    ends_with_caller: bool = False
    implemented: bool = True

    def subject(self, inp: ActionInput) -> str:
        """What a lasting rule over this call is limited to; empty where it is over the action as a whole."""
        return "" if self.subject_of is None else self.subject_of(inp)

    def effect_for(self, inp: ActionInput) -> Effect:
        """The effect of this very call: the declared one, or more where the input makes it so."""
        if self.effect_of is None:
            return self.effect
        return max(self.effect, self.effect_of(inp), key=lambda effect: effect.rank)

    @property
    def tool_name(self) -> str:
        """The name of the tool: the id with dots as underscores."""
        return self.id.replace(".", "_")

    @property
    def domain(self) -> str:
        return self.id.split(".", 1)[0]

    @cached_property
    def hash(self) -> str:
        """Changes when the meaning of a stored request could have changed: the id, the effect or the input's schema."""
        parts = [self.id, self.effect.value, self.input.model_json_schema()]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def action(
    id: str,
    *,
    title: Text | str,
    effect: Effect,
    description: Text | str | None = None,
    surfaces: Sequence[Surface] | None = None,
    placements: Sequence[Placement] = (),
    say: Sequence[Say | str] = (),
    synonyms: Sequence[str] = (),
    examples: Sequence[Mapping[str, Any]] = (),
    hot: bool = False,
    exposure: Mapping[Surface, Exposure] | None = None,
    reply: Reply | None = None,
    slash: Sequence[str] = (),
    cli: str | None = None,
    proof: Proof | None = None,
    effect_of: EffectOf | None = None,
    stands_for: StandsFor | None = None,
    subject_of: SubjectOf | None = None,
    decides: bool = False,
    ends_with_caller: bool = False,
    implemented: bool = True,
) -> Callable[[Callable[..., Awaitable[Any]]], ActionSpec]:
    """Declare an action: the decorated function is its handler, its annotations are input and output.

    The first paragraph of the docstring is the help, unless ``description`` is given. ``cli`` is the command where
    it is not the id as words, with positional fields in braces: ``"session send {session_id} {message}"``.
    ``decides`` marks actions that decide approvals, permissions or questions. One that ``stands_for`` others must be
    available itself; it is then judged, asked about, run and recorded as the action that it means. ``subject_of`` says
    what a rule that lasts is limited to. Raises TypeError, with the id, for a missing annotation.
    """

    def declare(function: Callable[..., Awaitable[Any]]) -> ActionSpec:
        hints = get_type_hints(function)
        parameters = list(inspect.signature(function).parameters)
        input_model = hints.get(parameters[0]) if parameters else None
        output_model = hints.get("return")
        if not (isinstance(input_model, type) and issubclass(input_model, ActionInput)):
            raise TypeError(f"{id}: the handler's first parameter must be annotated with an ActionInput")
        if not (isinstance(output_model, type) and issubclass(output_model, BaseModel)):
            raise TypeError(f"{id}: the handler must be annotated with its output model")
        doc = (inspect.getdoc(function) or "").split("\n\n", 1)[0].replace("\n", " ")
        return ActionSpec(
            id=id,
            title=as_text(title),
            description=as_text(description if description is not None else doc),
            effect=effect,
            input=input_model,
            output=output_model,
            handler=function,
            surfaces=ALL_SURFACES if surfaces is None else frozenset(surfaces),
            placements=frozenset(placements),
            say=tuple(Say(entry) if isinstance(entry, str) else entry for entry in say),
            synonyms=tuple(synonyms),
            examples=tuple(examples),
            hot=hot,
            exposure=dict(exposure or {}),
            reply=reply or (Reply.WAIT if effect.reads_only else Reply.DEFERRED),
            slash=tuple(slash),
            cli=cli,
            proof=proof,
            effect_of=effect_of,
            stands_for=stands_for,
            subject_of=subject_of,
            decides=decides,
            ends_with_caller=ends_with_caller,
            implemented=implemented,
        )

    return declare
