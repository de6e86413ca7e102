"""Packages that only list what their modules have: each module is loaded when something of it is asked for.

A vendor's client brings the types of everything that the vendor sells, thousands of modules, and one line that imports
one of them imports all. The agent needs those of one request.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any


@contextmanager
def lazily(*packages: str) -> Generator[None]:
    """What is imported inside takes ``packages``, and the packages in them, in this way."""
    finder = _Finder(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


@contextmanager
def stand_in(module: str, *classes: str) -> Generator[None]:
    """What is imported inside finds ``module`` with empty ``classes``: for a module that is never used, yet imported,
    and costs much. Nothing changes where it is loaded already.
    """
    if module in sys.modules:
        yield
        return
    made = sys.modules[module] = ModuleType(module, "Stands in for a module that is not needed here.")
    for name in classes:
        setattr(made, name, type(name, (), {}))
    try:
        yield
    finally:
        sys.modules.pop(module, None)


class _Finder(MetaPathFinder):
    def __init__(self, packages: Sequence[str]) -> None:
        self._packages = packages

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not any(fullname == package or fullname.startswith(f"{package}.") for package in self._packages):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.submodule_search_locations is None or type(spec.loader) is not SourceFileLoader:
            return None
        spec.loader = _Lazy(spec.loader.name, spec.loader.path)
        return spec


class _Lazy(SourceFileLoader):
    """A package that does more than to list names is loaded as ever."""

    def exec_module(self, module: ModuleType) -> None:
        where = _listed(self.get_data(self.path))
        if where is None:
            super().exec_module(module)
            return

        def load(name: str) -> Any:
            if name not in where:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            value = getattr(import_module(f".{where[name][0]}", module.__name__), where[name][1])
            setattr(module, name, value)
            return value

        module.__dict__["__getattr__"] = load


def _listed(source: bytes) -> Mapping[str, tuple[str, str]] | None:
    """Module and name there, by the name here; None when there is something else than imports from the package."""
    where: dict[str, tuple[str, str]] = {}
    for node in ast.parse(source).body:
        match node:
            case ast.ImportFrom(module="__future__"):
                pass
            case ast.ImportFrom(module=str(inner), names=names, level=1) if all(name.name != "*" for name in names):
                where.update({name.asname or name.name: (inner, name.name) for name in names})
            case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Expr(value=ast.Constant()):
                pass
            case _:
                return None
    return where
