"""What a schema's check found and what its kinds are called, in the window's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from actions.catalog.json_schema import Problem
from desktop.forms.schema import Kind, Node, label_of

_EXAMPLES = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T14:30:00Z",
    "time": "14:30:00",
    "email": "name@example.org",
    "uri": "https://example.org",
    "ipv4": "192.0.2.1",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
}
translate = QCoreApplication.translate


def problem_words(problem: Problem) -> str:
    """One problem in words that stand beside its field; the library's own where we have none."""
    template = _templates().get(problem.keyword)
    if template is None:
        return problem.message
    limit = problem.limit
    if problem.keyword == "type":
        kinds = [str(kind) for kind in (limit if isinstance(limit, list) else [limit])]
        names = {"string": Kind.TEXT, "array": Kind.LIST, "object": Kind.GROUP, "null": Kind.NOTHING}
        return template.format(
            " / ".join(kind_word(names.get(kind) or (Kind(kind) if kind in list(Kind) else Kind.ANY)) for kind in kinds)
        )
    if problem.keyword == "format":
        return template.format(_EXAMPLES.get(str(limit), limit))
    if problem.keyword == "enum" and isinstance(limit, list):
        return template.format(", ".join(label_of(value) for value in limit[:12]))
    return template.format(label_of(limit))


def refusal_words(error: Mapping[str, str]) -> str:
    """A refusal of the host, ``{message, keyword?, limit?}``, in the window's language where we have words for it."""
    return problem_words(Problem((), error.get("keyword", ""), error.get("limit", ""), error.get("message", "")))


def kind_word(kind: Kind) -> str:
    """A kind of value, as a person calls it."""
    return {
        Kind.TEXT: translate("SchemaWords", "text"),
        Kind.INTEGER: translate("SchemaWords", "a whole number"),
        Kind.NUMBER: translate("SchemaWords", "a number"),
        Kind.BOOLEAN: translate("SchemaWords", "yes or no"),
        Kind.CHOICE: translate("SchemaWords", "a choice"),
        Kind.CHOICES: translate("SchemaWords", "choices"),
        Kind.GROUP: translate("SchemaWords", "several fields"),
        Kind.LIST: translate("SchemaWords", "a list"),
        Kind.VARIANTS: translate("SchemaWords", "one of several"),
        Kind.NOTHING: translate("SchemaWords", "nothing"),
        Kind.ANY: translate("SchemaWords", "any value, as JSON"),
    }[kind]


def hints_of(node: Node) -> str:
    """The bounds of a value in words, for who fills it in."""
    schema: Mapping[str, Any] = node.schema
    shown = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems")
    shown += ("maxItems", "minLength", "maxLength")
    templates = _templates()
    parts = [templates[key].format(label_of(schema[key])) for key in shown if _says(schema, key)]
    return " ".join(parts)


def example_of(node: Node) -> str:
    """What stands in an empty field: an example, else how its format is written."""
    examples = node.schema.get("examples")
    if isinstance(examples, list) and examples and isinstance(examples[0], str | int | float):
        return label_of(examples[0])
    return _EXAMPLES.get(str(node.schema.get("format")), "")


def _says(schema: Mapping[str, Any], key: str) -> bool:
    value = schema.get(key)
    return value is not None and not (key.startswith("minL") and value in (0, 1))


def _templates() -> dict[str, str]:
    return {
        "required": translate("SchemaWords", "This is needed."),
        "type": translate("SchemaWords", "This must be: {0}."),
        "enum": translate("SchemaWords", "One of: {0}."),
        "const": translate("SchemaWords", "Only {0} is possible."),
        "minimum": translate("SchemaWords", "At least {0}."),
        "maximum": translate("SchemaWords", "At most {0}."),
        "exclusiveMinimum": translate("SchemaWords", "More than {0}."),
        "exclusiveMaximum": translate("SchemaWords", "Less than {0}."),
        "multipleOf": translate("SchemaWords", "A multiple of {0}."),
        "minLength": translate("SchemaWords", "At least {0} characters."),
        "maxLength": translate("SchemaWords", "At most {0} characters."),
        "minItems": translate("SchemaWords", "At least {0} entries."),
        "maxItems": translate("SchemaWords", "At most {0} entries."),
        "minProperties": translate("SchemaWords", "At least {0} fields."),
        "maxProperties": translate("SchemaWords", "At most {0} fields."),
        "uniqueItems": translate("SchemaWords", "Each entry once only."),
        "pattern": translate("SchemaWords", "It must match {0}."),
        "format": translate("SchemaWords", "Write it like {0}."),
        "additionalProperties": translate("SchemaWords", "This name is not expected here."),
        "propertyNames": translate("SchemaWords", "This name is not allowed here."),
        "not": translate("SchemaWords", "This combination is not allowed."),
        "oneOf": translate("SchemaWords", "It must fit exactly one of the shapes."),
        "anyOf": translate("SchemaWords", "It fits none of the shapes."),
        "contains": translate("SchemaWords", "An entry that is asked for is missing."),
        "dependentRequired": translate("SchemaWords", "A field that belongs to another one is missing."),
    }
