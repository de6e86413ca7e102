"""What an agent asks of a person: a JSON Schema as the fields of a form, and answers checked against it.

Source: ACP 1, elicitation in form mode (MCP 2025-06-18, elicitation): properties are strings, numbers, booleans or
choices. Agents ask for more than that; such a field is answered with JSON, which the window draws by its schema.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from actions.catalog.form import FormField, FormOption
from actions.catalog.hints import Widget
from actions.catalog.json_schema import FORMATS, has_format, matches, problems
from actions.errors import InvalidInput

OWN_WORDS = "_own"
"""A text field named like a choice with this at the end takes the words of who finds no choice that fits."""

_TYPES = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean", "array": "list"}
_WIDGETS = {
    "string": Widget.TEXT,
    "integer": Widget.NUMBER,
    "number": Widget.NUMBER,
    "boolean": Widget.TOGGLE,
    "json": Widget.JSON,
}
_HARD = frozenset({"allOf", "not", "if", "$ref", "patternProperties", "const", "contains", "prefixItems"})
"""What a schema of a field may hold that only the whole check of it understands."""
_YES = frozenset({"true", "yes", "on", "1", "是", "对", "好"})
_NO = frozenset({"false", "no", "off", "0", "否", "不", "不是"})
_TEXT_LIMIT = 64 * 1024


def form_of(schema: Mapping[str, Any]) -> list[FormField]:
    """The fields of a requested schema in its order. Raises InvalidInput where there are none to read."""
    required = set(map(str, cast("list[Any]", schema.get("required") or [])))
    shared = {key: schema[key] for key in ("$defs", "definitions") if key in schema}
    return [_field(name, prop, name in required, shared) for name, prop in _properties(schema).items()]


def main_fields(fields: Sequence[FormField]) -> list[FormField]:
    """The fields that ask something: all but those for words of one's own."""
    own = set(own_words(fields).values())
    return [field for field in fields if field.path not in own]


def own_words(fields: Sequence[FormField]) -> dict[str, str]:
    """The field for words of one's own, by the choice that it belongs to."""
    texts = {field.path for field in fields if field.type == "string" and not field.options}
    return {f.path: f.path + OWN_WORDS for f in fields if f.options and f.path + OWN_WORDS in texts}


