"""What words mean, and what they must not be taken for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.voice.intent import toy
from voice.intent import Context, Matcher, SpokenOption, World, compile


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return toy.matcher(toy.other_world())


@pytest.mark.parametrize(
    ("text", "providers"),
    [
        ("start a review with Claude", ["claude"]),
        ("start a review with Claude and Codex", ["claude", "codex"]),
        ("start a review with claude, codex and gemini", ["claude", "codex", "gemini"]),
        ("start a review with claude codex gemini", ["claude", "codex", "gemini"]),
        ("start a review with clawed and Codix", ["claude", "codex"]),
        ("start a review with the cloud", ["claude"]),
        ("start a review with Kwen", ["qwen"]),
        ("start a review with quen and Keero", ["qwen", "kiro"]),
        ("start a review with Cairo", ["kiro"]),
        ("start a review with Augie and Oggy", ["auggie"]),
        ("start a review with open code", ["opencode"]),
        ("start a review with Claude, Claude and Claude", ["claude"]),
        ("用 claude 和 codex 审查未提交的更改", ["claude", "codex"]),
        ("用claude跟gemini审查未提交的更改", ["claude", "gemini"]),
    ],
)
def test_names_as_they_are_heard(matcher: Matcher, text: str, providers: list[str]) -> None:
    found = matcher.match(text)
    assert found.action == "review.start"
    assert found.input["providers"] == providers
    assert found.tier != "no"


@pytest.mark.parametrize("spoken", ["kiosk-7", "kiosk 7", "kiosk seven", "Kiosk Seven", "key osk seven", "kiosk7"])
def test_names_with_digits_and_hyphens(matcher: Matcher, spoken: str) -> None:
    assert matcher.match(f"open session {spoken}").input == {"session_id": "s:kiosk-7"}


@pytest.mark.parametrize(
    ("text", "request_id"),
    [
        ("approve the first request", "r1"),
        ("approve the 2nd request", "r2"),
        ("approve number three", "r3"),
        ("approve the last one", "r4"),
        ("approve the latest request", "r4"),
        ("批准第三个请求", "r3"),
        ("批准最后一个请求", "r4"),
    ],
)
def test_positions(matcher: Matcher, text: str, request_id: str) -> None:
    found = matcher.match(text)
    assert found.input == {"approval_id": request_id, "decision": "approve"}
    assert found.tier == "sure"


@pytest.mark.parametrize(
    "text",
    [
        "don't approve the first request",
        "do not approve the first request",
        "never approve the first request",
        "please don't stop the run",
        "no open the inbox",
        "I said do not open session graph layout",
        "不要批准第一个请求",
        "别打开收件箱",
        "不打开收件箱",
    ],
)
def test_a_refusal_is_no_command(matcher: Matcher, text: str) -> None:
    found = matcher.match(text)
    assert found.tier == "no"
    assert found.action is None
    assert found.input == {}


def test_a_negation_inside_free_text_is_part_of_it(matcher: Matcher) -> None:
    found = matcher.match("answer the question with do not touch production")
    assert found.input == {"answer": "do not touch production"}
    assert found.tier == "sure"


@pytest.mark.parametrize("text", ["", "   ", "...", "🙂", "word " * 41])
def test_nothing_and_far_too_much(matcher: Matcher, text: str) -> None:
    assert matcher.match(text).as_json() == {
        "action": None,
        "input": {},
        "confidence": 0.0,
        "tier": "no",
        "missing": [],
        "readback": "",
        "alternatives": [],
    }


@pytest.mark.parametrize(
    "text",
    [
        "Claude Codex OpenCode Gemini Kiro Qwen Kimi Auggie",
        "checkout flow, rate limiter, kiosk seven, onboarding emails",
        "Providers: Claude, Codex. Sessions: checkout flow. Workspaces: harbor.",
        "发布说明",
    ],
)
def test_names_without_a_verb_never_run(matcher: Matcher, text: str) -> None:
    assert matcher.match(text).tier == "no"


@pytest.mark.parametrize(
    "text",
    [
        "approved the first request",
        "improve the first request",
        "a proof the first request",
        "prove the first request",
        "denied the second request",
        "reflect the second request",
        "the lead session image resizer",
        "deleted session image resizer",
    ],
)
def test_deciding_and_destroying_need_the_word_itself(matcher: Matcher, text: str) -> None:
    found = matcher.match(text)
    assert found.action not in ("approval.request.decide", "session.delete")


def test_a_decision_with_its_verb_heard_may_be_proposed_never_sure(matcher: Matcher) -> None:
    found = matcher.match("I want to approve the thirt request")
    assert (found.action, found.tier) == ("approval.request.decide", "likely")
    assert found.input["approval_id"] == "r3"


def test_verbs_tell_templates_apart(matcher: Matcher) -> None:
    for verb, action in (
        ("open", "session.open"),
        ("archive", "session.archive"),
        ("track", "session.target.tracked.set"),
    ):
        assert matcher.match(f"{verb} session graph layout").action == action
    assert matcher.match("box session graph layout").action is None


def test_one_word_and_free_text_is_never_more_than_asked(matcher: Matcher) -> None:
    assert matcher.match("rename it to Lisbon").tier == "likely"
    assert matcher.match("play some jazz").tier == "no"


# Values that cannot be used


def test_an_unknown_value_is_kept_as_spoken_and_missing(matcher: Matcher) -> None:
    found = matcher.match("start a review with Foobarino")
    assert found.action == "review.start"
    assert found.input == {"providers": ["Foobarino"]}
    assert found.missing == ("providers",)
    assert found.tier == "likely"
    assert "Foobarino" in found.readback


def test_a_known_and_an_unknown_value(matcher: Matcher) -> None:
    found = matcher.match("start a review with Claude and Foobarino")
    assert found.input == {"providers": ["claude", "Foobarino"]}
    assert found.missing == ("providers",)
    assert found.tier == "likely"


def test_a_disabled_value_is_recognised_and_missing(matcher: Matcher) -> None:
    found = matcher.match("start a review with Copilot")
    assert found.input == {"providers": ["copilot"]}
    assert found.missing == ("providers",)
    assert found.tier == "likely"


def test_two_values_of_one_name_are_not_guessed() -> None:
    world = toy.make_world(["twin", "other"], ["harbor"])
    twins = (SpokenOption("s1", "twin"), SpokenOption("s2", "Twin"), SpokenOption("s3", "other"))
    world = replace(world, options={**world.options, ("session.open", "session_id"): twins})
    found = Matcher(compile(toy.catalog()), world).match("open session twin")
    assert found.missing == ("session_id",)
    assert found.input == {"session_id": "twin"}
    assert found.tier == "likely"


def test_a_required_value_that_was_not_said_is_missing(matcher: Matcher) -> None:
    found = matcher.match("start a review")
    assert (found.action, found.missing, found.tier) == ("review.start", ("providers",), "likely")


def test_an_unknown_list_keeps_what_was_said() -> None:
    world = toy.other_world()
    options = {k: v for k, v in world.options.items() if k[1] != "mode_id"}
    found = Matcher(compile(toy.catalog()), World(options)).match("switch checkout flow to turbo mode")
    assert found.input == {"session_id": "s:checkout flow", "mode_id": "turbo"}
    assert found.missing == ("mode_id",)
    assert found.tier == "likely"


def test_the_only_run_is_the_one_that_is_meant() -> None:
    slot = Slot_required_run()
    catalog = tuple(replace(a, slots=(slot,)) if a.action == "execution.run.stop" else a for a in toy.catalog())
    world = toy.other_world()
    assert Matcher(compile(catalog), world).match("stop the run").input == {"run_id": "run-1"}
    two = (SpokenOption("run-1", "One"), SpokenOption("run-2", "Two"))
    many = replace(world, options={**world.options, ("execution.run.stop", "run_id"): two})
    found = Matcher(compile(catalog), many).match("stop the run")
    assert (found.input, found.missing, found.tier) == ({}, ("run_id",), "likely")


def Slot_required_run() -> Any:
    words = next(a for a in toy.catalog() if a.action == "execution.run.stop")
    return replace(words.slots[0], required=True)


# Context


@pytest.mark.parametrize(
    "text", ["review this session with Claude", "start a review of the current session with Claude"]
)
def test_this_session_comes_from_the_context(text: str) -> None:
    assert toy.matcher(toy.other_world()).match(text).input == {"providers": ["claude"]}
    here = toy.matcher(toy.other_world(Context(current_session="s:kiosk-7")))
    found = here.match(text)
    assert found.input == {"providers": ["claude"], "session_id": "s:kiosk-7"}
    assert "kiosk-7" in found.readback


def test_other_sessions_of_the_context() -> None:
    here = toy.matcher(toy.other_world(Context("s:kiosk-7", "s:checkout flow", "s:graph_layout")))
    assert here.match("switch the primary session to plan mode").input["session_id"] == "s:checkout flow"
    assert here.match("open the last session").input == {"session_id": "s:graph_layout"}
    assert here.match("把它改名为周报").input == {"session_id": "s:kiosk-7", "title": "周报"}


# n-best


def test_the_best_hypothesis_wins(matcher: Matcher) -> None:
    found = matcher.match_best(["Shoal sessions.", "Show all sessions."])
    assert (found.action, found.tier) == ("session.list", "sure")


def test_a_negation_in_any_hypothesis_blocks(matcher: Matcher) -> None:
    found = matcher.match_best(
        ["Dome approve the first request.", "Don't approve the first request.", "approve the first request"]
    )
    assert found.tier == "no"
    assert matcher.match_best(["Stop the run.", "Don't stop the run."]).tier == "no"


def test_a_decision_of_a_later_hypothesis_is_asked_about(matcher: Matcher) -> None:
    found = matcher.match_best(["Denide the second request.", "Deny the second request."])
    assert (found.action, found.tier) == ("approval.request.decide", "likely")
    assert matcher.match_best(["We denied a claim last week.", "Deny the second request."]).action is None


def test_no_hypotheses(matcher: Matcher) -> None:
    assert matcher.match_best([]).tier == "no"


# What is shown


def test_readback_names_the_action_and_each_value_by_its_label(matcher: Matcher) -> None:
    said = matcher.match("kick off a plan run with the scout for migrating the database to postgres").readback
    assert said == "Start a plan run: with Scout, instructions “migrating the database to postgres”. Yes or no?"
    assert matcher.match("open session kiosk seven").readback == "Open a session: session kiosk-7."
    zh = matcher.match("把这个会话改名为 发布说明").readback
    assert zh == "重命名会话：标题 “发布说明”。是还是否？"


def test_alternatives_are_near_actions(matcher: Matcher) -> None:
    found = matcher.match("box session graph layout")
    assert found.action is None
    assert found.alternatives
    assert all(0 < a.confidence <= 1 and a.title for a in found.alternatives)
    assert len({a.action for a in found.alternatives}) == len(found.alternatives) <= 3


def test_numbers_fill_number_slots(matcher: Matcher) -> None:
    assert matcher.match("show the last 120 sessions").input == {"limit": 120}
    assert matcher.match("show the last twenty five sessions").input == {"limit": 25}
    assert "limit" not in matcher.match("show the last few sessions").input


@pytest.mark.parametrize(
    ("text", "action", "values"),
    [
        ("打开收件箱", "ui.open", {"target": "inbox"}),
        ("打開收件箱", "ui.open", {"target": "inbox"}),
        ("大开收件箱", "ui.open", {"target": "inbox"}),
        ("用 claude 审查未提交的更改", "review.start", {"providers": ["claude"], "change": "uncommitted"}),
        ("用 Claude 審查未提交的更改", "review.start", {"providers": ["claude"], "change": "uncommitted"}),
        ("把这个会话改名为 发布说明", "session.title.set", {"title": "发布说明"}),
        ("打开绘画支付接口", "session.open", {"session_id": "s:支付接口"}),
    ],
)
def test_chinese_by_sound(matcher: Matcher, text: str, action: str, values: dict[str, Any]) -> None:
    found = matcher.match(text)
    assert (found.action, found.input) == (action, values)


def test_a_chinese_decision_is_taken_by_its_characters_only(matcher: Matcher) -> None:
    assert matcher.match("批准第一个请求").tier == "sure"
    assert matcher.match("匹准第一个青球").tier != "sure"


def test_dictated_words_that_the_hypotheses_hear_differently_are_asked_about() -> None:
    match = toy.matcher(toy.fixture_world()).match_best
    agreed = ["Make a plan for removing the login page.", "make a plan for removing the login page"]
    assert match(agreed).tier == match(agreed[:1]).tier == "sure"
    differ = match(["Make a plan for removing the login pins.", "Make a plan for removing the login page."])
    assert (differ.action, differ.tier) == ("subagents.plan.start", "likely")


def test_a_short_value_that_was_heard_nearly_is_asked_about() -> None:
    world = toy.fixture_world()
    assert toy.matcher(world).match("Set session payments api to scode.").tier != "sure"
    assert toy.matcher(world).match("Set session payments api to code mode.").tier == "sure"
