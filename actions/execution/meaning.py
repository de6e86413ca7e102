"""An action that stands for others: a call of it is one of the action that it means, under that action's own policy."""

from __future__ import annotations

from dataclasses import replace

from actions.catalog.spec import ActionSpec
from actions.execution.inputs import parse
from actions.execution.request import Request


def as_meant(spec: ActionSpec, request: Request) -> Request:
    """The request for the action that ``spec`` stands for here; any other request as it is. Raises InvalidInput."""
    if spec.stands_for is None:
        return request
    action_id, given = spec.stands_for(parse(spec, request.input))
    return replace(request, action_id=action_id, input=given)
