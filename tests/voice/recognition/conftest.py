"""The real weights, loaded once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from voice.recognition.models import choose_model
from voice.recognition.recognizer import Recognizer


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def english(model_cache: Path) -> Recognizer:
    return Recognizer(choose_model(cache=model_cache, language="en", environment={}))


@pytest.fixture(scope="session")
def multilingual(model_cache: Path) -> Recognizer:
    return Recognizer(choose_model(cache=model_cache, language="zh", environment={}))
