"""What is understood as a card: the action, its values as a person reads them, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from actions.catalog.spec import Effect
from desktop.voicebar.state import CardField, VoiceCard

if TYPE_CHECKING:
    from actions.catalog.registry import Catalog
    from voice.intent.model import Intent, World


def card_of(catalog: Catalog, intent: Intent, world: World, language: str) -> VoiceCard | None:
    """None where no action was understood."""
    spec = catalog.get(intent.action) if intent.action else None
    if spec is None:
        return None
    fields = {f.path: f for f in catalog.form(spec, language)}
    rows = [
        CardField(fields[path].title, _words(world, spec.id, path, value), path in intent.missing)
        for path, value in intent.input.items()
        if path in fields
    ]
    rows += [CardField(fields[p].title, "", True) for p in intent.missing if p in fields and p not in intent.input]
    return VoiceCard(
        heard=intent.heard,
        action=spec.id,
        title=spec.title.in_language(language),
        fields=tuple(rows),
        confidence=intent.confidence,
        readback=intent.readback,
        confirmable=not intent.missing,
        danger=spec.effect is Effect.DANGER,
        input=dict(intent.input),
    )


def changeable(catalog: Catalog | None, intent: Intent) -> list[str]:
    """The fields that a correction may mean: those with values to choose from, then the only one of free text."""
    if catalog is None or intent.action is None:
        return []
    told = (*intent.missing, *intent.input)
    fields = [field for field in catalog.form(catalog.specs[intent.action], "en") if field.path in told]
    chosen = [field.path for field in fields if field.options or field.source]
    texts = [field.path for field in fields if field.type == "string" and field.path not in chosen]
    return chosen + (texts if len(texts) == 1 else [])


def nothing_heard() -> str:
    return QCoreApplication.translate("LocalVoice", "No speech was heard.")


def no_command(heard: str, near: Sequence[str]) -> str:
    """What was heard, and the titles of actions that are near."""
    said = QCoreApplication.translate("LocalVoice", "I heard “{0}”, which is no command.").format(heard)
    if not near:
        return said
    names = ", ".join(f"“{title}”" for title in near)
    return said + " " + QCoreApplication.translate("LocalVoice", "Near: {0}.").format(names)


def nothing_to_repeat() -> str:
    return QCoreApplication.translate("LocalVoice", "There is nothing to repeat yet.")


def nothing_to_undo() -> str:
    return QCoreApplication.translate("LocalVoice", "What was done last cannot be taken back by voice.")


def what_to_say(examples: Sequence[str]) -> str:
    """Sentences that can be said now."""
    said = ", ".join(f"“{example}”" for example in examples)
    return QCoreApplication.translate("LocalVoice", "You can say: {0}.").format(said)


def _words(world: World, action: str, path: str, value: Any) -> str:
    """A value as a person reads it: the labels of options, else its text."""
    labels: Mapping[Any, str] = {o.value: o.label for o in world.options.get((action, path), ())}
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(labels.get(entry, str(entry)) for entry in values)
