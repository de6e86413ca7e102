"""The sentence that says what will be done: the action by its title, each value by its label."""

from __future__ import annotations

from voice.intent.fill import Filled
from voice.intent.model import ActionWords, Language, Slot

_FIELD_ZH = {"providers": "使用", "provider": "使用"}


def readback(words: ActionWords, filled: Filled, missing: tuple[str, ...], language: Language) -> str:
    """ "Start a plan run: instructions “migrate to postgres”, with Scout. Yes or no?"; a missing value is asked for."""
    parts = [_part(words, name, labels, language) for name, labels in filled.labels.items() if name not in missing]
    title = words.title_in(language)
    chinese = language == "zh"
    said = [part for part in parts if part]
    text = title + ((("：" if chinese else ": ") + ("，" if chinese else ", ").join(said)) if said else "")
    stop = "。" if chinese else ". "
    if missing:
        return (text + stop + _question(words, missing[0], filled, language)).strip()
    if words.effect in ("none", "read"):
        return (text + stop).strip()
    return text + stop + ("是还是否？" if chinese else "Yes or no?")


def _part(words: ActionWords, name: str, labels: list[str], language: Language) -> str:
    slot = words.slot(name)
    spoken = _listed(labels, language)
    if slot is not None and slot.kind == "text":
        spoken = f"“{spoken}”"
    if name in _FIELD_ZH:
        return f"{_FIELD_ZH[name]} {spoken}" if language == "zh" else f"with {spoken}"
    return f"{field_title(slot, name, language)} {spoken}"


def field_title(slot: Slot | None, name: str, language: str) -> str:
    """A field's own title, else its name as words: "session_id" is "session"."""
    title = (slot.titles.get(language) or slot.titles.get("en")) if slot is not None else None
    if title:
        return title if language == "zh" else title[:1].lower() + title[1:]
    return name.removesuffix("_ids").removesuffix("_id").replace("_", " ").replace(".", " ")


def _question(words: ActionWords, name: str, filled: Filled, language: Language) -> str:
    heard = _listed(filled.labels.get(name, []), language)
    slot = words.slot(name)
    ask = words.ask.get(f"{name}.{language}") or words.ask.get(name)
    if not ask:
        title = field_title(slot, name, language)
        ask = f"{title}是什么？" if language == "zh" else f"Which {title}?"
    if not heard:
        return ask
    return f"“{heard}”用不了。{ask}" if language == "zh" else f"“{heard}” cannot be used. {ask}"


def _listed(labels: list[str], language: Language) -> str:
    if len(labels) < 2:
        return "".join(labels)
    if language == "zh":
        return "、".join(labels)
    return ", ".join(labels[:-1]) + " and " + labels[-1]
