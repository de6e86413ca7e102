"""Homes for the tests of the command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.actions.cli.home import Home, make_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A fresh home without a host; one that a test starts is ended."""
    made = make_home(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def lively(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """One home for a module, with a running host."""
    made = make_home(tmp_path_factory.mktemp("lively"))
    assert made.sayso("workspace", "list").exit == 0
    yield made
    made.close()
