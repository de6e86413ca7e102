"""An input on its way in: validated, its references and defaults resolved, frozen as canonical JSON, shown as rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from actions.catalog.context import ActionContext
from actions.catalog.form import FormField, field_states, hint_of, ref_of
from actions.catalog.hints import Ref, RefKind, Widget
from actions.catalog.spec import ActionInput, ActionSpec, Surface
from actions.errors import InvalidInput, NotFound, SessionNotSelected

INPUT_LIMIT = 64 * 1024
"""Bytes of canonical JSON that an approval request may hold."""

_PERSONS = frozenset({Surface.UI, Surface.VOICE, Surface.CLI})

_HIDDEN = "•••"
_KEYWORDS = {
    "missing": "required",
    "extra_forbidden": "additionalProperties",
    "string_too_short": "minLength",
    "string_too_long": "maxLength",
    "too_short": "minItems",
    "too_long": "maxItems",
    "greater_than_equal": "minimum",
    "less_than_equal": "maximum",
    "greater_than": "exclusiveMinimum",
    "less_than": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "string_pattern_mismatch": "pattern",
    "enum": "enum",
    "literal_error": "enum",
}
_LIMITS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern", "expected")


_PROVIDERS = "providers.available"


def parse(spec: ActionSpec, given: Mapping[str, Any]) -> ActionInput:
    """Validate. Raises InvalidInput that names each bad field."""
    try:
        return spec.input.model_validate(given)
    except ValidationError as error:
        fields = [
            {"field": ".".join(str(part) for part in entry["loc"]), "message": _complaint(entry), **_rule(entry)}
            for entry in error.errors(include_url=False, include_input=False)
        ]
        listed = "; ".join(f"{f['field']}: {f['message']}" if f["field"] else f["message"] for f in fields)
        raise InvalidInput(f"{spec.id} cannot take this input. {listed}.", fields) from error


async def resolve(spec: ActionSpec, inp: ActionInput, ctx: ActionContext) -> ActionInput:
    """Turn names of things into ids, and a missing session into the caller's own, else into the one a person means.

    Raises NotFound, Ambiguous or SessionNotSelected.
    """
    changes: dict[str, Any] = {}
    for name, info in spec.input.model_fields.items():
        if (ref := _ref(info)) is None:
            continue
        value = getattr(inp, name)
        if value is None and ref.own is not None:
            if ctx.caller.session_id is not None:
                changes[name] = ctx.caller.session_id
            elif ref.own == "required":
                changes[name] = await _usual_session(ctx)
            if ref.own == "required" and changes[name] is None:
                raise SessionNotSelected(
                    f"{spec.title.in_language(ctx.language)} needs a session. Name one with {name}.",
                    details={"field": name, "fields": [{"field": name, "message": "Choose a session."}]},
                )
        elif isinstance(value, str):
            changes[name] = await ctx.ports.references.resolve(ref.kind, value)
        elif isinstance(value, (list, tuple)):
            texts = cast("Sequence[str]", value)
            changes[name] = [await ctx.ports.references.resolve(ref.kind, text) for text in texts]
    return inp.model_copy(update=changes) if changes else inp


async def _usual_session(ctx: ActionContext) -> str | None:
    """What a person means who names no session and is in none; a program has to name it."""
    return await ctx.ports.references.usual_session() if ctx.surface in _PERSONS else None


def canonical(inp: ActionInput) -> str:
    """The one text of an input: what was given, defaults left out, keys in order. Equal inputs give equal texts."""
    values = inp.model_dump(mode="json", exclude_unset=True)
    return json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def frozen(inp: ActionInput) -> str:
    """The canonical text for storing. Raises InvalidInput above :data:`INPUT_LIMIT`."""
    text = canonical(inp)
    if (size := len(text.encode())) > INPUT_LIMIT:
        raise InvalidInput(
            f"The input has {size} bytes; a request for approval may have {INPUT_LIMIT}. Shorten it, or put the text "
            "in a file and name the file.",
            size=size,
            limit=INPUT_LIMIT,
        )
    return text


def fingerprint(text: str) -> str:
    """A short hash of a canonical input, for the audit and for repeated calls."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def has_secret(fields: Sequence[FormField], inp: ActionInput) -> bool:
    """Whether the input carries a value that must not be stored."""
    if inp.carries_secret():
        return True
    return any(f.widget is Widget.SECRET and getattr(inp, f.path) not in (None, "") for f in fields)


