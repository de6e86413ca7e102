"""Yes or no to a read-back: a small exact list, and the prompt's own words."""

from __future__ import annotations

from typing import Literal

from voice.intent.text import FILLER, NEGATIONS, plain

Answer = Literal["yes", "no", "unclear"]

_YES = frozenset(
    "yes|yeah|yep|yes please|yes do it|do it|go ahead|yes go ahead|confirm|confirmed|confirm it|ok|okay|sure|correct|"
    "that is right|thats right|right|approved|granted|permission granted|affirmative|please do|go|"
    "是|是的|对|对的|好|好的|可以|行|确认|确定|没错|没问题|同意|执行|嗯".split("|")
)
_NO = frozenset(
    "no|nope|nah|no thanks|no thank you|do not|dont|don't|do not do it|don't do it|dont do it|cancel|cancel it|"
    "cancel that|stop|abort|never mind|nevermind|wrong|not now|no way|negative|"
    "不|不是|不要|不行|不对|不用|不可以|别|取消|算了|停|停止|不同意|错了|先不".split("|")
)
_POLITE = frozenset(("please", "thanks", "um", "uh", "well", "then", "吧", "啊", "呢", "请"))


def _key(text: str) -> str:
    return "".join(plain(text))


_YES_KEYS = frozenset(map(_key, _YES))
_NO_KEYS = frozenset(map(_key, _NO))


def confirm(text: str, action_title: str = "") -> Answer:
    """ "yes", "no" or "unclear". Anything that is not on the lists, and is not the title itself, is unclear.

    ``action_title`` is the title that was read back: "start a plan run", or "yes, start the plan run", is a yes. Any
    negation in an answer that is not a plain no makes it unclear, or no where the rest is the title.
    """
    words = tuple(word for word in plain(text) if word not in _POLITE)
    answer = "".join(words)
    if answer in _NO_KEYS:
        return "no"
    if answer in _YES_KEYS:
        return "yes"
    light = FILLER | {"yes", "yeah", "ok", "okay", "sure", "是", "对", "好"}
    title = [word for word in plain(action_title) if word not in light]
    negated = any(word in NEGATIONS or word == "not" for word in words)
    rest = [word for word in words if word not in light and word not in NEGATIONS and word != "do"]
    if title and rest == title:
        return "no" if negated else "yes"
    half = answer[: len(answer) // 2]
    if half and half + half == answer:  # "no no"
        return "yes" if half in _YES_KEYS else "no" if half in _NO_KEYS else "unclear"
    return "unclear"
