"""Yes and no: a small exact list, and the words of the prompt."""

from __future__ import annotations

import pytest

from voice.intent.confirm import confirm

TITLE, TITLE_ZH = "Start a plan run", "开始计划运行"


@pytest.mark.parametrize(
    "text",
    ["Yes.", "yes please", "Yeah!", "OK", "go ahead", "Do it.", "confirm", "Permission granted", "approved", "yes yes",
     "start a plan run", "Yes, start the plan run", "please start the plan run",
     "是的", "好的。", "确认", "好吧", "是", "可以"],
)  # fmt: skip
def test_yes(text: str) -> None:
    assert confirm(text, TITLE) == "yes"


@pytest.mark.parametrize(
    "text",
    ["No.", "nope", "don't", "Do not do it", "cancel", "Stop!", "never mind", "no no", "don't start the plan run",
     "do not start a plan run", "不", "不要", "取消", "算了", "不行"],
)  # fmt: skip
def test_no(text: str) -> None:
    assert confirm(text, TITLE) == "no"


@pytest.mark.parametrize(
    "text",
    ["", "maybe", "yes but not that one", "yesterday was fun", "no idea, yes I guess", "start", "the plan", "what",
     "stop a run", "yes no", "好像不对吧"],
)  # fmt: skip
def test_unclear(text: str) -> None:
    assert confirm(text, TITLE) == "unclear"


def test_chinese_title() -> None:
    assert confirm("开始计划运行", TITLE_ZH) == "yes"
    assert confirm("不要开始计划运行", TITLE_ZH) == "no"
