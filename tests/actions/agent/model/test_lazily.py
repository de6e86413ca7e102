"""Packages whose modules are loaded when something of them is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from actions.agent.model.lazily import lazily, stand_in


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package ``lazyshop`` with the modules ``a`` and ``b`` and the package ``inner`` in it."""
    folder = tmp_path / "lazyshop"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text(
        "from __future__ import annotations\n\nfrom .a import A as A\nfrom .b import (\n    B,\n    C as D,\n)\n"
    )
    (folder / "inner" / "__init__.py").write_text("from ..a import A\nREADY = True\n")
    (folder / "a.py").write_text("class A: ...\n")
    (folder / "b.py").write_text("class B: ...\nclass C: ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "lazyshop"]:
        del sys.modules[name]


def test_a_module_is_loaded_when_something_of_it_is_asked_for(shop: Path) -> None:
    finders = list(sys.meta_path)
    with lazily("lazyshop"):
        package = import_module("lazyshop")
        assert {"lazyshop.a", "lazyshop.b"}.isdisjoint(sys.modules)
    assert sys.meta_path == finders
    assert package.D.__name__ == "C"
    assert "lazyshop.a" not in sys.modules
    assert package.A is import_module("lazyshop.a").A
    with pytest.raises(AttributeError, match="'lazyshop' has no attribute 'Nothing'"):
        _ = package.Nothing


def test_a_package_that_does_more_is_loaded_as_ever(shop: Path) -> None:
    with lazily("lazyshop"):
        inner = import_module("lazyshop.inner")
    assert inner.READY
    assert "lazyshop.a" in sys.modules


def test_other_packages_are_loaded_as_ever(shop: Path) -> None:
    with lazily("lazysho", "other"):
        import_module("lazyshop")
    assert "lazyshop.b" in sys.modules


def test_a_stand_in_is_gone_afterwards_and_never_hides_what_is_loaded(shop: Path) -> None:
    with stand_in("lazyshop.b", "B", "C"):
        assert import_module("lazyshop").D.__module__ != "lazyshop.b"
    real = import_module("lazyshop.b")
    with stand_in("lazyshop.b", "B"):
        assert import_module("lazyshop.b") is real
    assert sys.modules["lazyshop.b"] is real
