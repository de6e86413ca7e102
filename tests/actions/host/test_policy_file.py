"""The policy in force follows the file, and a broken file never gives more than it gave before."""

from __future__ import annotations

from actions.catalog.registry import load
from actions.catalog.spec import Surface
from actions.host.policy_file import PolicyFile
from actions.policy.approval import asks_first
from actions.policy.availability import availability
from actions.storage.settings import SettingsFile

CATALOG = load()
LIST, PLAN = CATALOG.specs["session.list"], CATALOG.specs["subagents.plan.start"]
OFF = '[actions."session.list"]\nenabled = false\n'


def policy_file(path, changed=lambda: None):
    return PolicyFile(SettingsFile(path), CATALOG.specs, changed)


def test_an_edit_by_hand_is_seen_at_the_next_call(tmp_path):
    path = tmp_path / "settings.toml"
    policy = policy_file(path)
    assert availability(LIST, Surface.CLI, policy.current()).available
    path.write_text(OFF)
    assert not availability(LIST, Surface.CLI, policy.current()).available


def test_a_file_that_breaks_leaves_what_it_said_in_force(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(OFF)
    policy = policy_file(path)
    path.write_text(OFF + "[[[broken")
    assert not availability(LIST, Surface.CLI, policy.current()).available
    assert "line 3" in policy.settings().problems[0].message
    path.write_text("")
    assert availability(LIST, Surface.CLI, policy.current()).available
    assert policy.settings().problems == ()


def test_a_start_on_a_broken_file_asks_about_everything_that_an_agent_does(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("[[[broken")
    policy = policy_file(path)
    for surface in (Surface.SESSION_AGENT, Surface.MCP):
        assert asks_first(LIST, surface, policy.current()).asks
        assert asks_first(PLAN, surface, policy.current()).asks
    assert not asks_first(LIST, Surface.CLI, policy.current()).asks
    path.write_text("")
    assert not asks_first(LIST, Surface.MCP, policy.current()).asks


def test_a_change_keeps_comments_and_tells(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n" + OFF)
    told = []
    policy = policy_file(path, lambda: told.append(1))
    policy.change("session.list", surface=None, enabled="default", approval=None, exposure=None, workspace=None)
    policy.change("session.list", surface="cli", enabled=None, approval="always", exposure=None, workspace="/a")
    assert availability(LIST, Surface.CLI, policy.current()).available
    assert asks_first(LIST, Surface.CLI, policy.current(), workspace="/a/b").asks
    assert not asks_first(LIST, Surface.CLI, policy.current(), workspace="/b").asks
    assert path.read_text().startswith("# mine\n")
    assert told == [1, 1]
