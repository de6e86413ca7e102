"""Words: how instructions and code become comparable terms.

A *stem* is always a prefix of every form that it stands for ("valid" for validate, validation, validator), so a plain
substring search can rule a file out before anything slower looks at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_CASE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_SUFFIXES = (
    "izations", "ization", "ations", "ation", "ators", "ating", "ities", "ments", "ator", "ates", "ated", "ings",
    "ions", "ment", "ness", "able", "ally", "ate", "ing", "ion", "ity", "ies", "ied", "ors", "ers", "als", "ed", "es",
    "er", "or", "al", "ly", "e", "s", "y",
)  # fmt: skip
_SHORTEST = 3

STOP_WORDS = frozenset(
    """
    a about above after again all also an and any are as at be because been before being below between both but by can
    could did do does doing done down during each else every few for from further get give go goes had has have having
    here how however i if in into is it its itself just let like make makes making me more most much must my need needs
    new no nor not now of off on once one only or other our out over own please same see shall should show so some such
    take than that the their them then there these they thing things this those through to too under until up use used
    uses using very via want wants was way we were what when where whether which while who whom why will with within
    without would yes you your file files code repo repository project add change changes implement create plan write
    fix work works working although though instead wrong broken still back either correctly properly always never
    sometimes already yet even around without another
    """.split()
)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The prefix that the forms of ``word`` share: "retries" and "retry" -> "retr", "cancelled" -> "cancel"."""
    low = word.lower()
    if len(low) > _SHORTEST and not low.endswith("ss"):
        for suffix in _SUFFIXES:
            if low.endswith(suffix) and len(low) - len(suffix) >= _SHORTEST:
                low = low[: -len(suffix)]
                break
    if len(low) > _SHORTEST and low[-1] == low[-2]:
        low = low[:-1]
    return low


@lru_cache(maxsize=200_000)
def split_identifier(name: str) -> tuple[str, ...]:
    """``HTTPServer_getURL2`` -> ``("HTTP", "Server", "get", "URL", "2")``."""
    return tuple(_CASE.findall(name))


@lru_cache(maxsize=200_000)
def stems_of(name: str) -> tuple[str, ...]:
    """The stems of an identifier's words, in order."""
    return tuple(stem(part) for part in split_identifier(name))


def identifiers(text: str) -> Iterator[str]:
    """Every identifier-like word of ``text``, in order, with repeats."""
    return (match.group() for match in _IDENTIFIER.finditer(text))


def is_cjk(char: str) -> bool:
    """Is this a Chinese character (CJK unified ideographs and extension A)?"""
    return "\u3400" <= char <= "\u9fff"
