"""Both sides of a match are normalised the same way."""

from __future__ import annotations

import pytest

from voice.intent import numbers, sound
from voice.intent.text import plain, read


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Open M.C.P. settings!", "open mcp settings"),
        ("open m c p settings", "open mcp settings"),
        ("start a m c p run", "start a mcp run"),
        ("payments A P I", "payments api"),
        ("kiosk-7", "kiosk seven"),
        ("Kiosk 7", "kiosk seven"),
        ("kiosk7", "kiosk seven"),
        ("graph_layout", "graph layout"),
        ("the 3rd one", "the third one"),
        ("the 21st", "the twenty first"),
        ("the 40th", "the fortieth"),
        ("120 lines", "one hundred twenty lines"),
        ("one hundred and twenty lines", "one hundred twenty lines"),
        ("Claude and Codex", "claude and codex"),
        ("don’t", "don't"),
        ("John's session", "john session"),
        ("code 007", "code 007"),
        ("", ""),
        ("...!?", ""),
        ("I a b c", "i abc"),
    ],
)
def test_english_forms(text: str, forms: str) -> None:
    assert " ".join(plain(text)) == forms


def test_chinese_is_simplified_and_split_into_characters() -> None:
    assert plain("請打開Claude的會話") == ("请", "打", "开", "claude", "的", "会", "话")


def test_free_text_keeps_its_own_spelling() -> None:
    heard = read("rename it to Spike No. 7, please")
    assert heard.surface(3, 6) == "Spike No. 7"


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("seven", 7),
        ("twenty five", 25),
        ("one hundred twenty", 120),
        ("two thousand three", 2003),
        ("one hundred in twenty", None),
        ("seven eight", None),
        ("one hundred twenty three thousand four", 123_004),
        ("十 二", 12),
        ("二 十", 20),
        ("两 百 三 十", 230),
        ("lots", None),
        ("", None),
    ],
)
def test_numbers(words: str, value: int | None) -> None:
    assert numbers.parse(words.split()) == value


@pytest.mark.parametrize("number", [0, 7, 13, 40, 99, 100, 342, 1000, 54_321, 999_999])
def test_a_spelled_number_is_read_back(number: int) -> None:
    assert numbers.parse(numbers.spell(number)) == number


@pytest.mark.parametrize(
    "group",
    [
        "qwen kwen quen",
        "kiro keero cairo",
        "codex codix codecs",
        "claude clawed cloud claud",
        "auggie augie oggy",
        "gemini jemini jiminy",
        "kimi kimmy",
    ],
)
def test_homophones_of_provider_names_fall_together(group: str) -> None:
    assert len({sound.skeleton(sound.key(word)) for word in group.split()}) == 1


def test_negations_and_polite_questions() -> None:
    assert read("do not open it").negations() == {1}
    assert not read("won't you open it").negations()
    assert read("don't you open it").negations()
    assert read("不要打开").negations() == {0}


def test_spelled_letters_whose_names_end_alike_are_near() -> None:
    assert sound.key("ncp") == sound.key("mcp") == sound.key("mct")
    assert sound.key("mcp") != sound.key("mkp")
    assert sound.key("my") != sound.key("ny")
