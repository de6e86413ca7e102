"""Compiling templates: what is refused, and how it says so."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from tests.voice.intent import toy
from voice.intent import ActionWords, GrammarError, Matcher, Phrase, Slot, World, compile


def words(action: str, *templates: str, slots: Sequence[Slot] = (), language: str = "en") -> ActionWords:
    phrases = tuple(Phrase(action, t, "zh" if language == "zh" else "en") for t in templates)
    return ActionWords(action, action.title(), "read", phrases, tuple(slots))


TEXT = Slot("topic", "text")
NAME = Slot("name", "options", nouns=("session",))


def test_the_same_words_for_two_actions_are_refused_with_both_names() -> None:
    with pytest.raises(GrammarError) as caught:
        compile([words("a.one", "(start|kick off) [a] run"), words("b.two", "kick off [the|a] run [now]")])
    assert "a.one" in caught.value.message
    assert "b.two" in caught.value.message
    assert caught.value.details["actions"] == ["a.one", "b.two"]


def test_two_text_slots_are_the_same_words_whatever_they_are_called() -> None:
    with pytest.raises(GrammarError, match=r"a\.one.*b\.two"):
        compile(
            [
                words("a.one", "note {topic}", slots=[TEXT]),
                words("b.two", "note {body}", slots=[Slot("body", "text")]),
            ]
        )


def test_the_same_words_for_one_action_are_fine_and_contradicting_values_are_not() -> None:
    compile([words("a.one", "stop [the] run", "stop run")])
    both = ActionWords(
        "a.one",
        "One",
        "write",
        (
            Phrase("a.one", "settle [the] case", "en", {"decision": "approve"}),
            Phrase("a.one", "settle case", "en", {"decision": "reject"}),
        ),
    )
    with pytest.raises(GrammarError):
        compile([both])


def test_slots_of_different_fields_may_follow_the_same_word() -> None:
    compile(
        [words("a.one", "open {name}", slots=[NAME]), words("b.two", "open {place}", slots=[Slot("place", "options")])]
    )


@pytest.mark.parametrize("template", ["open {nmae}", "open {name"])
def test_unknown_slots_and_bad_syntax_name_the_action(template: str) -> None:
    with pytest.raises(GrammarError, match=r"a\.one"):
        compile([words("a.one", template, slots=[NAME])])


def test_a_template_needs_a_word_of_its_own() -> None:
    with pytest.raises(GrammarError, match="no word of its own"):
        compile([words("a.one", "[the] {name} [session]", slots=[NAME])])


def test_english_and_chinese_do_not_collide() -> None:
    compile([words("a.one", "m c p"), words("b.two", "打开 m c p", language="zh")])


def test_compiling_is_fast() -> None:
    catalog = toy.catalog()
    assert sum(len(a.phrases) for a in catalog) > 60
    compile(catalog)
    began = time.process_time()
    compile(catalog)
    assert time.process_time() - began < 0.2


def test_words_run_together_are_heard_past_an_optional_word() -> None:
    """ "OpenMCP" is "open [the] m c p"."""
    phrase = Phrase("ui.open", "(open|show) [the] m c p settings", "en")
    match = Matcher(compile([ActionWords("ui.open", "Open", "read", (phrase,))]), World()).match
    assert match("OpenMCP settings").action == "ui.open"
