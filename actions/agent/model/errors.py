"""Why a model did not answer: a closed set of kinds, whether another try helps, and words for a person."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from actions.errors import ErrorCode, SaysoError

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError

    from actions.agent.model.ref import ModelRef
    from actions.storage.secrets import Secret


class ModelErrorKind(StrEnum):
    """The set is closed."""

    AUTH = "auth"
    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    OVERLOADED = "overloaded"
    BAD_REQUEST = "bad_request"
    CONTEXT_TOO_LONG = "context_too_long"
    NOT_FOUND = "not_found"
    NETWORK = "network"
    PROTOCOL = "protocol"
    REFUSED = "refused"


_RETRYABLE = {ModelErrorKind.RATE_LIMIT, ModelErrorKind.OVERLOADED, ModelErrorKind.NETWORK, ModelErrorKind.PROTOCOL}


_TOO_LONG = re.compile(r"\bcontext (size|length|window)\b", re.IGNORECASE)
"""llama.cpp, vLLM, LM Studio: "request (5114 tokens) exceeds the available context size (4096 tokens)"."""
_TOO_LARGE = 413
"""HTTP 413: too many bytes, as pictures are; less of the conversation helps here too."""
_NOT_READY = (408, 425)
"""HTTP 408 and 425: the request took too long to arrive, or came too early; the same one is taken later."""


class ModelError(SaysoError):
    """A request that failed. ``retry_after`` is in seconds, where the provider named a time; ``fault`` is what
    happened, without what a person could do: for a notice that the agent itself does something.
    """

    code = ErrorCode.FAILED

    def __init__(
        self, kind: ModelErrorKind, message: str, *, fault: str = "", retry_after: float | None = None
    ) -> None:
        retryable = kind in _RETRYABLE
        super().__init__(message, details={"kind": kind.value, "retry_after": retry_after, "retryable": retryable})
        self.kind = kind
        self.fault = fault or message
        self.retry_after = retry_after

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed when it is sent again."""
        return self.kind in _RETRYABLE


def from_provider(error: ModelAPIError, ref: ModelRef, key: Secret | None = None) -> ModelError:
    """The library's error by kind, in words that name the fix. A provider that repeats the key is not repeated."""
    from pydantic_ai import exceptions as e

    said = _said(error)
    if key:
        said = said.replace(key.reveal(), str(key))
    status = error.status_code if isinstance(error, e.ModelHTTPError) else None
    if status == _TOO_LARGE or (isinstance(error, e.ModelRequestRejectedError) and _TOO_LONG.search(said)):
        # Servers on this machine have codes of their own for it, or none
        error = e.ModelContextWindowExceededError(error.model_name, said)
    match error:
        case e.ModelAuthenticationError():
            kind, fault, fix = ModelErrorKind.AUTH, f"{_place(ref)} did not accept the key for {ref}.", _key_fix(ref)
        case e.ModelNotFoundError():
            kind, fault = ModelErrorKind.NOT_FOUND, f"{_place(ref)} does not know the model {ref.name}."
            fix = "Choose one that it offers, or check the address."
        case e.ModelContextWindowExceededError():
            kind = ModelErrorKind.CONTEXT_TOO_LONG
            fault, fix = (
                f"The conversation is longer than {ref.name} can read.",
                "Compact it, or go on in a new session.",
            )
        case e.ModelQuotaExceededError():
            kind, fault = ModelErrorKind.QUOTA, f"The account at {_place(ref)} has no credit left."
            fix = "Top it up, or choose another model."
        case e.ModelRateLimitError():
            kind, fault = ModelErrorKind.RATE_LIMIT, f"{_place(ref)} takes no more requests at the moment."
            fix = "Wait a little and send the prompt again."
        case e.ModelUnavailableError() | e.ModelServerError():
            kind, fault = ModelErrorKind.OVERLOADED, f"{_place(ref)} is overloaded or has a fault of its own."
            fix = "Send the prompt again in a moment."
        case e.ModelRequestTimeout() | e.ModelConnectionError():
            kind, fault = ModelErrorKind.NETWORK, f"{_place(ref)} could not be reached or broke off."
            fix = _network_fix(ref)
        case e.ModelHTTPError(status_code=code) if code in _NOT_READY:
            kind, fault, fix = ModelErrorKind.NETWORK, f"{_place(ref)} got the request too late.", _network_fix(ref)
        case e.ModelRequestRejectedError() | e.ModelHTTPError():
            kind, fault = ModelErrorKind.BAD_REQUEST, f"{_place(ref)} rejected the request."
            fix = "Choose another model, or go on in a new session."
        case _:
            kind, fault = ModelErrorKind.PROTOCOL, f"{_place(ref)} gave an answer that cannot be read."
            fix = f"Check that it speaks what {ref.provider} means."
    said = f" It said: {said}" if said else ""
    return ModelError(kind, f"{fault} {fix}{said}", fault=f"{fault}{said}", retry_after=error.retry_after)


def _said(error: ModelAPIError) -> str:
    """The provider's own sentence, cut short; never the headers or the request."""
    body = error.body
    while isinstance(body, dict):
        fields = cast("dict[str, object]", body)
        body = next((fields[key] for key in ("error", "message", "detail") if key in fields), None)
    text = body if isinstance(body, str) else ("" if error.body is not None else str(error))
    text = " ".join(text.split())
    return text if len(text) <= 300 else text[:299] + "…"


def _place(ref: ModelRef) -> str:
    return ref.base_url or {"anthropic": "Anthropic", "google": "Google"}.get(ref.provider, "OpenAI")


def _key_fix(ref: ModelRef) -> str:
    from actions.agent.model.keys import variables

    return f"Set {variables(ref.provider)[0]} to one that it accepts where Sayso is started, then start it again."


def _network_fix(ref: ModelRef) -> str:
    if ref.local:
        return "Start the model server, or choose another model."
    return "Check the network, then send the prompt again."
