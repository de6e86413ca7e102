"""``python -m tests.bench [NAME...]``: measures, prints a table and writes bench-results.json.

Every module of this package that has ``figures() -> Iterator[Figure]`` takes part. A name or its beginning
(``cli``, ``voice.rtf``) restricts the run; such a run replaces only what it measured in the file.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import tests.bench
from tests.bench.harness import Figure

RESULTS = Path(__file__).parents[2] / "bench-results.json"


def sources() -> dict[str, Callable[[], Iterator[Figure]]]:
    """The benchmark modules by name; a figure's name begins with the name of its module."""
    found: dict[str, Callable[[], Iterator[Figure]]] = {}
    for info in pkgutil.iter_modules(tests.bench.__path__):
        if info.name != "__main__" and not info.name.startswith("test_"):
            module = importlib.import_module(f"tests.bench.{info.name}")
            if hasattr(module, "figures"):
                found[info.name] = module.figures
    return found


def wanted(name: str, chosen: Sequence[str]) -> bool:
    return not chosen or any(name.startswith(choice) or choice.startswith(f"{name}.") for choice in chosen)


def measure(chosen: Sequence[str]) -> tuple[list[Figure], list[str]]:
    """The figures, and the names of modules that could not measure. A figure without its module's name is refused: a
    restricted run would drop it without a word.
    """
    measured: list[Figure] = []
    broken: list[str] = []
    for name, figures in sources().items():
        if not wanted(name, chosen):
            continue
        try:
            for figure in figures():
                if not figure.name.startswith(f"{name}."):
                    raise ValueError(f"the figure {figure.name!r} is not named after its module {name!r}")
                if wanted(figure.name, chosen):
                    print(line(figure), flush=True)
                    measured.append(figure)
        except Exception:  # noqa: BLE001 - one broken benchmark must not hide the others; it fails the run below
            traceback.print_exc()
            broken.append(name)
    return measured, broken


def line(figure: Figure) -> str:
    against = f"{figure.ratio:.2f}x of {figure.floor:.4g}" if figure.ratio is not None else ""
    verdict = "ok" if figure.ok else "TOO SLOW"
    return f"{figure.name:32} {figure.value:10.4g} {figure.unit:8} {against:20} limit {figure.limit:<8g} {verdict}"


def write(measured: Sequence[Figure], *, whole: bool) -> None:
    kept = {} if whole or not RESULTS.exists() else {row["name"]: row for row in json.loads(RESULTS.read_text("utf-8"))}
    kept.update({figure.name: figure.as_json() for figure in measured})
    RESULTS.write_text(json.dumps([kept[name] for name in sorted(kept)], indent=1) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description="Measure, and compare with floors and limits.")
    parser.add_argument("names", nargs="*", help="only figures that begin with one of these")
    chosen: list[str] = parser.parse_args().names
    measured, broken = measure(chosen)
    write(measured, whole=not chosen and not broken)
    slow = [figure.name for figure in measured if not figure.ok]
    if broken:
        print(f"could not measure: {', '.join(broken)}", file=sys.stderr)
    if slow:
        print(f"over the limit: {', '.join(slow)}", file=sys.stderr)
    if not measured and not broken:
        print(f"no benchmark is named {' or '.join(chosen)}; there are: {', '.join(sources())}", file=sys.stderr)
        return 2
    return 1 if slow or broken else 0


if __name__ == "__main__":
    sys.exit(main())
