"""Homes for the tests of whole programs: fresh for each test, and nothing of one is left when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.actions.cli.home import Home, make_home
from tests.e2e.processes import end_all


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A fresh home without a host."""
    made = make_home(tmp_path)
    yield made
    end_all(made.folder)
