from __future__ import annotations

from voice.recognition.chinese import to_simplified


def test_traditional_characters_become_simplified() -> None:
    assert to_simplified("打開會話,請求 Claude 審查") == "打开会话,请求 Claude 审查"


def test_other_text_stays() -> None:
    assert to_simplified("Open the inbox") == "Open the inbox"
    assert to_simplified("打开会话") == "打开会话"
