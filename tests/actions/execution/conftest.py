from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.actions.execution.house import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A house with its own database and workspace."""
    async with open_house(tmp_path) as house:
        yield house
