"""Which model is taken, and what is said when it cannot be."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from actions.errors import InvalidInput, NotFound, SaysoError
from voice.recognition.models import choose_model, normal_language
from voice.recognition.recognizer import Recognizer
from voice.recognition.weights import BASE, TINY_EN, Weights, WeightsDamaged, WeightsMissing, locate, verify

# From the published conversions: Systran/faster-whisper-tiny.en and -base, sizes of model.bin in bytes.
SIZES = {"tiny.en": 75_537_502, "base": 145_217_532}


@pytest.mark.parametrize(
    ("language", "environment", "name", "heard_as"),
    [
        (None, {}, "tiny.en", "en"),
        ("en-GB", {}, "tiny.en", "en"),
        ("zh-CN", {}, "base", "zh"),
        ("de", {}, "base", "de"),
        (None, {"LANG": "zh_CN.UTF-8"}, "base", "zh"),
        (None, {"LANG": "C.UTF-8"}, "tiny.en", "en"),
        ("en", {"SAYSO_WHISPER_MODEL": "base"}, "base", "en"),
    ],
)
def test_the_language_chooses_the_packaged_model(
    model_cache: Path, language: str | None, environment: dict[str, str], name: str, heard_as: str
) -> None:
    choice = choose_model(cache=model_cache, language=language, environment=environment)
    assert (choice.name, choice.language, choice.verified) == (name, heard_as, True)
    assert (choice.folder / "model.bin").stat().st_size == SIZES[name]


def test_the_environment_beats_the_setting(model_cache: Path) -> None:
    env = {"SAYSO_WHISPER_MODEL": "tiny.en"}
    choice = choose_model(cache=model_cache, setting="base", environment=env)
    assert (choice.name, choice.source) == ("tiny.en", "environment")
    choice = choose_model(cache=model_cache, setting="base", environment={})
    assert (choice.name, choice.source) == ("base", "setting")


def test_a_folder_of_the_users_own_is_taken_with_a_note(model_cache: Path, tmp_path: Path) -> None:
    own = tmp_path / "my-whisper"
    shutil.copytree(choose_model(cache=model_cache, language="en", environment={}).folder, own)
    choice = choose_model(cache=model_cache, environment={"SAYSO_WHISPER_MODEL": str(own)})
    assert (choice.folder, choice.language, choice.verified) == (own, "en", False)
    assert "your own model" in choice.note
    with pytest.raises(InvalidInput, match="English only"):
        choose_model(cache=model_cache, language="zh", environment={"SAYSO_WHISPER_MODEL": str(own)})
    (own / "tokenizer.json").unlink()
    with pytest.raises(NotFound, match=r"lacks tokenizer\.json"):
        choose_model(cache=model_cache, environment={"SAYSO_WHISPER_MODEL": str(own)})


def test_a_wrong_name_or_folder_says_what_there_is(model_cache: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"tiny\.en, base"):
        choose_model(cache=model_cache, setting="enormous", environment={})
    with pytest.raises(NotFound, match="SAYSO_WHISPER_MODEL"):
        choose_model(cache=model_cache, environment={"SAYSO_WHISPER_MODEL": str(tmp_path / "gone")})
    with pytest.raises(InvalidInput, match="no language code"):
        normal_language("../etc")


def test_a_missing_package_names_the_repair(tmp_path: Path) -> None:
    absent = Weights("absent", False, (("no_such_package_here", "model"),), ("no-such-package==1",), TINY_EN.sha256)
    with pytest.raises(WeightsMissing, match="make setup") as caught:
        locate(absent, tmp_path)
    assert caught.value.details["packages"] == ["no-such-package==1"]


@pytest.fixture
def damaged_copy(model_cache: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    shutil.copytree(locate(TINY_EN, model_cache), folder)
    return folder


@pytest.mark.parametrize("name", ["model.bin", "config.json", "tokenizer.json", "vocabulary.txt"])
def test_each_file_is_checked(damaged_copy: Path, tmp_path: Path, name: str) -> None:
    verify(TINY_EN, damaged_copy, tmp_path)  # whole, and remembered
    with (damaged_copy / name).open("r+b") as file:
        first = file.read(1)
        file.seek(0)
        file.write(bytes([first[0] ^ 1]))
    os.utime(damaged_copy / name, ns=(1, 1))
    with pytest.raises(WeightsDamaged, match=name):
        verify(TINY_EN, damaged_copy, tmp_path)
    (damaged_copy / name).unlink()
    with pytest.raises(WeightsDamaged, match="is missing"):
        verify(TINY_EN, damaged_copy, tmp_path)


def test_a_checked_file_is_not_read_again(model_cache: Path) -> None:
    folder = locate(TINY_EN, model_cache)
    remembered = json.loads((model_cache / "verified.json").read_text())
    assert remembered[str(folder / "model.bin")]["sha256"] == TINY_EN.sha256["model.bin"]


@pytest.mark.parametrize("rubbish", ["", "[]", "{", '{"a": 1}'])
def test_a_broken_memory_only_costs_time(tmp_path: Path, rubbish: str) -> None:
    (tmp_path / "verified.json").write_text(rubbish)
    assert locate(TINY_EN, tmp_path).is_dir()


def test_a_damaged_joined_model_is_joined_again(model_cache: Path) -> None:
    folder = locate(BASE, model_cache)
    with (folder / "model.bin").open("r+b") as file:
        file.truncate(1_000)
    again = locate(BASE, model_cache)
    assert (again / "model.bin").stat().st_size == SIZES["base"]
    assert [path.name for path in model_cache.iterdir() if path.name.startswith(".")] == []


def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(SaysoError, match="150 MB"):
        locate(BASE, blocked / "models")
    assert locate(TINY_EN, blocked / "models").is_dir()  # needs no cache


def test_a_folder_that_is_no_model_is_an_error_of_ours(model_cache: Path, damaged_copy: Path) -> None:
    (damaged_copy / "model.bin").write_bytes(b"rubbish")
    choice = choose_model(cache=model_cache, environment={"SAYSO_WHISPER_MODEL": str(damaged_copy)})
    with pytest.raises(SaysoError, match="does not load"):
        Recognizer(choice)
