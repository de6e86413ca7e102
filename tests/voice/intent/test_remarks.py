"""Remarks on the dialogue, and what is none."""

from __future__ import annotations

import pytest

from voice.intent.remarks import About, Remark, remark


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Say that again, please.", Remark(About.REPEAT)),
        ("再说一遍", Remark(About.REPEAT)),
        ("What can I say?", Remark(About.HELP)),
        ("我能说什么?", Remark(About.HELP)),
        ("Undo that", Remark(About.UNDO)),
        ("撤销", Remark(About.UNDO)),
        ("No, I meant Qwen.", Remark(About.CORRECTION, "Qwen")),
        ("no I meant stop the session", Remark(About.CORRECTION, "stop the session")),
        ("不,我是说支付接口", Remark(About.CORRECTION, "支付接口")),
        ("I said the second one", Remark(About.CORRECTION, "the second one")),
    ],
)
def test_a_remark(text: str, expected: Remark) -> None:
    assert remark(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "stop the session",
        "no",
        "no I meant",
        "undo the last commit",
        "I need help with postgres",
        "",
        "repeat after me",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert remark(text) is None
