"""What the launcher knows about an action, read from the catalog's answers. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from actions.catalog.form import FormField
from actions.catalog.hints import Widget


@dataclass(frozen=True)
class ActionSummary:
    """One hit of a search; the higher its ``score``, the better it fits."""

    id: str
    title: str
    description: str = ""
    effect: str = "read"
    available: bool = True
    reason: str = ""
    slash: tuple[str, ...] = ()
    score: int = 0


@dataclass(frozen=True)
class ActionForm:
    """An action with its fields, ready for a form."""

    summary: ActionSummary
    fields: Sequence[FormField] = field(default_factory=tuple[FormField, ...])
    asks: bool = False
    answers: bool = False
    """What it gives back is what it is run for."""


@dataclass(frozen=True)
class Target:
    """What a call is about: ``kind`` session, workspace, provider or run, by its name."""

    kind: str
    label: str
    known: bool = True


@dataclass(frozen=True)
class CallPreview:
    """What will happen, as the policy says of the draft as it stands."""

    effect: str
    available: bool = True
    reason: str = ""
    asks: bool = False
    asked_in: str | None = None
    targets: tuple[Target, ...] = ()


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
        slash=tuple(str(token) for token in data.get("slash") or ()),
        score=int(data.get("score") or 0),
    )


def read_form(data: Mapping[str, Any]) -> ActionForm:
    """A definition as ``action.spec.get`` gives it. Raises pydantic's ValidationError for fields of another shape."""
    known = FormField.model_fields
    fields = [
        FormField.model_validate({key: value for key, value in entry.items() if key in known})
        for entry in data.get("form", data.get("fields", ()))
    ]
    summary = read_summary(data)
    answers = summary.effect == "read" or (summary.effect == "external" and data.get("reply") == "wait")
    return ActionForm(summary, fields, bool((data.get("policy") or {}).get("asks")), answers)


def read_preview(data: Mapping[str, Any]) -> CallPreview:
    """What ``action.call.preview`` says."""
    targets = [
        Target(str(target.get("kind")), str(target.get("label")), bool(target.get("known", True)))
        for target in data.get("targets") or ()
    ]
    return CallPreview(
        effect=str(data.get("effect") or ""),
        available=bool(data.get("available", True)),
        reason=str(data.get("reason") or ""),
        asks=bool(data.get("asks")),
        asked_in=data.get("asked_in"),
        targets=tuple(targets),
    )


def slash_of(query: str) -> tuple[str, str]:
    """A query that begins with a slash token, as the token and the words after it; else two empty texts."""
    if not query.startswith("/"):
        return "", ""
    token, _, rest = query.strip().partition(" ")
    return token, rest.strip()


def words_field(form: ActionForm) -> str | None:
    """The field that takes the words after a slash token: the long text, else the only text that is needed."""
    texts = [one for one in form.fields if one.type == "string" and not one.options and not one.source]
    long = [one.path for one in texts if one.widget is Widget.TEXTAREA]
    needed = [one.path for one in texts if one.required]
    return next(iter([*long, *needed]), None)
