"""The form card of an intent: the action's own titles, and values as a person reads them. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from actions.catalog.form import FormField, spec_form
from actions.catalog.spec import ActionSpec, Effect
from desktop.voicebar.state import CardField, VoiceCard
from voice.intent.model import Intent, World


def card_of(intent: Intent, spec: ActionSpec, world: World, language: str) -> VoiceCard:
    """What is shown before anything runs. A missing value comes with the question that asks for it."""
    form = {field.path: field for field in spec_form(spec, language)}
    shown = [path for path in form if path in intent.input or path in intent.missing]
    fields = tuple(
        CardField(
            form[path].title,
            _readable(intent.input.get(path), form[path], _labels(world, spec.id, path)),
            missing=path in intent.missing,
        )
        for path in shown
    )
    first = next((form[path] for path in intent.missing if path in form), None)
    return VoiceCard(
        heard=intent.heard,
        action=spec.id,
        title=spec.title.in_language(language),
        fields=fields,
        confidence=intent.confidence,
        readback=intent.readback,
        question=(first.ask or intent.readback) if first is not None else "",
        confirmable=not intent.missing,
        danger=spec.effect is Effect.DANGER,
        input={path: value for path, value in intent.input.items() if path not in intent.missing},
    )


def _labels(world: World, action: str, path: str) -> Mapping[Any, str]:
    return {str(option.value): option.label for option in world.options.get((action, path), ())}


def _readable(value: Any, field: FormField, labels: Mapping[Any, str]) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return ", ".join(_readable(part, field, labels) for part in value)
    known = {str(option.value): option.label for option in field.options}
    return labels.get(str(value)) or known.get(str(value)) or str(value)
