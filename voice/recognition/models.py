"""Which speech model to use: what the user names, then the setting, then the packaged one for the language."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from actions.errors import InvalidInput, NotFound
from voice.recognition.weights import BASE, KNOWN, MODEL_FILE, TINY_EN, Weights, installed, locate

ENVIRONMENT = "SAYSO_WHISPER_MODEL"
ModelSource = Literal["environment", "setting", "package"]


@dataclass(frozen=True)
class ModelChoice:
    """A model folder that is ready to load.

    ``language`` is the language to recognise, as Whisper writes it ("en", "zh"); ``verified`` says that the files are
    a known release; ``note`` is a sentence for ``doctor``, empty when there is nothing to say.
    """

    name: str
    folder: Path
    language: str
    source: ModelSource
    verified: bool
    note: str = ""


def choose_model(
    *,
    cache: Path,
    language: str | None = None,
    setting: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> ModelChoice:
    """Find the model for ``language`` (a code such as "en" or "zh-CN"; None: by ``LANG``) and check its files.

    ``SAYSO_WHISPER_MODEL`` beats ``setting``; both hold a folder or one of the names "tiny.en" and "base". Without
    them English takes tiny.en, every other language base. ``cache`` is the folder for joined models
    (``Paths.models`` of the home).

    Raises:
        WeightsMissing, WeightsDamaged: with the command that repairs it.
        NotFound: the named folder is not there or lacks files.
        InvalidInput: an unknown name, or a language that the named model does not know.
    """
    env = os.environ if environment is None else environment
    for source, wish in (("environment", env.get(ENVIRONMENT)), ("setting", setting)):
        if wish:
            return _wished(wish, "environment" if source == "environment" else "setting", cache, language, env)
    spoken = normal_language(language) if language else _default_language(env)
    weights = TINY_EN if spoken == "en" and installed(TINY_EN) else BASE
    if spoken == "en" and not installed(BASE):
        weights = TINY_EN
    return ModelChoice(weights.name, locate(weights, cache), spoken, "package", verified=True)


def normal_language(code: str) -> str:
    """ "zh-CN", "zh_CN.UTF-8" and "ZH" are "zh". Raises InvalidInput when it is no language code."""
    short = code.strip().replace("_", "-").split("-")[0].split(".")[0].lower()
    if not (short.isascii() and short.isalpha() and 2 <= len(short) <= 3):
        problem = f"{code!r} is no language code; write en or zh."
        raise InvalidInput(problem, [{"field": "language", "message": problem}])
    return short


def _default_language(env: Mapping[str, str]) -> str:
    """Chinese when the user's locale is, and its model is here; else English."""
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") and installed(BASE) else "en"


def _wished(wish: str, source: ModelSource, cache: Path, language: str | None, env: Mapping[str, str]) -> ModelChoice:
    named = KNOWN.get(wish)
    if named is not None:
        spoken = _fitting(normal_language(language) if language else None, named.multilingual, wish, env)
        return ModelChoice(wish, locate(named, cache), spoken, source, verified=True)
    folder = Path(wish).expanduser()
    looks_like_path = folder.is_absolute() or os.sep in wish or folder.is_dir()
    if not looks_like_path:
        problem = f"{wish!r} is no packaged speech model ({', '.join(KNOWN)}) and no folder. Nothing is downloaded."
        raise InvalidInput(problem, [{"field": "model", "message": problem}])
    _check_folder(folder, source)
    multilingual = _is_multilingual(folder)
    spoken = _fitting(normal_language(language) if language else None, multilingual, folder.name, env)
    note = f"{folder} is your own model: its files are there, their origin is not checked."
    return ModelChoice(folder.name, folder, spoken, source, verified=False, note=note)


def _check_folder(folder: Path, source: ModelSource) -> None:
    where = ENVIRONMENT if source == "environment" else "the speech model setting"
    if not folder.is_dir():
        raise NotFound(f"There is no speech model folder {folder}. Correct {where}.", details={"folder": str(folder)})
    missing = [name for name in (MODEL_FILE, "config.json", "tokenizer.json") if not (folder / name).is_file()]
    if not any((folder / name).is_file() for name in ("vocabulary.txt", "vocabulary.json")):
        missing.append("vocabulary.txt")
    if missing:
        raise NotFound(
            f"The speech model folder {folder} lacks {', '.join(missing)}. "
            f"Name a CTranslate2 Whisper folder in {where}.",
            details={"folder": str(folder), "missing": missing},
        )


def _is_multilingual(folder: Path) -> bool:
    """The English models have a vocabulary of 51,864 words, all others more (openai/whisper, model.py)."""
    words = folder / "vocabulary.json"
    try:
        if words.is_file():
            return len(json.loads(words.read_text("utf-8"))) >= 51865
        with (folder / "vocabulary.txt").open("rb") as file:
            return sum(1 for _ in file) >= 51865
    except (OSError, ValueError) as error:
        raise NotFound(
            f"The vocabulary in {folder} cannot be read. Copy the model again.", details={"folder": str(folder)}
        ) from error


def _fitting(language: str | None, multilingual: bool, name: str, env: Mapping[str, str]) -> str:
    if multilingual:
        return language or _default_language(env)
    if language not in (None, "en"):
        problem = f"The speech model {name} knows English only, not {language!r}. Name base, or unset {ENVIRONMENT}."
        raise InvalidInput(problem, [{"field": "language", "message": problem}])
    return "en"


def packaged() -> tuple[Weights, ...]:
    """The packaged models that are installed here."""
    return tuple(weights for weights in KNOWN.values() if installed(weights))
