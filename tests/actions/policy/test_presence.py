"""Who a connection counts as: the kernel's word decides, the claim only narrows it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.catalog.context import CallerKind
from actions.catalog.spec import Surface
from actions.policy.presence import Claim, Peer, identify

HOST = 100
OUTSIDE = Peer(7, known=True, ancestors=(5, 1), terminal=True)
INSIDE = Peer(7, known=True, ancestors=(5, HOST, 1), terminal=True)


@pytest.mark.parametrize("surface", ["ui", "voice", "cli", "mcp", "session_agent", None])
def test_a_descendant_of_the_host_is_an_agent_whatever_it_claims(surface):
    found, caller = identify(INSIDE, Claim(surface), host_pid=HOST, token_session="ses_1")
    assert found is Surface.SESSION_AGENT
    assert (caller.kind, caller.present, caller.session_id) == (CallerKind.SESSION, False, "ses_1")


def test_a_token_makes_an_agent_of_anyone():
    found, caller = identify(OUTSIDE, Claim("cli"), host_pid=HOST, token_session="ses_1")
    assert found is Surface.SESSION_AGENT
    assert not caller.present


def test_a_process_that_is_gone_is_an_agent():
    found, caller = identify(Peer(7), Claim("ui"), host_pid=HOST)
    assert found is Surface.SESSION_AGENT
    assert not caller.present


def test_a_command_is_present_only_at_a_terminal():
    assert identify(OUTSIDE, Claim("cli"), host_pid=HOST)[1].present
    piped = Peer(7, known=True, ancestors=(5, 1), terminal=False)
    assert not identify(piped, Claim("cli"), host_pid=HOST)[1].present


def test_a_window_brings_its_focused_session_and_a_command_does_not():
    assert identify(OUTSIDE, Claim("ui", "ses_2"), host_pid=HOST)[1].session_id == "ses_2"
    assert identify(OUTSIDE, Claim("cli", "ses_2"), host_pid=HOST)[1].session_id is None


peers = st.builds(
    Peer,
    pid=st.one_of(st.none(), st.integers(1, 200)),
    known=st.booleans(),
    ancestors=st.lists(st.integers(1, 200), max_size=5).map(tuple),
    terminal=st.booleans(),
)
claims = st.builds(Claim, surface=st.one_of(st.none(), st.text(), st.sampled_from([s.value for s in Surface])))


@given(peers, claims, st.one_of(st.none(), st.just("ses_1")))
def test_nothing_inside_is_ever_present(peer, claim, token):
    surface, caller = identify(peer, claim, host_pid=HOST, token_session=token)
    if not peer.known or HOST in peer.ancestors or token is not None:
        assert surface is Surface.SESSION_AGENT
        assert not caller.present
    if surface is Surface.CLI:
        assert caller.present == peer.terminal
