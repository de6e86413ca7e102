"""A chain of ancestors that was not seen to its end proves nothing: its process counts as unknown."""

from __future__ import annotations

import os

import psutil

from actions.delivery.peers import look_at


def test_the_chain_is_followed_to_the_root():
    peer = look_at(os.getpid())
    assert peer.known
    assert peer.ancestors[0] == os.getppid()
    assert psutil.Process(peer.ancestors[-1]).ppid() == 0


def test_a_parent_that_ends_while_it_is_looked_at_makes_the_process_unknown(monkeypatch):
    """As an agent can arrange: its parent ends between the reading of its pid and the look at it."""

    class Vanishing(psutil.Process):
        def __init__(self, pid: int | None = None) -> None:
            if pid is not None and pid == os.getppid():
                raise psutil.NoSuchProcess(pid)
            super().__init__(pid)

    monkeypatch.setattr(psutil, "Process", Vanishing)
    peer = look_at(os.getpid())
    assert not peer.known
    assert peer.ancestors == ()