def shown_fields(fields: Sequence[FormField], inp: ActionInput, labels: Mapping[str, str]) -> list[dict[str, str]]:
    """Rows ``{path, title, value}`` for a person: visible fields that say something, from hints and input only.

    ``labels`` gives the words for values that are ids.
    """
    values = inp.model_dump(mode="json")
    visible = {state.path for state in field_states(fields, values) if state.visible}
    rows: list[dict[str, str]] = []
    for field in fields:
        value = values.get(field.path)
        if field.path in visible and value not in (None, "", [], {}):
            rows.append({"path": field.path, "title": field.title, "value": _words(field, value, labels)})
    return rows


def unshown_required(fields: Sequence[FormField], inp: ActionInput) -> list[str]:
    """Required fields that carry a value but that no row shows; such a request cannot be approved."""
    states = field_states(fields, inp.model_dump(mode="json"))
    return [s.path for s in states if s.required and not s.visible and getattr(inp, s.path) not in (None, "", [])]


async def labels_of(spec: ActionSpec, inp: ActionInput, ctx: ActionContext) -> dict[str, str]:
    """Titles of the sessions and names of the providers that an input holds, by id; one that is gone stays an id."""
    labels: dict[str, str] = {}
    for name, info in spec.input.model_fields.items():
        ref = _ref(info)
        value = getattr(inp, name)
        is_session = ref is not None and ref.kind is RefKind.SESSION
        if value is None or not (is_session or hint_of(info).options == _PROVIDERS):
            continue
        for named in [value] if isinstance(value, str) else cast("list[str]", value):
            try:
                found = await (_session_title if is_session else _provider_name)(named, ctx)
            except NotFound:
                found = ""
            labels[named] = found or named
    return labels


async def _session_title(session_id: str, ctx: ActionContext) -> str:
    return (await ctx.ports.sessions.get(session_id)).title


async def _provider_name(provider_id: str, ctx: ActionContext) -> str:
    return (await ctx.ports.providers.get(provider_id)).name


def summary_of(spec: ActionSpec, rows: Sequence[Mapping[str, str]], language: str) -> str:
    """One line: the action's title and its first values."""
    values = [" ".join(row["value"].split()) for row in rows[:3]]
    short = [value if len(value) <= 80 else value[:79] + "…" for value in values]
    title = spec.title.in_language(language)
    return f"{title}: {', '.join(short)}" if short else title


def _ref(info: FieldInfo) -> Ref | None:
    if (ref := ref_of(info)) is not None:
        return ref
    found = [m for inner in get_args(info.annotation) for m in getattr(inner, "__metadata__", ()) if isinstance(m, Ref)]
    return found[0] if found else None


def _words(field: FormField, value: Any, labels: Mapping[str, str]) -> str:
    if field.widget is Widget.SECRET:
        return _HIDDEN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        items = cast("list[Any]", value)
        if all(not isinstance(item, (dict, list)) for item in items):
            return ", ".join(_words(field, item, labels) for item in items)
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    # Never cut: what is approved is what was shown. The whole input is bounded where it is frozen.
    return labels.get(str(value)) or next((o.label for o in field.options if o.value == value), str(value))


def _rule(entry: Mapping[str, Any]) -> dict[str, str]:
    """What was broken as a keyword of JSON Schema with its limit, for who words it in another language."""
    keyword = _KEYWORDS.get(str(entry["type"]))
    if keyword is None:
        return {}
    given: Mapping[str, Any] = entry.get("ctx") or {}
    limit = next((given[name] for name in _LIMITS if name in given), None)
    return {"keyword": keyword} | ({} if limit is None else {"limit": str(limit)})


def _complaint(entry: Mapping[str, Any]) -> str:
    match entry["type"]:
        case "missing":
            return "is required"
        case "extra_forbidden":
            return "is not a field of this action"
        case _:
            return str(entry["msg"]).removeprefix("Value error, ")
