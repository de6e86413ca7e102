"""The house stays the house: the import contracts name every part, and each part has its test folder."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
# Modules of `actions` that all parts may use and that use none of them.
COMMON = {"errors", "tasks", "words"}


def parts(package: str) -> set[str]:
    """Names of the packages and modules directly in ``package``."""
    children = (ROOT / package).iterdir()
    return {
        child.stem
        for child in children
        if (child.suffix == ".py" and child.stem != "__init__") or (child.is_dir() and any(child.glob("*.py")))
    }


def contracts() -> list[dict[str, Any]]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["tool"]["importlinter"]["contracts"]


def named_parts(contracts: list[dict[str, Any]]) -> set[str]:
    """Parts of `actions` that a contract holds: as its source, or as a layer. Being forbidden is not enough."""
    names: set[str] = set()
    for contract in contracts:
        sources = contract.get("source_modules", [])
        names.update(match.group(1) for source in sources if (match := re.match(r"actions\.(\w+)", str(source))))
        if contract.get("containers") == ["actions"]:
            layers = contract["layers"]
            names.update(re.findall(r"\w+", " ".join(layers)))
    return names


def test_every_part_of_actions_is_held_by_a_contract() -> None:
    assert parts("actions") - COMMON - named_parts(contracts()) == set()


def test_a_part_that_no_contract_holds_is_noticed() -> None:
    shortened = [{"source_modules": ["actions.catalog"]}, {"containers": ["actions"], "layers": ["(host)", "policy"]}]
    assert named_parts(shortened) == {"catalog", "host", "policy"}


@pytest.mark.parametrize("package", ["actions", "voice", "desktop"])
def test_packages_are_packages(package: str) -> None:
    """A folder without __init__.py is left out by tools that look for packages, without a word."""
    folders = {file.parent for file in (ROOT / package).rglob("*.py")}
    without = {str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()}
    # Alembic runs its files one by one; the demo's sample repository is data.
    data = ("actions/storage/migrations/", "desktop/demo/repository/")
    assert {name for name in without if not name.startswith(data)} == set()


def test_no_module_is_longer_than_500_lines() -> None:
    long = {
        f"{file.relative_to(ROOT)}: {lines}"
        for package in ("actions", "voice", "desktop")
        for file in (ROOT / package).rglob("*.py")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert long == set()


def test_make_help_names_every_target_once() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = set(" ".join(re.findall(r"^\.PHONY: (.*)$", makefile, re.M)).split())
    printed = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = re.findall(r"^  make (\w+) ", printed, re.M)
    assert phony == {"setup", "run", "demo", "test", "agents", "bench", "lint", "help"}
    assert sorted(named) == sorted(phony)
