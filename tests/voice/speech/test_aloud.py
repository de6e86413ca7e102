"""What everybody in the room may hear."""

from __future__ import annotations

import pytest

from voice.speech.aloud import LONGEST, aloud


@pytest.mark.parametrize(
    ("text", "language", "spoken"),
    [
        ("Start a plan run: “spring sale”. Yes or no?", "en", "Start a plan run: “spring sale”. Yes or no?"),
        ("Open /home/me/secret plans/a.txt, now.", "en", "Open a path a path, now."),
        ("Add a workspace: folder /srv/shop.", "en", "Add a workspace: folder a path."),
        ("Write ~/notes.md and C:\\Users\\me\\x.txt", "en", "Write a path and a path"),
        ("Run `rm -rf build` here?", "en", "Run a command here?"),
        ("Fetch https://example.com/x?token=1 please", "en", "Fetch an address please"),
        ("Set API_TOKEN=abcdef123 for it", "en", "Set a secret for it"),
        ("The key is sk-abcdefghijklmnopqrstuv today", "en", "The key is a secret today"),
        ("打开 /home/me/a.txt 吗?", "zh", "打开 某个路径 吗?"),
        ("Edit src/app/main.py.", "en", "Edit a path."),
        ("Ratio is 1/2 and yes/no", "en", "Ratio is 1/2 and yes/no"),
    ],
)  # fmt: skip
def test_what_must_not_be_heard_is_named_instead(text: str, language: str, spoken: str) -> None:
    assert aloud(text, language) == spoken


def test_a_long_text_is_cut_at_a_word() -> None:
    spoken = aloud("word " * 200)
    assert len(spoken) <= LONGEST + 1
    assert spoken.endswith("word…")
