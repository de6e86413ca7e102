"""One streamed request to a model. No retries here: a step knows what may run again, see :mod:`.retries`."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from actions.agent.model.errors import ModelError, ModelErrorKind, from_provider
from actions.agent.model.events import Event, Finished, ToolSpec
from actions.agent.model.ref import ModelRef
from actions.agent.model.streaming import Reader
from actions.agent.model.usage import usage_of
from actions.agent.tools.needs import ModelSenses

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model as LibraryModel
    from pydantic_ai.models import ModelRequestParameters

    from actions.storage.secrets import Secret

_DEFAULT_WINDOW = 32_000


class Model:
    """One model at one endpoint. Streams may run side by side; :meth:`aclose` ends the connections."""

    def __init__(self, ref: ModelRef, library: LibraryModel, client: httpx2.AsyncClient) -> None:
        self.ref = ref
        self.window = _DEFAULT_WINDOW
        """Tokens that the model can read at once, its own answer included."""
        self.senses = ModelSenses()
        self._library = library
        self._client = client

    async def stream(
        self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], *, instructions: str = ""
    ) -> AsyncIterator[Event]:
        """Send the conversation, give what comes back as it comes; the last event is :class:`Finished`.

        Cancelling the task that iterates closes the connection at once. Who stops early closes the iterator
        (``contextlib.aclosing``).

        Raises:
            ModelError: the request failed, before or in the middle of the answer.
        """
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior, UserError

        try:
            reader = Reader(messages)
            request = self._library.request_stream(list(messages), None, self._parameters(tools, instructions))
            async with request as answer:
                async for event in answer:
                    for ours in reader.read(event):
                        yield ours
                response = answer.get()
            for ours in reader.rest():
                yield ours
        except ModelAPIError as error:
            raise from_provider(error, self.ref) from error
        except (UnexpectedModelBehavior, UserError) as error:
            raise ModelError(
                ModelErrorKind.PROTOCOL, f"{self.ref} gave an answer that cannot be read: {error}"
            ) from error
        response = replace(response, parts=reader.with_our_ids(response.parts))
        yield Finished(response, usage_of(response, local=self.ref.local))

    async def aclose(self) -> None:
        """Close every connection. Closing twice is harmless."""
        with contextlib.suppress(RuntimeError):
            await self._client.aclose()

    def _parameters(self, tools: Sequence[ToolSpec], instructions: str) -> ModelRequestParameters:
        from pydantic_ai.messages import InstructionPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        return ModelRequestParameters(
            function_tools=[
                ToolDefinition(name=tool.name, parameters_json_schema=tool.parameters, description=tool.description)
                for tool in tools
            ],
            instruction_parts=[InstructionPart(instructions)] if instructions else [],
        )


def open_model(ref: ModelRef, key: Secret | None = None) -> Model:
    """A model that is ready for requests; nothing is sent yet. Imports the vendor's client: 1 to 3 s the first time.

    Raises:
        ModelError: kind ``auth`` when the endpoint needs a key and there is none.
    """
    from actions.agent.model.vendors import http_client, library_model

    client = http_client()
    return Model(ref, library_model(ref, key, client), client)
