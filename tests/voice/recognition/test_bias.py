"""The prompt that names what can be said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from voice.recognition.bias import World, build_prompt, estimate_tokens
from voice.recognition.recognizer import Recognizer

WORLD = World(
    sessions=("payments api", "auth-refactor"),
    workspaces=("acme_web",),
    providers=("Claude", "Codex"),
    action_words=("inbox",),
    example="Start a review run with Claude and Codex.",
)


def test_english_opens_with_a_command_and_ends_with_none() -> None:
    assert build_prompt(WORLD) == (
        "Start a review run with Claude and Codex. Providers: Claude, Codex. Sessions: payments api, auth refactor. "
        "Workspaces: acme web. Words: inbox. Quiet room, morning light."
    )


def test_chinese_holds_names_and_nouns_only_in_simplified_characters() -> None:
    world = World(
        sessions=("發布說明",), providers=("Claude",), action_words=("收件匣", "會話"), example="打开会话发布"
    )
    prompt = build_prompt(world, "zh")
    assert prompt == "代理：Claude。会话：发布说明。词语：收件匣、会话。安静的房间，早上的阳光。"
    assert "打开" not in prompt


def test_nothing_to_name_is_no_prompt() -> None:
    assert build_prompt(World()) == ""
    assert build_prompt(World(example="Open the inbox")) == ""


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_large_world_keeps_the_first_of_each_list(english: Recognizer, language: str, exact: bool) -> None:
    world = World(
        sessions=[f"session number {n}" for n in range(300)],
        workspaces=[f"workspace {n}" for n in range(300)],
        providers=["Claude", "Codex"],
        action_words=["inbox"],
    )
    count: Callable[[str], int] = english.count_tokens if exact else estimate_tokens
    prompt = build_prompt(world, language, count_tokens=count)
    assert english.count_tokens(prompt) <= 200
    for name in ("session number 0", "workspace 0", "Claude", "Codex", "inbox"):
        assert name in prompt
    assert "session number 299" not in prompt


def test_one_endless_name_does_not_keep_the_others_out() -> None:
    prompt = build_prompt(World(sessions=("very long " * 200,), providers=("Claude",)))
    assert "Claude" in prompt
    assert "very long" not in prompt
    assert build_prompt(World(sessions=("very long " * 200,))) == ""


def test_the_estimate_is_cautious(english: Recognizer) -> None:
    for text in (
        "docs site, payments api, auth refactor, billing worker",
        "Kiro, Qwen, Kimi, Auggie",
        "会话：发布说明、收件箱",
    ):
        assert estimate_tokens(text) >= 0.85 * english.count_tokens(text)
