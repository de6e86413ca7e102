"""The only place that calls a handler."""

from __future__ import annotations

import logging

from pydantic import BaseModel, ValidationError

from actions.catalog.context import ActionContext
from actions.catalog.spec import ActionInput, ActionSpec
from actions.errors import ErrorCode, SaysoError
from actions.execution.request import Completed, Failed
from actions.storage.ids import Prefix, new_id

_log = logging.getLogger(__name__)


async def run_handler(spec: ActionSpec, inp: ActionInput, ctx: ActionContext) -> Completed | Failed:
    """Call the handler and check what it gave. Raises nothing but CancelledError.

    What a person is told of an unforeseen error is a reference into the log, never a traceback.
    """
    try:
        result = await spec.handler(inp, ctx)
        return Completed(_checked(spec, result).model_dump(mode="json"))
    except SaysoError as error:
        return Failed.of(error)
    except ValidationError as error:
        reference = new_id(Prefix.CALL)
        _log.exception("%s gave an output that does not fit its model (%s)", spec.id, reference)
        details = {"reason": "invalid_output", "reference": reference, "fields": _fields(error)}
        return Failed(
            ErrorCode.FAILED, f"{spec.id} gave an answer that does not fit. See the log, {reference}.", details
        )
    except Exception:  # noqa: BLE001 - a handler may raise anything; the door may not
        reference = new_id(Prefix.CALL)
        _log.exception("%s failed (%s)", spec.id, reference)
        return Failed(
            ErrorCode.FAILED,
            f"{spec.id} failed for a reason that Sayso did not foresee. The log says more under {reference}.",
            {"reason": "internal", "reference": reference},
        )


def _checked(spec: ActionSpec, result: BaseModel) -> BaseModel:
    """``result`` as an instance of the output model; raises ValidationError when it does not fit."""
    given = result.model_dump() if isinstance(result, BaseModel) else result  # pyright: ignore[reportUnnecessaryIsInstance]  # a handler may break its promise
    return spec.output.model_validate(given)


def _fields(error: ValidationError) -> list[str]:
    return [".".join(str(part) for part in entry["loc"]) for entry in error.errors(include_url=False)]
