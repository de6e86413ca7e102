"""Availability, asking, exposure and deciding: the tables of the design, and that no setting lifts a floor."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.catalog.context import Caller, CallerKind
from actions.catalog.registry import load
from actions.catalog.spec import Effect, Exposure, Placement, Surface
from actions.errors import ErrorCode
from actions.policy.approval import asks_first, floor, may_decide
from actions.policy.availability import Status, availability
from actions.policy.effective import effective
from actions.policy.exposure import exposed, hot_path, placed
from actions.policy.settings import Ask, Override, PolicySettings, Scope
from actions.policy.surfaces import surface_of

CATALOG = load()
NOTHING = PolicySettings()
PRESENT = Caller(CallerKind.COMMAND, present=True)
ABSENT = Caller(CallerKind.COMMAND)
READ, WRITE = CATALOG.specs["session.list"], CATALOG.specs["session.archive"]
EXTERNAL, DANGER = CATALOG.specs["session.spawn_new"], CATALOG.specs["session.delete"]
DECIDES = CATALOG.specs["approval.request.decide"]
ASKS = {
    #                none   read   write  external danger
    Surface.UI: (False, False, False, False, True),
    Surface.VOICE: (False, False, True, True, True),
    Surface.SESSION_AGENT: (False, False, False, True, True),
    Surface.MCP: (False, False, False, True, True),
    Surface.CLI: (False, False, False, False, False),
}
FLOORS = {
    Surface.UI: (False, False, False, False, False),
    Surface.VOICE: (False, False, True, True, True),
    Surface.SESSION_AGENT: (False, False, False, False, True),
    Surface.MCP: (False, False, False, False, True),
    Surface.CLI: (False, False, False, False, False),
}


def device(**overrides):
    return PolicySettings(device={k.replace("__", "."): v for k, v in overrides.items()})


@pytest.mark.parametrize("surface", Surface)
@pytest.mark.parametrize("effect", Effect)
def test_the_table_of_defaults_and_floors(surface, effect):
    spec = replace(READ, effect=effect)
    assert asks_first(spec, surface, NOTHING).asks is ASKS[surface][effect.rank]
    assert floor(surface, effect) is FLOORS[surface][effect.rank]


def test_external_may_be_lifted_for_agents_and_danger_may_not():
    never = Override(approval=dict.fromkeys(Surface, Ask.NEVER))
    assert not asks_first(EXTERNAL, Surface.SESSION_AGENT, device(session__spawn_new=never)).asks
    verdict = asks_first(DANGER, Surface.SESSION_AGENT, device(session__delete=never))
    assert verdict.asks
    assert verdict.floor


def test_an_input_that_asks_less_raises_the_effect():
    never = device(session__mode__set=Override(approval={Surface.MCP: Ask.NEVER}))
    spec = CATALOG.specs["session.mode.set"]
    assert not asks_first(spec, Surface.MCP, never, effect=Effect.WRITE).asks
    assert asks_first(spec, Surface.MCP, never, effect=Effect.DANGER).asks


def test_the_workspace_speaks_before_the_device_and_the_longest_root_first():
    settings = PolicySettings(
        device={"session.list": Override(approval={Surface.CLI: Ask.ALWAYS})},
        workspaces={
            "/a": {"session.list": Override(approval={Surface.CLI: Ask.NEVER})},
            "/a/b": {"session.list": Override(approval={Surface.CLI: Ask.ALWAYS})},
        },
    )
    assert asks_first(READ, Surface.CLI, settings, workspace="/elsewhere").scope is Scope.DEVICE
    assert not asks_first(READ, Surface.CLI, settings, workspace="/a/x").asks
    assert asks_first(READ, Surface.CLI, settings, workspace="/a/b/c").asks
    assert not asks_first(READ, Surface.CLI, settings, workspace="/a/bc").asks, "compared by path parts"


def test_denials_are_anded():
    settings = PolicySettings(
        device={"session.list": Override(enabled=False)},
        workspaces={"/a": {"session.list": Override(enabled=True)}},
    )
    verdict = availability(READ, Surface.UI, settings, workspace="/a")
    assert verdict.status is Status.DISABLED_BY_SETTINGS
    assert verdict.code is ErrorCode.ACTION_DISABLED
    assert verdict.scope is Scope.DEVICE
    assert verdict.surfaces == ()


def test_one_surface_off_leaves_the_others():
    settings = device(session__list=Override(surfaces_off=frozenset({Surface.VOICE})))
    assert not availability(READ, Surface.VOICE, settings).available
    verdict = availability(READ, Surface.CLI, settings)
    assert verdict.available
    assert verdict.surfaces == (Surface.UI, Surface.SESSION_AGENT, Surface.MCP, Surface.CLI)


def test_unknown_and_unsupported():
    assert availability(None, Surface.UI, NOTHING).code is ErrorCode.UNKNOWN_ACTION
    verdict = availability(CATALOG.specs["ui.open"], Surface.CLI, NOTHING)
    assert verdict.code is ErrorCode.UNSUPPORTED_SURFACE
    assert "ui, voice" in verdict.remedy


@pytest.mark.parametrize("surface", [Surface.SESSION_AGENT, Surface.MCP])
def test_deciding_elsewhere_says_that_a_person_is_needed(surface):
    assert availability(DECIDES, surface, NOTHING).code is ErrorCode.PRESENT_USER_REQUIRED


def test_the_command_line_decides_only_with_a_person():
    assert availability(DECIDES, Surface.CLI, NOTHING, caller=ABSENT).code is ErrorCode.PRESENT_USER_REQUIRED
    assert availability(DECIDES, Surface.CLI, NOTHING, caller=PRESENT).available
    assert availability(CATALOG.specs["settings.actions.set"], Surface.CLI, NOTHING, caller=ABSENT).code is (
        ErrorCode.PRESENT_USER_REQUIRED
    )


def test_who_may_decide():
    assert may_decide(Surface.UI, ABSENT, effect=Effect.DANGER).allowed
    assert not may_decide(Surface.VOICE, PRESENT).allowed
    assert may_decide(Surface.VOICE, PRESENT, read_back=True).allowed
    off = may_decide(Surface.VOICE, PRESENT, asked_on=Surface.SESSION_AGENT, read_back=True, by_voice=False)
    assert not off.allowed
    assert "voice.approvals" in off.reason
    own = may_decide(Surface.VOICE, PRESENT, asked_on=Surface.VOICE, read_back=True, by_voice=False)
    assert own.allowed, "what was said by voice is confirmed by voice"
    assert not may_decide(Surface.VOICE, PRESENT, effect=Effect.DANGER, read_back=True).allowed
    assert may_decide(Surface.CLI, PRESENT).allowed
    assert not may_decide(Surface.CLI, ABSENT).allowed
    assert not may_decide(Surface.CLI, PRESENT, asked_on=Surface.MCP).allowed
    for surface in (Surface.SESSION_AGENT, Surface.MCP):
        assert not may_decide(surface, PRESENT, read_back=True).allowed


def test_decisions_never_ask_but_changing_the_policy_does_on_ui():
    always = Override(approval=dict.fromkeys(Surface, Ask.ALWAYS))
    settings = device(approval__request__decide=always, approval__request__defer=always)
    assert not asks_first(DECIDES, Surface.UI, settings).asks
    assert not asks_first(CATALOG.specs["approval.request.defer"], Surface.VOICE, settings).asks
    assert asks_first(CATALOG.specs["settings.actions.set"], Surface.UI, NOTHING).asks


def test_exposure_override_then_spec_then_surface():
    title = CATALOG.specs["session.title.set"]
    assert exposed(title, Surface.SESSION_AGENT, NOTHING).exposure is Exposure.DIRECT
    assert exposed(READ, Surface.SESSION_AGENT, NOTHING).exposure is Exposure.DISCOVERABLE
    assert exposed(READ, Surface.MCP, NOTHING).exposure is Exposure.DIRECT
    settings = device(session__list=Override(exposure={Surface.MCP: Exposure.DISCOVERABLE}))
    assert exposed(READ, Surface.MCP, settings).exposure is Exposure.DISCOVERABLE
    assert exposed(READ, Surface.CLI, settings).exposure is Exposure.DIRECT


def test_direct_for_session_agents_are_discovery_and_the_title():
    direct = {s.id for s in CATALOG if exposed(s, Surface.SESSION_AGENT, NOTHING).exposure is Exposure.DIRECT}
    assert direct == {"action.spec.search", "action.spec.get", "action.options.resolve", "session.title.set"}


def test_the_hot_path_follows_specs_settings_and_exposure():
    hot = {s.id for s in hot_path(CATALOG, Surface.VOICE, NOTHING)}
    assert {
        "review.start", "subagents.plan.start", "subagents.delegate.start", "execution.run.list", "execution.run.get",
        "session.spawn_new", "session.message.send", "session.user_action.answer", "session.mode.set",
        "session.target.primary.set", "session.list", "action.spec.search",
    } <= hot  # fmt: skip
    off = device(session__list=Override(enabled=False))
    assert {s.id for s in hot_path(CATALOG, Surface.VOICE, off)} == hot - {"session.list"}
    hidden = device(review__start=Override(exposure={Surface.VOICE: Exposure.DISCOVERABLE}))
    assert {s.id for s in hot_path(CATALOG, Surface.VOICE, hidden)} == hot - {"review.start"}
    colder = replace(CATALOG, specs={**CATALOG.specs, "session.list": replace(READ, hot=False)})
    assert {s.id for s in hot_path(colder, Surface.VOICE, NOTHING)} == hot - {"session.list"}


def test_placements_follow_the_settings():
    assert Placement.SESSION_MENU in placed(WRITE, NOTHING)
    off = device(session__archive=Override(placements_off=frozenset({Placement.SESSION_MENU})))
    assert placed(WRITE, off) == {Placement.PALETTE}
    assert placed(WRITE, device(session__archive=Override(enabled=False))) == frozenset()


def test_the_effective_policy_gives_reasons_for_every_surface():
    data = effective(EXTERNAL, device(session__spawn_new=Override(approval={Surface.CLI: Ask.ALWAYS})))
    assert set(data["surfaces"]) == {s.value for s in Surface}
    cli = data["surfaces"]["cli"]
    assert (cli["available"], cli["asks"], cli["asks_default"], cli["approval"], cli["floor"]) == (
        True, True, False, "always", False,
    )  # fmt: skip
    assert all(entry["reason"] and entry["asks_reason"] for entry in data["surfaces"].values())


def test_the_effective_policy_says_which_scope_set_what():
    settings = PolicySettings(
        device={
            "session.spawn_new": Override(approval={Surface.CLI: Ask.ALWAYS}, surfaces_off=frozenset({Surface.MCP}))
        },
        workspaces={
            "/w/shop": {
                "session.spawn_new": Override(
                    approval={Surface.CLI: Ask.NEVER}, exposure={Surface.SESSION_AGENT: Exposure.DIRECT}
                )
            }
        },
    )
    inside = effective(EXTERNAL, settings, workspace="/w/shop/src")["surfaces"]
    assert inside["cli"]["set_by"] == {"approval": "workspace"}
    assert inside["session_agent"]["set_by"] == {"exposure": "workspace"}
    assert inside["mcp"]["set_by"] == {"enabled": "device"}
    assert inside["ui"]["set_by"] == {}
    outside = effective(EXTERNAL, settings, workspace="/w/other")["surfaces"]
    assert (outside["cli"]["set_by"], outside["session_agent"]["set_by"]) == ({"approval": "device"}, {})


@pytest.mark.parametrize("name", [None, "", "UI", "root", "session_agent", "ui ", "window"])
def test_an_unknown_surface_is_an_agent(name):
    assert surface_of(name) is Surface.SESSION_AGENT


overrides = st.builds(
    Override,
    enabled=st.sampled_from([None, True, False]),
    surfaces_off=st.frozensets(st.sampled_from(list(Surface))),
    placements_off=st.frozensets(st.sampled_from(list(Placement))),
    approval=st.dictionaries(st.sampled_from(list(Surface)), st.sampled_from(list(Ask))),
    exposure=st.dictionaries(st.sampled_from(list(Surface)), st.sampled_from(list(Exposure))),
)
by_action = st.dictionaries(st.sampled_from(sorted(CATALOG.specs)), overrides, max_size=6)
settings_ = st.builds(
    PolicySettings,
    device=by_action,
    workspaces=st.dictionaries(st.sampled_from(["/", "/a", "/a/b", "/a/b/c", "/z"]), by_action, max_size=4),
)
specs_ = st.sampled_from(list(CATALOG))
places = st.sampled_from([None, "/a", "/a/b/c/d", "/z", "/q"])


@given(specs_, st.sampled_from(list(Surface)), st.sampled_from(list(Effect)), settings_, places)
def test_no_override_lifts_a_floor(spec, surface, effect, settings, workspace):
    verdict = asks_first(spec, surface, settings, workspace=workspace, effect=effect)
    at_least = max(spec.effect, effect, key=lambda e: e.rank)
    if spec.decides or spec.id.startswith("approval.request."):
        # Decisions are gated by who decides, not by being asked about.
        for agent in (Surface.SESSION_AGENT, Surface.MCP):
            if agent not in spec.surfaces:
                assert not availability(spec, agent, settings, workspace=workspace).available
    elif FLOORS[surface][at_least.rank]:
        assert verdict.asks


@given(specs_, st.sampled_from(list(Surface)), settings_, places)
def test_settings_never_add_a_surface(spec, surface, settings, workspace):
    if availability(spec, surface, settings, workspace=workspace).available:
        assert availability(spec, surface, NOTHING).available
        assert surface in spec.surfaces


@given(specs_, settings_, places, st.text())
def test_an_unknown_surface_gets_exactly_what_an_agent_gets(spec, settings, workspace, name):
    if name in set(Surface):
        return
    surface = surface_of(name)
    assert effective(spec, settings, surface=surface, workspace=workspace) == effective(
        spec, settings, surface=Surface.SESSION_AGENT, workspace=workspace
    )


@given(
    st.sampled_from([Surface.SESSION_AGENT, Surface.MCP]), st.booleans(), st.booleans(), st.sampled_from(list(Effect))
)
def test_no_agent_or_editor_ever_decides(surface, present, read_back, effect):
    caller = Caller(CallerKind.SESSION, present=present)
    assert not may_decide(surface, caller, effect=effect, read_back=read_back).allowed


@given(specs_, settings_, places)
def test_a_setting_of_one_scope_off_is_off_in_all(spec, settings, workspace):
    layers = [override for _, override in settings.layers(spec.id, workspace)]
    if any(override.enabled is False for override in layers):
        assert all(not availability(spec, s, settings, workspace=workspace).available for s in Surface)
