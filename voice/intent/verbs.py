"""English verbs and turns of speech that stand in for each other.

Knowledge of the language, not of the catalog: a stand-in is worth less than the word itself (so it is asked about,
never sure), and less again when the catalog has a use of its own for it. Nothing stands in for a word that decides or
destroys.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

STAND_IN, SHARED = 0.88, 0.8

_GROUPS = (
    (
        "open show go",
        "open show display view see|bring up|pull up|go to|jump to|take me to|get me to|head to|head over to|"
        "navigate to|look at|let me see|switch over to|switch to",
    ),
    ("list show", "list show display see view|give me|let me see|what are"),
    (
        "start run",
        "start begin launch initiate trigger run do|kick off|fire up|fire off|spin up|set up|id like|i want|give me|"
        "get going with|set off",
    ),
    ("new create", "create new fresh another"),
    (
        "make draft write",
        "make draft write create prepare sketch produce|come up with|put together|work out|i need|give me",
    ),
    ("stop cancel end", "stop halt end abort terminate kill quit|shut down|call off"),
    ("track follow watch", "track follow watch monitor observe|keep an eye on|keep track of|keep tabs on"),
    ("set switch change put", "set switch change put move turn flip toggle"),
    ("rename retitle", "rename retitle relabel|change the name of|change the title of"),
    ("archive", "archive shelve stash|put away|file away|tidy away"),
    ("send", "send pass post forward"),
    ("tell ask", "tell ask instruct|let know"),
    ("answer reply respond", "answer reply respond"),
    ("delegate", "delegate assign|hand off|hand over|pass off"),
    ("review check", "review inspect audit|look over|go over|check over"),
)


def _stand_ins() -> Mapping[tuple[str, ...], frozenset[str]]:
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for meant, said in _GROUPS:
        words, *turns = said.split("|")
        for phrase in (*words.split(), *turns):
            found[tuple(phrase.split())] |= set(meant.split()) - {phrase}
    return {phrase: frozenset(words) for phrase, words in found.items() if words}


STAND_INS = _stand_ins()
"""Words as said -> the literals they can stand for."""

LONGEST = max(map(len, STAND_INS))
