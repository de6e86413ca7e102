"""What the launcher knows about an action, read from the catalog's answers. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from actions.catalog.form import FormField


@dataclass(frozen=True)
class ActionSummary:
    """One hit of a search."""

    id: str
    title: str
    description: str = ""
    effect: str = "read"
    available: bool = True
    reason: str = ""


@dataclass(frozen=True)
class ActionForm:
    """An action with its fields, ready for a form."""

    summary: ActionSummary
    fields: Sequence[FormField] = field(default_factory=tuple[FormField, ...])
    asks: bool = False


def read_summary(data: Mapping[str, Any]) -> ActionSummary:
    """A summary as ``action.spec.search`` gives it; unknown keys are ignored."""
    available = data.get("available", True)
    if isinstance(available, Mapping):
        reason = str(available.get("reason") or "")
        available = available.get("state", "available") == "available"
    else:
        reason = str(data.get("reason") or "")
    return ActionSummary(
        id=str(data["id"]),
        title=str(data.get("title") or data["id"]),
        description=str(data.get("description") or "").split("\n")[0],
        effect=str(data.get("effect") or "read"),
        available=bool(available),
        reason=reason,
    )


def read_form(data: Mapping[str, Any]) -> ActionForm:
    """A definition as ``action.spec.get`` gives it. Raises pydantic's ValidationError for fields of another shape."""
    known = FormField.model_fields
    fields = [
        FormField.model_validate({key: value for key, value in entry.items() if key in known})
        for entry in data.get("form", data.get("fields", ()))
    ]
    return ActionForm(read_summary(data), fields, bool((data.get("policy") or {}).get("asks")))
