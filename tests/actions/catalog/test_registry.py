"""What does not fit together stops start-up, with the id and what was probably meant."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, Widget
from actions.catalog.options import option_source
from actions.catalog.predicates import eq
from actions.catalog.registry import CatalogError, build, load
from actions.catalog.say import Say, says
from actions.catalog.spec import ActionInput, Done, Effect, Placement, Surface, action

DESIGN_IDS = """
action.spec.search action.spec.get action.options.resolve
session.list session.open session.spawn_new session.resume session.fork session.stop session.archive
session.unarchive session.pin session.export session.search session.message.send session.queue.edit
session.title.set session.mode.set session.model.set session.status.get session.transcript.get session.wait
session.permission.respond session.user_action.answer session.target.primary.set session.target.tracked.set
review.start subagents.plan.start subagents.delegate.start
execution.run.start execution.run.list execution.run.get execution.run.send execution.run.stop execution.run.wait
approval.request.list approval.request.get approval.request.create approval.request.decide approval.request.defer
approval.rule.list approval.rule.revoke execution.run.findings.send
workspace.add workspace.list workspace.open worktree.create worktree.merge worktree.remove
mcp.servers.list mcp.servers.read mcp.servers.create mcp.servers.update mcp.servers.delete mcp.servers.test
mcp.servers.import mcp.servers.login mcp.servers.logout mcp.bindings.add mcp.bindings.edit mcp.bindings.remove
mcp.trust mcp.preview settings.actions.set providers.list providers.check voice.listen.start voice.listen.stop
ui.open session.turn.cancel session.delete session.config.set mcp.pin.accept workspace.remove
""".split()

# Actions whose handler comes later. The list may only shrink: take an id out when its handler is built.
NOT_BUILT_YET: set[str] = set()

DANGER = {
    "session.delete",
    "worktree.remove",
    "workspace.remove",
    "mcp.servers.create",
    "mcp.servers.update",
    "mcp.servers.delete",
    "mcp.servers.import",
    "mcp.servers.logout",
    "mcp.bindings.add",
    "mcp.bindings.edit",
    "mcp.bindings.remove",
    "mcp.trust",
    "mcp.pin.accept",
    "settings.actions.set",
    "session.config.set",
}


@pytest.fixture(scope="module")
def catalog():
    return load()


def test_every_id_of_the_design_is_declared(catalog):
    assert set(DESIGN_IDS) - set(catalog.specs) == set()


def test_what_is_not_built_yet_is_known_and_only_shrinks(catalog):
    assert {spec.id for spec in catalog if not spec.implemented} == NOT_BUILT_YET


def test_danger_is_what_the_design_calls_danger(catalog):
    assert {spec.id for spec in catalog if spec.effect is Effect.DANGER} == DANGER


@pytest.mark.parametrize(
    ("action_id", "draft", "effect"),
    [
        ("session.mode.set", {"session_id": "s", "mode_id": "plan"}, Effect.WRITE),
        ("session.mode.set", {"session_id": "s", "mode_id": "bypassPermissions"}, Effect.DANGER),
        ("session.mode.set", {"session_id": "s", "mode_id": "https://x/modes#autopilot"}, Effect.DANGER),
        ("session.spawn_new", {"provider": "claude"}, Effect.EXTERNAL),
        ("session.spawn_new", {"provider": "claude", "mode_id": "default"}, Effect.EXTERNAL),
        ("session.spawn_new", {"provider": "claude", "mode_id": "yolo"}, Effect.DANGER),
        ("session.spawn_new", {"provider": "claude", "permission_mode": "acceptEdits"}, Effect.DANGER),
        ("mcp.servers.test", {"server": "files"}, Effect.EXTERNAL),
        ("mcp.servers.test", {"draft": {"name": "files", "command": "anything"}}, Effect.DANGER),
        ("subagents.plan.start", {"instructions": "x"}, Effect.EXTERNAL),
        ("subagents.plan.start", {"instructions": "x", "permission_mode": "workspace_write"}, Effect.DANGER),
    ],
)
def test_asking_less_is_danger(catalog, action_id, draft, effect):
    spec = catalog.specs[action_id]
    assert spec.effect_for(spec.input.model_validate(draft)) is effect


def test_a_domain_module_can_be_loaded_twice_without_duplicates():
    assert set(load().specs) == set(load().specs)


class Input(ActionInput):
    provider: Annotated[str, Hint(options="things.all")]
    base: Annotated[str | None, Hint(visible_when=eq("provider", "x"))] = None


class Loose(ActionInput):
    names: Annotated[list[str], Hint(widget=Widget.TEXT_LIST)]
    chosen: Annotated[str, Hint(widget=Widget.SELECT)]
    wrong: Annotated[str, Hint(visible_when=eq("nmaes", 1), max_selections=2)] = ""


@option_source("things.all")
async def things(request, ctx):
    return []


def declare(id: str = "thing.do", input_model: type[ActionInput] = Input, **changes: Any):
    async def handler(inp, ctx: ActionContext) -> Done:
        """Do a thing."""
        return Done()

    handler.__annotations__ = {"inp": input_model, "ctx": ActionContext, "return": Done}
    return action(id, **({"title": "Do it", "effect": Effect.READ} | changes))(handler)


def problems(*specs, sources=(things,)):
    with pytest.raises(CatalogError) as error:
        build(specs, sources)
    return str(error.value)


def test_a_good_action_is_taken():
    catalog = build([declare(say=["do [the] {provider}"], examples=[{"provider": "x"}])], [things])
    assert list(catalog.specs) == ["thing.do"]


def test_an_unknown_option_source_names_the_one_that_was_meant():
    class Misspelt(ActionInput):
        provider: Annotated[str, Hint(options="thing.all")]

    assert "thing.do: provider: option source 'thing.all' is not known (did you mean 'things.all'?)" in problems(
        declare(input_model=Misspelt)
    )


def test_a_slot_that_is_no_field():
    assert "{providr} is no field (did you mean 'provider'?)" in problems(declare(say=["do {providr}"]))
    assert "{nothing} is no field" in problems(declare(say=[says("do it", nothing=1)]))


def test_broken_templates_are_named():
    assert "unclosed '['" in problems(declare(say=["do [it"]))
    assert "unbalanced ')'" in problems(declare(say=["do it)"]))
    assert "empty template" in problems(declare(say=[" "]))


def test_two_actions_with_one_phrase():
    text = problems(declare(say=["do  It"]), declare("thing.other", say=["Do it"]))
    assert "thing.other: the phrase 'Do it' already means thing.do" in text


def test_duplicates():
    assert "action id 'thing.do' is declared twice" in problems(declare(), declare())
    text = problems(
        declare(slash=["/x"], placements=[Placement.SLASH]),
        declare("thing.other", slash=["/x"], placements=[Placement.SLASH]),
    )
    assert "slash token '/x' is declared twice" in text
    assert "tool name 'thing_do_it'" in problems(declare("thing.do.it"), declare("thing.do_it"))


def test_what_a_field_may_not_be():
    text = problems(declare(input_model=Loose))
    assert "names: a text list needs a separator" in text
    assert "chosen: a select needs options" in text
    assert "wrong: a predicate reads 'nmaes', which is no field (did you mean 'names'?)" in text
    assert "wrong: max_selections belongs to a multiselect" in text


def test_an_example_that_does_not_validate_names_its_field():
    assert "example {'provder': 'x'}: provider: Field required" in problems(declare(examples=[{"provder": "x"}]))


def test_ids_titles_surfaces_and_placements():
    assert "the id must be dotted lower-case words" in problems(declare("Do"))
    assert "the title is missing" in problems(declare(title=""))
    assert "no surface may run it" in problems(declare(surfaces=[]))
    assert "placements but is not on the ui surface" in problems(
        declare(placements=[Placement.PALETTE], surfaces=[Surface.CLI])
    )
    assert "slash tokens but no slash placement" in problems(declare(slash=["/x"]))
    assert "the description is missing" in problems(declare(description=""))
    assert "command 'thing {no}': {no} is no field" in problems(declare(cli="thing {no}"))


def test_a_handler_without_its_models_is_refused_at_once():
    async def naked(inp, ctx):
        return None

    with pytest.raises(TypeError, match=r"thing\.do: the handler's first parameter"):
        action("thing.do", title="x", effect=Effect.READ)(naked)

    async def no_output(inp: Input, ctx: ActionContext): ...

    with pytest.raises(TypeError, match=r"thing\.do: the handler must be annotated with its output"):
        action("thing.do", title="x", effect=Effect.READ)(no_output)


def test_the_hash_changes_with_the_input_and_not_with_the_title():
    assert declare().hash == declare(title="Another").hash
    assert declare().hash != declare(input_model=Loose).hash
    assert declare().hash != declare(effect=Effect.WRITE).hash


def test_the_language_of_a_phrase_follows_from_its_letters():
    assert Say("review {change}").language == "en"
    assert Say("用{providers}审查{change}").language == "zh"
    assert Say("用{providers}审查{change}").slots == ("providers", "change")


def test_nearest_and_tool_name(catalog):
    assert catalog.nearest("review.strat") == ["review.start"]
    assert catalog.by_tool_name("session_title_set").id == "session.title.set"
    assert catalog.by_tool_name("nothing") is None
    assert catalog.get("nope.x") is None
