"""One streamed request to a model. No retries here: only a step knows which of its calls may run again."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from actions.agent.model.errors import ModelError, ModelErrorKind, from_provider
from actions.agent.model.events import Event, Finished, ToolSpec
from actions.agent.model.facts import ask_local, known
from actions.agent.model.offer import Offer, offer
from actions.agent.model.outgoing import Outgoing, scrub, takes_of
from actions.agent.model.ref import ModelRef
from actions.agent.model.streaming import Reader
from actions.agent.model.usage import usage_of

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model as LibraryModel
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

    from actions.storage.secrets import Secret

_log = logging.getLogger(__name__)
_STILL_RUNS = ("in_progress", "queued")
"""Where an answer over the responses format stands before its end."""


class Model:
    """One model at one endpoint. Streams may run side by side; :meth:`aclose` ends the connections.

    ``window`` is what the model can read at once, in tokens, its own answer included; ``senses`` what it takes besides
    text. ``warn`` gets a sentence for a person, once for each tool that cannot be offered.
    """

    def __init__(
        self,
        ref: ModelRef,
        library: LibraryModel,
        client: httpx2.AsyncClient,
        *,
        key: Secret | None = None,
        warn: Callable[[str], None] = _log.warning,
    ) -> None:
        self.ref = ref
        self.window, self.senses = known(ref, library)
        self._library, self._client, self._key, self._warn = library, client, key, warn
        self._asked = not ref.local
        self._offered: tuple[Sequence[ToolSpec], Offer] = ((), Offer())
        self._left_out: set[str] = set()
        self._sent = Outgoing()

    async def ready(self) -> None:
        """Ask a server on this machine for its window and senses, once and briefly; :meth:`stream` does so too."""
        if not self._asked:
            self._asked = True
            self.window, self.senses = await ask_local(self.ref, self._client) or (self.window, self.senses)

    async def stream(
        self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], *, instructions: str = ""
    ) -> AsyncGenerator[Event]:
        """Send the conversation, give what comes back as it comes; the last event is :class:`Finished`.

        Cancelling the task that iterates closes the connection at once. Who stops early closes the generator
        (``contextlib.aclosing``). A tool whose schema the provider refuses is left out and the request sent again.

        Raises:
            ModelError: the request failed, before or in the middle of the answer.
        """
        await self.ready()
        while True:
            offered = self._offer(tools)
            try:
                async with aclosing(self._once(messages, offered, instructions)) as events:
                    async for event in events:
                        yield event
            except ModelError as error:
                if not self._leave_out(error, offered):
                    raise
            else:
                return

    async def aclose(self) -> None:
        """Close every connection. Closing twice is harmless."""
        await self._client.aclose()

    async def _once(self, messages: Sequence[ModelMessage], offered: Offer, instructions: str) -> AsyncGenerator[Event]:
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError

        reader = Reader(offered.own)
        sent = self._sent.of(messages, offered.wire, takes_of(self.ref.wire, self.senses))
        parameters = _parameters(offered, instructions)
        try:
            async with self._library.request_stream(sent, self._settings(), parameters) as answer:
                async for event in answer:
                    for ours in reader.read(event):
                        yield ours
                response = answer.get()
        except ModelAPIError as error:
            raise from_provider(error, self.ref, self._key) from None  # the cause may hold the key
        except (UnexpectedModelBehavior, UserError) as error:
            raise ModelError(
                ModelErrorKind.PROTOCOL, f"{self.ref} gave an answer that cannot be read: {error}"
            ) from error
        self._check(response)
        for ours in reader.rest():
            yield ours
        response = _with_own_names(response, offered)
        yield Finished(response, usage_of(response, local=self.ref.local))

    def _check(self, response: ModelResponse) -> None:
        if not _ended(response) or response.state == "incomplete":
            fault = f"The answer of {self.ref} broke off before its end."
            raise ModelError(ModelErrorKind.NETWORK, f"{fault} Send the prompt again.", fault=fault)
        if response.finish_reason == "error":
            fault = f"{self.ref} failed in the middle of its answer."
            raise ModelError(ModelErrorKind.PROTOCOL, f"{fault} Send the prompt again.", fault=fault)
        if response.finish_reason == "content_filter" and not response.parts:
            raise ModelError(
                ModelErrorKind.REFUSED,
                f"{self.ref} refused to answer: its provider's filter stopped it. Say it in other words.",
            )

    def _settings(self) -> ModelSettings:
        profile = self._library.profile
        settings: ModelSettings = {}
        if profile.get("supports_cache"):
            settings["cache"] = True
        if profile.get("supports_thinking") and self.ref.wire in ("anthropic", "gemini"):
            settings["thinking"] = True  # else these two show no thoughts
        return settings

    def _offer(self, tools: Sequence[ToolSpec]) -> Offer:
        if self._offered[0] != tools:
            wanted = [tool for tool in tools if tool.name not in self._left_out]
            self._offered = (tools, offer(wanted, self._library, self._warn_of))
        return self._offered[1]

    def _leave_out(self, error: ModelError, offered: Offer) -> bool:
        """Whether the provider refused the request for one tool, which is now left out."""
        if error.kind is not ModelErrorKind.BAD_REQUEST:
            return False
        blamed = offered.blamed(error.message)
        if blamed is None:
            return False
        self._warn_of(blamed, f"was refused by the provider: {error.message}")
        self._offered = ((), Offer())
        return True

    def _warn_of(self, tool: str, why: str) -> None:
        if tool not in self._left_out:
            self._left_out.add(tool)
            self._warn(f"The tool {tool} {why}. The model works without it.")


def _parameters(offered: Offer, instructions: str) -> ModelRequestParameters:
    from pydantic_ai.messages import InstructionPart
    from pydantic_ai.models import ModelRequestParameters

    parts = [InstructionPart(scrub(instructions))] if instructions else []
    return ModelRequestParameters(function_tools=list(offered.definitions), instruction_parts=parts)


def _ended(response: ModelResponse) -> bool:
    """Whether the provider said that this is all, be it for a reason that the library does not know."""
    given = (response.provider_details or {}).get("finish_reason")
    return response.finish_reason is not None or bool(given and given not in _STILL_RUNS)


def _with_own_names(response: ModelResponse, offered: Offer) -> ModelResponse:
    from pydantic_ai.messages import ToolCallPart

    return replace(
        response,
        parts=[
            replace(part, tool_name=offered.own[part.tool_name])
            if isinstance(part, ToolCallPart) and part.tool_name in offered.own
            else part
            for part in response.parts
        ],
    )


def open_model(ref: ModelRef, key: Secret | None = None, *, warn: Callable[[str], None] = _log.warning) -> Model:
    """A model that is ready for requests; nothing is sent yet. Imports the vendor's client: 1 to 3 s the first time.

    Raises:
        ModelError: kind ``auth`` when the endpoint needs a key and there is none.
    """
    from actions.agent.model.vendors import http_client, library_model

    client = http_client(local=ref.local)
    return Model(ref, library_model(ref, key, client), client, key=key, warn=warn)
