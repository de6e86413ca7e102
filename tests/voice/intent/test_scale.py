"""A catalog of 400 actions and 5,000 values is matched in the time of a blink."""

from __future__ import annotations

import random
import statistics
import time

import pytest

from voice.intent import ActionWords, Matcher, Phrase, Slot, SpokenOption, World, compile

VERBS = "open close start stop pin mark label sort split merge copy move check watch clean build test ship lock".split()
VERBS.append("scan")
NOUNS = "ticket board branch build report invoice alert cluster bucket queue lane sprint table index panel layer " \
        "folder stream pool badge".split()  # fmt: skip
SYLLABLES = "ka to mi re lu san dor ven pil gra bos chi nel tam fo rix wen jo du pra".split()


def big() -> tuple[list[ActionWords], World, list[str]]:
    chance = random.Random(7)
    names = list(
        {"".join(chance.choices(SYLLABLES, k=3)) + " " + "".join(chance.choices(SYLLABLES, k=2)) for _ in range(5200)}
    )
    names = sorted(names)[:5000]
    values = tuple(SpokenOption(f"v{i}", name) for i, name in enumerate(names))
    actions: list[ActionWords] = []
    for verb in VERBS:
        for noun in NOUNS:
            action = f"{noun}.{verb}"
            says = (
                f"{verb} [the] {noun} {{name}}",
                f"{verb} [the] {{name}} {noun} [now|please]",
                f"(please|could you) {verb} {{name}} in [my|the] {noun} [list]",
                f"{verb} all {noun}s",
            )
            phrases = tuple(Phrase(action, say, "en") for say in says)
            actions.append(ActionWords(action, action, "read", phrases, (Slot("name", "options"),)))
    return actions, World({(a.action, "name"): values for a in actions}), names


@pytest.fixture(scope="module")
def large() -> tuple[Matcher, list[str]]:
    actions, world, names = big()
    return Matcher(compile(actions), world), names


def test_a_large_catalog_is_matched_right_and_fast(large: tuple[Matcher, list[str]]) -> None:
    matcher, names = large
    chance = random.Random(11)
    matcher.match("open the ticket warm up")
    took: list[float] = []
    right = 0
    for _ in range(100):
        verb, noun, name = chance.choice(VERBS), chance.choice(NOUNS), chance.choice(names)
        heard = name.replace("ka", "ca").replace("rix", "ricks") if chance.random() < 0.5 else name
        began = time.process_time()
        found = matcher.match(f"{verb} the {noun} {heard}")
        took.append(1000 * (time.process_time() - began))
        right += found.action == f"{noun}.{verb}" and found.input["name"] == f"v{names.index(name)}"
    p50, p95 = statistics.median(took), sorted(took)[94]
    print(f"\n400 actions, 5,000 values: right {right}/100, p50 {p50:.1f} ms, p95 {p95:.1f} ms")
    assert right >= 95
    assert p95 < 100  # 50 ms on an idle machine; the limit that counts is measured by make bench