def content_of(schema: Mapping[str, Any], answers: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The content that answers ``schema``: values of its types. A question goes by its field's name, title or text.

    What was left out takes its default. Raises InvalidInput that names each field that is wrong.
    """
    fields = form_of(schema)
    given = _by_field(fields, answers)
    content: dict[str, Any] = {}
    wrong: list[dict[str, str]] = []
    for field in fields:
        try:
            value = _value(field, _properties(schema)[field.path], given.get(field.path, []))
        except ValueError as refusal:
            wrong.append({"field": field.path, "message": str(refusal)})
            continue
        if value is not None:
            content[field.path] = value
    wrong = wrong or _as_a_whole(schema, content)
    if wrong:
        listed = "; ".join(f"{_named(fields, w['field'])}: {w['message']}" for w in wrong)
        raise InvalidInput(f"This does not answer what was asked. {listed}.", wrong)
    return content


def only_question(schema: Mapping[str, Any], answer: str) -> dict[str, list[str]]:
    """What one text answers: the only question, or the only one that must be answered.

    Raises InvalidInput where several are meant.
    """
    asked = main_fields(form_of(schema))
    needed = asked if len(asked) == 1 else [field for field in asked if field.required and field.default is None]
    if len(needed) != 1:
        names = ", ".join(field.title for field in asked) or "nothing but a yes"
        raise InvalidInput(
            f"One answer is not enough: this asks for {names}. Answer each question by its name.",
            [{"field": "answers", "message": f"answer {names}"}],
        )
    field = needed[0]
    if field.type != "list" or _option(field, answer) is not None:
        return {field.path: [answer]}
    parts = [part.strip() for part in re.split(r"[,;，、；]| and |和", answer) if part.strip()]
    known = all(_option(field, part) is not None for part in parts)
    return {field.path: parts if known else [answer]}


def _properties(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    given: Any = schema.get("properties") or {}
    if not isinstance(given, dict):
        raise InvalidInput("The form's fields cannot be read.", [{"field": "properties", "message": "is no object"}])
    found = cast("dict[Any, Any]", given)
    return {str(name): cast("dict[str, Any]", prop) if isinstance(prop, dict) else {} for name, prop in found.items()}


def _as_a_whole(schema: Mapping[str, Any], content: Mapping[str, Any]) -> list[dict[str, str]]:
    """What the schema refuses of values that are each right by themselves."""
    return [
        {"field": ".".join(map(str, problem.path)), "message": problem.message}
        for problem in problems(dict(schema), dict(content))
    ]


def _field(name: str, prop: Mapping[str, Any], required: bool, shared: Mapping[str, Any]) -> FormField:
    kind = _TYPES.get(str(prop.get("type")), "json")
    options = _options(prop)
    needs_choices = kind == "list" or "oneOf" in prop or "anyOf" in prop
    of_texts = kind in ("string", "list") or not options
    if (needs_choices and not options) or not of_texts or _HARD & prop.keys():
        kind, options = "json", []
    chosen = Widget.MULTISELECT if kind == "list" else Widget.SELECT if options else _WIDGETS[kind]
    title = str(prop.get("title") or "").strip() or name
    about = str(prop.get("description") or "").strip()
    return FormField(
        path=name,
        title=title,
        description=" ".join(part for part in ("" if about == title else about, _limits(prop)) if part),
        type=kind,
        widget=chosen,
        required=required,
        default=prop.get("default") if kind == "json" else _default(prop, kind, options),
        options=options,
        flag=name.replace("_", "-"),
        json_schema={**shared, **prop} if kind == "json" else None,
    )


def _options(prop: Mapping[str, Any]) -> list[FormOption]:
    items: Any = prop.get("items")
    carrier = cast("Mapping[str, Any]", items) if isinstance(items, dict) else prop
    if isinstance(titled := carrier.get("oneOf") or carrier.get("anyOf"), list):
        entries = [cast("dict[str, Any]", one) for one in cast("list[Any]", titled) if isinstance(one, dict)]
        if not all(isinstance(one.get("const"), str) for one in entries):
            return []
        return [
            FormOption(
                value=str(one["const"]),
                label=str(one.get("title") or one["const"]),
                description=str(one["description"]) if one.get("description") else None,
            )
            for one in entries
            if "const" in one
        ]
    values: Any = carrier.get("enum")
    names: Any = carrier.get("enumNames")
    listed = [str(value) for value in cast("list[Any]", values)] if isinstance(values, list) else []
    labels = [str(label) for label in cast("list[Any]", names)] if isinstance(names, list) else listed
    return [FormOption(value=value, label=label) for value, label in zip(listed, labels, strict=False)]


def _default(prop: Mapping[str, Any], kind: str, options: Sequence[FormOption]) -> Any:
    default: Any = prop.get("default")
    known = {option.value for option in options}
    if kind == "list":
        given = cast("list[Any]", default) if isinstance(default, list) else []
        return [value for value in given if value in known] or None
    if options:
        return default if default in known else None
    fits = {"string": str, "integer": int, "number": (int, float), "boolean": bool}[kind]
    plain = isinstance(default, fits) and (kind == "boolean" or not isinstance(default, bool))
    return default if plain else None


def _limits(prop: Mapping[str, Any]) -> str:
    """The bounds in words, for who fills it in."""
    parts: list[str] = []
    low, high = _number(prop.get("minimum")), _number(prop.get("maximum"))
    if low is not None or high is not None:
        parts.append(f"{'' if low is None else f'{low:g}'}…{'' if high is None else f'{high:g}'}")
    if (most := _number(prop.get("maxItems"))) is not None:
        parts.append(f"≤ {most:g}")
    if prop.get("format") in FORMATS:
        parts.append(str(prop["format"]))
    return f"({', '.join(parts)})" if parts else ""


def _by_field(fields: Sequence[FormField], answers: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {}
    own = own_words(fields)
    for question, values in answers.items():
        field = _asked(fields, question)
        said = [value.strip() for value in values if value.strip()]
        if field.path in own:
            words = [value for value in said if _option(field, value) is None]
            said = [value for value in said if _option(field, value) is not None]
            if words:
                given.setdefault(own[field.path], []).append("\n".join(words))
        given.setdefault(field.path, []).extend(said)
    return given


def _asked(fields: Sequence[FormField], question: str) -> FormField:
    wanted = question.strip().casefold()
    for names in ("path", "title", "description"):
        found = [field for field in fields if str(getattr(field, names)).casefold() == wanted]
        if len(found) == 1:
            return found[0]
    known = ", ".join(field.path for field in fields)
    raise InvalidInput(
        f"Nobody asked {question!r}. The questions are: {known}.",
        [{"field": question, "message": f"is none of {known}"}],
    )


def _from_json(field: FormField, text: str) -> Any:
    """What the schema takes of a text that is JSON; the text itself where it takes that."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        value = text
    found = problems(field.json_schema, value)
    if found and value != text and not problems(field.json_schema, text):
        return text
    if found:
        where = ".".join(map(str, found[0].path))
        raise ValueError(f"takes JSON that fits its schema: {f'{where}: ' if where else ''}{found[0].message}")
    return value


def _value(field: FormField, prop: Mapping[str, Any], said: Sequence[str]) -> Any:
    """One value of the field's type, its default where nothing was said, None where there is neither.

    Raises ValueError, in words that follow the field's name.
    """
    if not said:
        if field.required and field.default is None:
            raise ValueError("is required")
        return field.default
    if field.type == "list":
        return _several(field, prop, said)
    if len(said) > 1:
        raise ValueError("takes one answer")
    text = said[0]
    if field.options:
        return _chosen(field, text)
    match field.type:
        case "json":
            return _from_json(field, text)
        case "boolean":
            if text.casefold() not in _YES | _NO:
                raise ValueError("is yes or no")
            return text.casefold() in _YES
        case "integer" | "number":
            return _checked_number(field, prop, text)
        case _:
            return _checked_text(prop, text)


def _several(field: FormField, prop: Mapping[str, Any], said: Sequence[str]) -> list[str]:
    chosen = list(dict.fromkeys(_chosen(field, text) for text in said))
    least, most = _number(prop.get("minItems")), _number(prop.get("maxItems"))
    if least is not None and len(chosen) < least:
        raise ValueError(f"takes at least {least:g} of the choices")
    if most is not None and len(chosen) > most:
        raise ValueError(f"takes at most {most:g} of the choices")
    return chosen


def _chosen(field: FormField, text: str) -> str:
    option = _option(field, text)
    if option is None:
        raise ValueError(f"is one of {', '.join(option.label for option in field.options)}")
    return str(option.value)


def _option(field: FormField, text: str) -> FormOption | None:
    exact = next((option for option in field.options if option.value == text), None)
    if exact is not None:
        return exact
    wanted = text.strip().casefold()
    found = [o for o in field.options if wanted in (str(o.value).casefold(), o.label.casefold())]
    return found[0] if len(found) == 1 else None


def _checked_number(field: FormField, prop: Mapping[str, Any], text: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError("is no number") from None
    if not math.isfinite(value):
        raise ValueError("is no number")
    if field.type == "integer":
        if not value.is_integer():
            raise ValueError("is no whole number")
        value = int(text) if text.lstrip("+-").isdigit() else int(value)
    low, high = _number(prop.get("minimum")), _number(prop.get("maximum"))
    if low is not None and value < low:
        raise ValueError(f"is at least {low:g}")
    if high is not None and value > high:
        raise ValueError(f"is at most {high:g}")
    return value


def _checked_text(prop: Mapping[str, Any], text: str) -> str:
    least, most = _number(prop.get("minLength")), _number(prop.get("maxLength"))
    if least is not None and len(text) < least:
        raise ValueError(f"has at least {least:g} characters")
    if most is not None and len(text) > most:
        raise ValueError(f"has at most {most:g} characters")
    if len(text) > _TEXT_LIMIT:
        raise ValueError(f"has at most {_TEXT_LIMIT} characters")
    kind = prop.get("format")
    if not has_format(str(kind), text):
        raise ValueError(f"is no {kind}")
    if isinstance(pattern := prop.get("pattern"), str) and not matches(pattern, text):
        raise ValueError(f"does not match {pattern}")
    return text


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _named(fields: Sequence[FormField], path: str) -> str:
    return next((field.title for field in fields if field.path == path), path)
