"""The models of one process: the one that is set, those found on this machine, and those that were opened."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from actions.agent.acp.options import SCOUT, ModelChoice
from actions.agent.model.choice import Agreed, chosen, key_of
from actions.agent.model.discover import discover
from actions.agent.model.events import Event, ToolSpec
from actions.agent.model.ref import ModelRef
from actions.agent.tools.needs import ModelSenses
from actions.errors import InvalidInput, SaysoError
from actions.storage.paths import Paths
from actions.tasks import TaskOwner

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from actions.agent.model.requests import Model

_log = logging.getLogger(__name__)
_UNKNOWN_WINDOW = 128_000


class LateModel:
    """A model that is opened in the background: its client takes seconds to load.

    Implements :class:`actions.agent.loop.speaker.Speaker`. Until it is open, ``window`` and ``senses`` are guesses.
    """

    def __init__(self, ref: ModelRef, opening: asyncio.Task[Model]) -> None:
        self.ref = ref
        self._opening = opening

    @property
    def window(self) -> int:
        return model.window if (model := self._model) else _UNKNOWN_WINDOW

    @property
    def senses(self) -> ModelSenses:
        return model.senses if (model := self._model) else ModelSenses(image=True)

    async def ready(self) -> None:
        """Wait until it is open. Raises ModelError when it cannot be, for want of a key."""
        await (await asyncio.shield(self._opening)).ready()

    async def stream(
        self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], *, instructions: str = ""
    ) -> AsyncGenerator[Event]:
        """See :meth:`actions.agent.model.requests.Model.stream`."""
        model = await asyncio.shield(self._opening)
        async with aclosing(model.stream(messages, tools, instructions=instructions)) as events:
            async for event in events:
                yield event

    @property
    def failed(self) -> bool:
        return self._opening.done() and self._model is None

    async def aclose(self) -> None:
        """Close its connections."""
        if (model := self._model) is not None:
            await model.aclose()

    @property
    def _model(self) -> Model | None:
        opening = self._opening
        return opening.result() if opening.done() and not opening.cancelled() and not opening.exception() else None


class Models:
    """Which models there are, and one client for each that is used. ``problem`` says why the one that is set cannot be.

    ``changed`` is called when models were found.
    """

    def __init__(self, environment: Mapping[str, str], paths: Paths, changed: Callable[[], None]) -> None:
        self._environment = environment
        self._paths = paths
        self._changed = changed
        self._agreed = Agreed.of(paths)
        self._found: tuple[ModelRef, ...] = ()
        self._opened: dict[str, LateModel] = {}
        self._tasks = TaskOwner("models")
        self.problem = ""
        self.default: ModelRef | None = None
        try:
            self.default = chosen(environment, paths)
        except InvalidInput as error:
            self.problem = f"{error.message} Until then this is the scout, which works without a model."

    def start(self) -> None:
        """Begin in the background: load the client of the model that is set, look for models on this machine."""
        if self.default is not None:
            self.open(self.default)
        self._tasks.start(self._look(), name="discovery")

    def choices(self) -> list[ModelChoice]:
        """What the option Model offers: the model that is set, those agreed to, those found."""
        return [ModelChoice(value_of(ref), _name(ref), _about(ref)) for ref in self._known()]

    def find(self, value: object) -> ModelRef | None:
        """The model that ``value`` names, None for the scout. Raises ValueError for one that is not offered."""
        if value == SCOUT:
            return None
        for ref in self._known():
            if value_of(ref) == value:
                return ref
        known = ", ".join(f"`{choice}`" for choice in (SCOUT, *map(value_of, self._known())))
        raise ValueError(f"There is no model {value!r}; there are {known}")

    def agree(self, ref: ModelRef) -> None:
        """A person chose ``ref``: for one that was found on this machine that is the yes to use it."""
        if ref.origin != "loopback":
            return
        try:
            self._agreed.add(ref)
        except SaysoError as error:
            _log.warning("the choice of %s holds for this session only: %s", ref, error.message)

    def open(self, ref: ModelRef) -> LateModel:
        """The model, one for all sessions of this process; it opens in the background."""
        value = value_of(ref)
        if (known := self._opened.get(value)) is None or known.failed:
            opening = self._tasks.start(self._open(ref), name=f"open {ref}")
            known = self._opened[value] = LateModel(ref, opening)
        return known

    async def close(self) -> None:
        """Close every client."""
        await self._tasks.close()
        for opened in self._opened.values():
            await opened.aclose()

    def _known(self) -> list[ModelRef]:
        refs: dict[str, ModelRef] = {}
        set_here = (self.default,) if self.default is not None else ()
        for ref in (*set_here, *self._agreed.all(), *self._found):
            refs.setdefault(f"{ref.name}@{ref.base_url}", ref)
        return list(refs.values())

    async def _open(self, ref: ModelRef) -> Model:
        from actions.agent.model.requests import open_model

        def load() -> Model:
            return open_model(ref, key_of(ref, self._environment, self._paths))

        model = await asyncio.to_thread(load)
        gc.freeze()  # what the libraries consist of stays: no collection has to look through it again
        return model

    async def _look(self) -> None:
        found = await discover()
        self._found = tuple(ref for server in found for ref in server.refs())
        if self._found:
            self._changed()


def value_of(ref: ModelRef) -> str:
    """What names ``ref`` in the option: with its address where the name alone does not say which server is meant."""
    return f"{ref}@{ref.base_url}" if ref.origin == "loopback" else str(ref)


def _name(ref: ModelRef) -> str:
    return f"{ref.name} (on this machine)" if ref.local else str(ref)


def _about(ref: ModelRef) -> str:
    if ref.origin == "loopback":
        return f"Found at {ref.base_url}; choosing it is the yes to use it"
    return "Set in the environment" if ref.origin == "environment" else "Set in the settings"
