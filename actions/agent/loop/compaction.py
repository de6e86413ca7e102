"""Making room in the context: the older part becomes a summary, the last messages stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart

from actions.agent.loop.flat import as_text
from actions.agent.loop.patience import Patience
from actions.agent.loop.prompts import prompt_text
from actions.agent.loop.screen import Screen
from actions.agent.loop.shorten import shorter
from actions.agent.loop.speaker import Speaker
from actions.agent.model.errors import ModelError, ModelErrorKind
from actions.agent.model.events import Finished, TextDelta
from actions.agent.model.usage import Usage
from actions.agent.session.context import Context
from actions.agent.session.size import tokens_of
from actions.agent.tools.needs import Spool

FULL = 0.85
"""The share of the window at which a context is compacted."""

_KEPT, _KEPT_OF_USED = 0.2, 0.4
"""The share of the window, and of the messages now, that stays as it is."""
_WORTH = 0.1
"""The share of the messages that a summary has to stand for; less is not worth a request to the model."""
_RESULT, _LEAST_RESULT, _CHARS_A_TOKEN = 0.1, 1_000, 3.5
"""The share of the window that one result keeps where only shortening it makes room; never less characters."""
_PART_CHARS = (8_000, 2_000, 500)
"""How much of a part is summed up; less in the next try when the model said that it was too long."""


class Compactor:
    """Compacts one context. ``spent`` is told the usage of the summary."""

    def __init__(
        self,
        model: Speaker,
        context: Context,
        screen: Screen,
        *,
        spent: Callable[[Usage], None],
        spool: Spool | None = None,
    ) -> None:
        self._model, self._context, self._screen, self._spent = model, context, screen, spent
        self._spool = spool

    @property
    def due(self) -> bool:
        return self._context.tokens > self._model.window * FULL

    async def run(self, focus: str = "") -> bool:
        """Compact now; ``focus`` is what the user wants kept. False when there is nothing that could be left out.

        Large results are shortened where no summary makes room. Raises ModelError when the model gave no summary.
        """
        room = min(self._model.window, self._context.tokens)
        summed = await self._sum_up(focus)
        if summed and not self.due:
            return True
        return await self._shorten(int(max(_LEAST_RESULT, room * _RESULT * _CHARS_A_TOKEN))) or summed

    async def _sum_up(self, focus: str) -> bool:
        messages = self._context.messages
        before = self._context.tokens
        size = sum(tokens_of(message) for message in messages)
        start = kept_from(messages, int(min(self._model.window * _KEPT, size * _KEPT_OF_USED)))
        if self._gain(start) < max(size * _WORTH, tokens_of(_request(prompt_text("compacted")))):
            return False
        self._screen.notice("The context is nearly full; older messages are being summed up.")
        summary = await self._summary(messages[:start], focus)
        self._context.compact(start, f"{prompt_text('compacted')}\n\n{summary}")
        self._screen.notice(f"Summed up: about {before:,} tokens became {self._context.tokens:,}.")
        return True

    def _gain(self, start: int) -> int:
        """The tokens before ``start`` that a summary would stand for: not what was asked, which stays, and not
        the summary that is there already."""
        stays = {*self._context.asked, 0 if self._context.summed else None}
        return sum(tokens_of(message) for at, message in enumerate(self._context.messages[:start]) if at not in stays)

    async def _shorten(self, most: int) -> bool:
        before = self._context.tokens
        found = False
        for at, message in enumerate(list(self._context.messages)):
            if isinstance(message, ModelRequest) and (less := await shorter(message, most, self._spool)) is not None:
                self._context.shorten(at, less)
                found = True
        if found:
            self._screen.notice(
                f"Large results were shortened to make room: about {before:,} tokens became {self._context.tokens:,}."
            )
        return found

    async def _summary(self, messages: Sequence[ModelMessage], focus: str) -> str:
        wanted = prompt_text("compaction") + (f"\n\nThe user wants this kept above all: {focus}" if focus else "")
        for most in _PART_CHARS:
            asked = f"<conversation>\n{as_text(messages, most)}\n</conversation>\n\n{wanted}"
            try:
                return await self._ask(asked)
            except ModelError as error:
                if error.kind is not ModelErrorKind.CONTEXT_TOO_LONG or most == _PART_CHARS[-1]:
                    raise
        raise AssertionError("unreachable")

    async def _ask(self, asked: str) -> str:
        patience = Patience(self._screen)
        while True:
            try:
                return await self._ask_once(asked)
            except ModelError as error:
                await patience.after(error)

    async def _ask_once(self, asked: str) -> str:
        said: list[str] = []
        stream = self._model.stream([_request(asked)], (), instructions=prompt_text("compactor"))
        async with aclosing(stream) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    said.append(event.text)
                elif isinstance(event, Finished):
                    self._spent(event.usage)
        return "".join(said).strip()


def kept_from(messages: Sequence[ModelMessage], budget: int) -> int:
    """Where the kept part begins: at most ``budget`` tokens, at least the last message, never between a call and its
    result."""
    start, size = len(messages), 0
    for at in range(len(messages) - 1, -1, -1):
        size += tokens_of(messages[at])
        if size > budget and start < len(messages):
            break
        if not _answers_calls(messages[at]):
            start = at
    return start if start < len(messages) else 0


def _request(text: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(content=text)])


def _answers_calls(message: ModelMessage) -> bool:
    return isinstance(message, ModelRequest) and any(isinstance(part, ToolReturnPart) for part in message.parts)
