"""The form model: the fields of an input, ready for a window, a voice card, approval rows and shell completion."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, Literal, Union, cast, get_args, get_origin

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from actions.catalog import predicates as p
from actions.catalog.fields import text_of
from actions.catalog.hints import FixedOption, Hint, Ref, Widget
from actions.catalog.spec import ActionInput, ActionOutput, ActionSpec
from actions.catalog.text import Text, as_text


class FormOption(ActionOutput):
    value: Any
    label: str
    description: str | None = None
    aliases: list[str] = Field(default_factory=list[str])


class FormField(ActionOutput):
    """One field as data. ``type`` is string, integer, number, boolean, list or json; predicates are in their JSON
    form.
    """

    path: str
    title: str
    description: str = ""
    type: str
    widget: Widget
    required: bool
    default: Any = None
    nullable: bool = False
    options: list[FormOption] = Field(default_factory=list[FormOption])
    source: str | None = None
    source_needs: list[str] = Field(default_factory=list[str])
    ask: str = ""
    placeholder: str = ""
    explicit: bool = False
    max_selections: int | None = None
    separator: str | None = None
    ref: str | None = None
    own: str | None = None
    flag: str
    json_schema: dict[str, Any] | None = None
    """What a value of type json may be, with all that it refers to; None where anything may."""
    schema_from: str | None = None
    visible_when: dict[str, Any] | None = None
    required_when: dict[str, Any] | None = None
    disabled_when: dict[str, Any] | None = None


class FieldState(ActionOutput):
    """A field under a draft: what the predicates make of it."""

    path: str
    visible: bool
    required: bool
    disabled: bool


def form_fields(
    model: type[ActionInput], language: str = "en", needs: Mapping[str, Sequence[str]] | None = None
) -> list[FormField]:
    """The fields of an input model in order. ``needs`` gives the draft fields that each option source reads."""
    return [_field(name, info, language, needs or {}, model) for name, info in model.model_fields.items()]


def field_states(fields: Sequence[FormField], draft: Mapping[str, Any]) -> list[FieldState]:
    """The effective form: which fields are visible, required and disabled under a draft."""
    return [_state(f, draft) for f in fields]


def effective_draft(fields: Sequence[FormField], draft: Mapping[str, Any]) -> dict[str, Any]:
    """The draft without the values of invisible fields, which are never sent."""
    hidden = {state.path for state in field_states(fields, draft) if not state.visible}
    return {path: value for path, value in draft.items() if path not in hidden}


def missing_fields(fields: Sequence[FormField], draft: Mapping[str, Any]) -> list[FormField]:
    """The visible required fields that a draft leaves empty."""
    required = {s.path for s in field_states(fields, draft) if s.visible and s.required and not s.disabled}
    return [f for f in fields if f.path in required and draft.get(f.path) in (None, "", [])]


def hint_of(info: FieldInfo) -> Hint:
    """The hint of a field; the last one wins, on top of what the aliases of ``hints`` bring."""
    found = [m for m in info.metadata if isinstance(m, Hint)]
    return found[-1] if found else Hint()


def ref_of(info: FieldInfo) -> Ref | None:
    return next((m for m in reversed(info.metadata) if isinstance(m, Ref)), None)


def spec_form(
    spec: ActionSpec, language: str = "en", needs: Mapping[str, Sequence[str]] | None = None
) -> list[FormField]:
    return form_fields(spec.input, language, needs)


def humanise(name: str) -> str:
    """``base_branch`` as ``Base branch``; a trailing id goes."""
    words = name.removesuffix("_ids").removesuffix("_id").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _state(f: FormField, draft: Mapping[str, Any]) -> FieldState:
    visible = p.from_json(f.visible_when)
    required = p.from_json(f.required_when)
    disabled = p.from_json(f.disabled_when)
    return FieldState(
        path=f.path,
        visible=visible is None or p.holds(visible, draft),
        required=f.required or (required is not None and p.holds(required, draft)),
        disabled=disabled is not None and p.holds(disabled, draft),
    )


def _field(
    name: str, info: FieldInfo, language: str, needs: Mapping[str, Sequence[str]], model: type[ActionInput]
) -> FormField:
    hint = hint_of(info)
    shared = text_of(name)
    ref = ref_of(info)
    annotation, nullable = _strip_none(info.annotation)
    kind, fixed = _kind(annotation)
    options = hint.options if isinstance(hint.options, tuple) else fixed
    source = hint.options if isinstance(hint.options, str) else None
    default = info.get_default(call_default_factory=True, validated_data={}) if not info.is_required() else None
    return FormField(
        path=name,
        title=as_text(hint.title or shared.title or humanise(name)).in_language(language),
        description=as_text(hint.description or info.description or shared.description).in_language(language),
        type=kind,
        widget=hint.widget or _widget(kind, bool(options or source)),
        required=info.is_required(),
        default=_jsonable(default),
        nullable=nullable,
        options=[_option(o, language) for o in options],
        source=source,
        source_needs=list(needs.get(source, ())) if source else [],
        ask=as_text(hint.ask).in_language(language),
        placeholder=as_text(hint.placeholder).in_language(language),
        explicit=hint.explicit,
        max_selections=hint.max_selections,
        separator=hint.separator,
        ref=ref.kind.value if ref else None,
        own=ref.own if ref else None,
        flag=hint.flag or _flag(name),
        schema_from=hint.schema_from,
        json_schema=_schema_of(model, name, language) if kind == "json" else None,
        visible_when=p.as_json(hint.visible_when),
        required_when=p.as_json(hint.required_when),
        disabled_when=p.as_json(hint.disabled_when),
    )


@lru_cache(maxsize=128)
def _schemas(model: type[ActionInput], language: str) -> dict[str, Any]:
    return _titled(model.model_json_schema(by_alias=False, mode="validation"), language)


def _titled(schema: Any, language: str) -> Any:
    """The schema with the titles of its fields as a person reads them: pydantic's are the names, in English."""
    if isinstance(schema, list):
        return [_titled(entry, language) for entry in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    result = {key: _titled(value, language) for key, value in cast("dict[str, Any]", schema).items()}
    named = result.get("properties")
    if isinstance(named, dict):
        for name, entry in cast("dict[str, dict[str, Any]]", named).items():
            if str(entry.get("title", "")).casefold() == name.replace("_", " ").casefold():
                entry["title"] = as_text(text_of(name).title or humanise(name)).in_language(language)
    return result


def _schema_of(model: type[ActionInput], name: str, language: str) -> dict[str, Any] | None:
    whole = _schemas(model, language)
    found: dict[str, Any] = whole["properties"][name]
    if not found.keys() - {"title", "description", "default"}:
        return None
    return {**found, **({"$defs": whole["$defs"]} if "$defs" in whole else {})}


def _flag(name: str) -> str:
    short = name if name == "session_id" else name.removesuffix("_id")
    return short.replace("_", "-")


def _option(option: FixedOption, language: str) -> FormOption:
    return FormOption(
        value=_jsonable(option.value),
        label=option.label.in_language(language),
        description=option.description.in_language(language) or None,
        aliases=[*option.aliases, *_other_label(option)],
    )


def _other_label(option: FixedOption) -> list[str]:
    chinese = option.label.in_language("zh")
    return [] if chinese == option.label.en else [chinese]


def _strip_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        if len(rest) == 1:
            inner, _ = _strip_none(rest[0])
            return inner, True
        return annotation, len(rest) < len(get_args(annotation))
    if get_origin(annotation) is typing.Annotated:
        return _strip_none(get_args(annotation)[0])
    return annotation, False


def _kind(annotation: Any) -> tuple[str, tuple[FixedOption, ...]]:
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "string", tuple(FixedOption(m.value, _label(m)) for m in annotation)
    if get_origin(annotation) is Literal:
        return "string", tuple(FixedOption(value, Text(humanise(str(value)))) for value in get_args(annotation))
    if get_origin(annotation) in (list, tuple):
        inner, _ = _strip_none(get_args(annotation)[0])
        kind, fixed = _kind(inner)
        return ("list", fixed) if kind == "string" else ("json", ())
    simple: dict[object, str] = {str: "string", bool: "boolean", int: "integer", float: "number"}
    return simple.get(cast("object", annotation), "json"), ()


def _label(member: Enum) -> Text:
    label = getattr(member, "label", None)
    return label if isinstance(label, Text) else Text(humanise(str(member.value)))


def _widget(kind: str, has_options: bool) -> Widget:
    match kind:
        case "string":
            return Widget.SELECT if has_options else Widget.TEXT
        case "list":
            return Widget.MULTISELECT if has_options else Widget.TEXT_LIST
        case "boolean":
            return Widget.TOGGLE
        case "integer" | "number":
            return Widget.NUMBER
        case _:
            return Widget.JSON


def _jsonable(value: Any) -> Any:
    if value is PydanticUndefined:
        return None
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in cast("Sequence[Any]", value)]
    return value
