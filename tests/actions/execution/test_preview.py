"""What a call would do is said before it is made; asking changes nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from actions.catalog.context import ActionContext, Caller, CallerKind
from actions.catalog.registry import Catalog, load
from actions.catalog.spec import Surface
from actions.errors import NotFound
from actions.execution.preview import preview
from actions.policy.settings import Ask, Override, PolicySettings

WINDOW = Caller(CallerKind.WINDOW, present=True)


class Things:
    """Sessions, providers and the rest by id, as far as names are asked for."""

    async def resolve(self, kind: Any, text: str) -> str:
        return text

    async def usual_session(self) -> str | None:
        return "s1"

    async def get(self, id: str) -> Any:
        names = {"s1": "Fix the login", "builtin": "Built-in agent"}
        if id not in names:
            raise NotFound(f"{id} is not there")
        return SimpleNamespace(title=names[id], name=names[id], kind="review", provider="builtin")

    async def list(self) -> Any:
        return SimpleNamespace(workspaces=[SimpleNamespace(id="w1", path="/src/shop", name="shop")])


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load()


def context(surface: Surface = Surface.UI, **changes: Any) -> ActionContext:
    things = Things()
    ports = SimpleNamespace(references=things, sessions=things, providers=things, runs=things, workspaces=things)
    return ActionContext(changes.get("caller", WINDOW), surface, cast("Any", ports), None, "en", {})


async def said(catalog: Catalog, action_id: str, draft: dict[str, Any], **changes: Any) -> dict[str, Any]:
    settings = changes.pop("settings", PolicySettings())
    return await preview(catalog.specs[action_id], draft, settings, context(**changes))


async def test_targets_go_by_their_names(catalog: Catalog) -> None:
    found = await said(catalog, "review.start", {"providers": ["builtin", "gone"], "session_id": "s1"})
    assert {(t["field"], t["kind"], t["label"], t["known"]) for t in found["targets"]} == {
        ("providers", "provider", "Built-in agent", True),
        ("providers", "provider", "gone", False),
        ("session_id", "session", "Fix the login", True),
    }
    assert (found["effect"], found["asks"], found["asked_in"]) == ("external", False, None)


async def test_a_session_that_is_left_out_is_the_one_that_is_meant(catalog: Catalog) -> None:
    found = await said(catalog, "session.title.set", {})
    assert [(t["value"], t["label"]) for t in found["targets"]] == [("s1", "Fix the login")]
    assert (await said(catalog, "session.delete", {}))["targets"] == []  # which one has to be said


async def test_danger_asks_in_the_inbox_and_by_voice_it_is_read_back(catalog: Catalog) -> None:
    window = await said(catalog, "session.delete", {"session_id": "s1"})
    assert (window["effect"], window["asks"], window["asked_in"]) == ("danger", True, "inbox")
    voice = await said(catalog, "session.title.set", {"title": "x"}, surface=Surface.VOICE)
    assert (voice["asks"], voice["asked_in"]) == (True, "read_back")


async def test_settings_decide_as_they_would_at_the_door(catalog: Catalog) -> None:
    always = PolicySettings({"session.title.set": Override(approval={Surface.UI: Ask.ALWAYS})}, {})
    assert (await said(catalog, "session.title.set", {}, settings=always))["asks"]
    off = PolicySettings({"session.title.set": Override(enabled=False)}, {})
    found = await said(catalog, "session.title.set", {}, settings=off)
    assert not found["available"]
    assert "switched off" in found["reason"]


async def test_an_input_that_does_more_raises_the_effect(catalog: Catalog) -> None:
    raising = [spec for spec in catalog if spec.effect_of is not None]
    assert raising
    for spec in raising:
        for example in spec.examples:
            expected = spec.effect_for(spec.input.model_validate(example)).value
            assert (await said(catalog, spec.id, dict(example)))["effect"] == expected


async def test_a_mode_that_asks_less_is_dangerous_as_soon_as_it_is_chosen(catalog: Catalog) -> None:
    draft = {"permission_mode": "bypass"}  # nothing else is filled in yet
    found = await said(catalog, "session.spawn_new", draft)
    assert (found["effect"], found["asks"]) == ("danger", True)


async def test_a_draft_that_is_not_complete_is_no_error(catalog: Catalog) -> None:
    for spec in catalog:
        found = await said(catalog, spec.id, {})
        assert found["effect"] in ("none", "read", "write", "external", "danger")


async def test_a_workspace_goes_by_its_name(catalog: Catalog) -> None:
    found = await said(catalog, "session.spawn_new", {"provider": "builtin", "workspace": "/src/shop"})
    assert ("workspace", "shop") in {(t["kind"], t["label"]) for t in found["targets"]}
