"""What is said about the dialogue itself and not to an agent: repeat, undo, what can I say, no I meant something else.

Small exact lists, as for yes and no: a sentence that is not on them is a command or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from voice.intent.text import plain


class About(StrEnum):
    """What a remark is about."""

    REPEAT = "repeat"
    HELP = "help"
    UNDO = "undo"
    CORRECTION = "correction"


@dataclass(frozen=True)
class Remark:
    """``rest`` is what was meant instead, of a correction."""

    about: About
    rest: str = ""


_WHOLE: dict[About, str] = {
    About.REPEAT: "repeat|repeat that|say that again|say it again|again please|what did you say|come again|pardon|"
    "再说一遍|重复|重复一遍|重说一遍|再说一次|你说什么",
    About.HELP: "what can i say|what can i do|what can you do|help|help me|what are the commands|"
    "我能说什么|我可以说什么|能说什么|有哪些命令|帮助",
    About.UNDO: "undo|undo that|undo it|take that back|take it back|revert that|撤销|撤回|撤销它|取消刚才的操作|还原",
}
_MEANT = (
    "no i meant|no i mean|no i said|i meant|i said|i mean|actually i meant|sorry i meant|not that i meant|no not that|"
    "不我是说|不我说的是|不是我是说|不是我说的是|我是说|我说的是|我的意思是|不对我要"
).split("|")
"""How a correction begins."""


def _key(text: str) -> str:
    return "".join(plain(text))


_KEYS = {_key(said): about for about, listed in _WHOLE.items() for said in listed.split("|")}
_BEGINNINGS = sorted((tuple(plain(said)) for said in _MEANT), key=len, reverse=True)
_POLITE = frozenset(("please", "um", "uh", "well", "so", "请", "嗯"))


def remark(text: str) -> Remark | None:
    """What ``text`` remarks on, or None. A correction needs words after its beginning."""
    words = [word for word in plain(text) if word not in _POLITE]
    if (about := _KEYS.get("".join(words))) is not None:
        return Remark(about)
    for beginning in _BEGINNINGS:
        if len(words) > len(beginning) and tuple(words[: len(beginning)]) == beginning:
            return Remark(About.CORRECTION, _rest(text, len("".join(beginning))))
    return None


def _rest(text: str, letters: int) -> str:
    """What follows the first ``letters`` letters of a text, as it was said."""
    seen = 0
    for at, character in enumerate(text):
        if seen >= letters:
            return text[at:].strip(" ,.;:!?，。；：！？")
        seen += character.isalnum()
    return ""
