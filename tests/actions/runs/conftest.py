"""The runs room on top of the real sessions room."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from actions.runs.service import RunService
from tests.actions.sessions.conftest import House, house

__all__ = ["Runs", "house"]


@dataclass
class Runs:
    house: House
    service: RunService

    @property
    def workspace(self) -> str:
        return str(self.house.workspace)


@pytest.fixture
async def runs(house: House) -> AsyncIterator[Runs]:
    room = house.room
    service = RunService(
        house.database,
        sessions=room.sessions,
        providers=room.providers,
        workspaces=room.workspaces,
        publish=lambda kind, data: house.published.append((kind, data)),
        look_seconds=0.05,
    )
    yield Runs(house, service)
    await service.close()
