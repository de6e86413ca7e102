"""Workspaces: directories by their real paths."""

from __future__ import annotations

import pytest

from actions.errors import Ambiguous, InvalidInput, NotFound
from tests.actions.sessions.conftest import House


async def test_a_link_and_its_target_are_one_workspace(house: House) -> None:
    link = house.workspace.parent / "link"
    link.symlink_to(house.workspace)
    first = await house.room.workspaces.add(str(link))
    again = await house.room.workspaces.add(str(house.workspace), name="Renamed")
    assert (first.id, first.path) == (again.id, str(house.workspace.resolve()))
    assert [w.name for w in (await house.room.workspaces.list()).workspaces] == ["Renamed"]


async def test_found_by_id_prefix_name_or_directory(house: House) -> None:
    workspaces = house.room.workspaces
    added = await workspaces.add(str(house.workspace), name="My Repo")
    for reference in (added.id, added.id[:12], "my repo", str(house.workspace) + "/"):
        assert (await workspaces.find(reference)).id == added.id
    other = house.workspace.parent / "other"
    other.mkdir()
    assert (await workspaces.find(str(other))).path == str(other)
    with pytest.raises(Ambiguous):
        await workspaces.find("wsp_")


async def test_asking_for_the_sessions_of_a_folder_adds_nothing(house: House) -> None:
    assert (await house.room.sessions.list(workspace=str(house.workspace))).sessions == []
    assert (await house.room.workspaces.list()).workspaces == []
    session_id = await house.start()
    assert [s.id for s in (await house.room.sessions.list(workspace=str(house.workspace))).sessions] == [session_id]


async def test_what_is_no_folder(house: House) -> None:
    file = house.workspace / "file"
    file.write_text("x")
    with pytest.raises(InvalidInput):
        await house.room.workspaces.add(str(file))
    with pytest.raises(NotFound, match="no folder"):
        await house.room.workspaces.add(str(house.workspace / "nothing"))
