"""Measures one thing of the window and prints its figures as JSON. Run by tests.bench.desktop."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.transcript.model import Item

sys.path.insert(0, str(Path(__file__).parents[3]))

ROWS = 100_000
_WORDS = (
    "the session reads files writes patches runs tests and reports results with links to code in server client".split()
)

_FLOOR = """
import sys, time
started = time.perf_counter()
from PySide6.QtWidgets import QApplication, QMainWindow, QListView, QPlainTextEdit, QSplitter
app = QApplication([])
sys.path.insert(0, sys.argv[1])
import desktop.main_window, desktop.theme.theme
window = QMainWindow()
splitter = QSplitter()
splitter.addWidget(QListView())
splitter.addWidget(QPlainTextEdit())
window.setCentralWidget(splitter)
window.resize(1180, 780)
window.show()
app.processEvents()
window.grab()
print((time.perf_counter() - started) * 1000)
"""


def percentile(samples: list[float], part: float) -> float:
    return sorted(samples)[int(part * (len(samples) - 1))]


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of CPU: what else the machine does at the moment is not ours."""
    started = time.process_time()
    action()
    return (time.process_time() - started) * 1000


def resident() -> float:
    """Megabytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1_000_000


def window() -> dict[str, float]:
    """From a bare interpreter to a drawn window, with the imports; the floor is a bare window with the same modules."""
    root = str(Path(__file__).parents[3])
    floor = subprocess.run([sys.executable, "-c", _FLOOR, root], capture_output=True, text=True, check=True)
    started = time.perf_counter()
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    from desktop.main_window import MainWindow
    from desktop.theme.theme import Theme

    shown = MainWindow(Theme(app))
    shown.show()
    app.processEvents()
    shown.grab()
    return {"ours": (time.perf_counter() - started) * 1000, "floor": float(floor.stdout)}


def history() -> list[Item]:
    """100,000 rows of about 490 characters: words, answers with lists and code, tool calls. The same in each run."""
    from desktop.transcript.model import Item, Kind

    chance = random.Random(7)

    def sentence(words: int) -> str:
        return " ".join(chance.choice(_WORDS) for _ in range(words)).capitalize() + "."

    def item(number: int) -> Item:
        match number % 5:
            case 0:
                return Item(str(number), Kind.USER, sentence(chance.randint(8, 40)))
            case 1 | 4:
                points = "\n".join(f"- {sentence(size)}" for size in (6, 9, 5))
                code = (
                    "```python\nasync def run(self):\n    async for event in self.events():\n        yield event\n```"
                )
                lead = f"{sentence(40)} **bold** and `code` with a [link](https://example.org/{number})."
                return Item(
                    str(number), Kind.AGENT, f"## Step {number}\n\n{lead}\n\n{points}\n\n{code}\n\n{sentence(25)}"
                )
            case 2:
                return Item(
                    str(number), Kind.TOOL, f"Read src/mod{number}.py", data={"status": "completed", "output": "x"}
                )
            case _:
                return Item(str(number), Kind.THOUGHT, sentence(30))

    return [item(number) for number in range(ROWS)]


def transcript() -> dict[str, float]:
    """Opening, appending, streaming and scrolling in a long transcript; drawing included.

    The floor of opening is the same text, without cards or markdown, in Qt's plainest widget.
    """
    from PySide6.QtWidgets import QApplication, QPlainTextEdit

    app = QApplication([])
    from desktop.theme.theme import Theme
    from desktop.transcript.model import Item, Kind, TranscriptModel
    from desktop.transcript.view import TranscriptView

    theme, items = Theme(app), history()
    model = TranscriptModel()
    view = TranscriptView(model, theme)
    view.resize(800, 700)
    view.show()
    app.processEvents()

    draw = app.processEvents  # a frame: what has changed is painted

    def draw_all() -> None:
        view.viewport().repaint()

    def opened() -> None:
        model.reset(items)
        draw()

    def append(number: int) -> None:
        model.upsert(Item(f"new{number}", Kind.TOOL, "Run", data={"status": "running"}))
        view.flush()
        draw()

    def stream(number: int) -> None:
        model.append_text(
            "stream", Kind.AGENT, f" {_WORDS[number % len(_WORDS)]}" + ("\n\n" if number % 40 == 39 else "")
        )
        view.flush()
        draw()

    plain = QPlainTextEdit()
    plain.resize(800, 700)
    plain.show()
    app.processEvents()
    text = "\n".join(item.text for item in items)

    def opened_plain() -> None:
        plain.setPlainText(text)
        app.processEvents()
        plain.viewport().repaint()

    figures = {"open_floor": timed(opened_plain)}
    plain.setPlainText("")
    plain.hide()
    gc.collect()
    before = resident()
    figures |= {"open": timed(opened), "memory": resident() - before}

    def step(name: str, rounds: int, act: Callable[[int], object]) -> None:
        taken: list[float] = []
        painted: list[float] = []
        for number in range(rounds):
            taken.append(timed(lambda number=number: act(number)))
            painted.append(timed(draw_all))
        figures[name] = percentile(taken, 0.5)
        figures[f"{name}_p95"] = percentile(taken, 0.95)
        figures[f"{name}_floor"] = percentile(painted, 0.5)

    step("append", 60, append)
    step("stream", 300, stream)
    bar, jumps = view.verticalScrollBar(), [0]

    def scroll(number: int) -> None:
        by = 120 if number < 100 else -120
        before = {row: card.y() for row, card in view._live.items()}
        bar.setValue(bar.value() + by)
        draw()
        after = {row: card.y() for row, card in view._live.items()}
        jumps.extend(abs(after[row] - y + by) for row, y in before.items() if row in after and 0 < after[row] < 600)

    bar.setValue(bar.maximum() // 2)
    step("scroll", 200, scroll)
    return {**figures, "jump": float(max(jumps))}


def idle() -> dict[str, float]:
    """The part of a core, in percent, that an open window takes while nothing happens."""
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    from desktop.app.loop import AppLoop
    from desktop.main_window import MainWindow
    from desktop.theme.theme import Theme

    shown = MainWindow(Theme(app))
    shown.show()

    async def rest() -> float:
        await asyncio.sleep(1)  # what is put off at the start is over
        began, used = time.perf_counter(), time.process_time()
        await asyncio.sleep(5)
        return (time.process_time() - used) / (time.perf_counter() - began) * 100

    with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
        return {"cpu": runner.run(rest())}


def lateness() -> dict[str, float]:
    """How late a 10 ms timer fires while 1,000 pieces a second stream into a visible transcript."""
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    from desktop.app.loop import AppLoop
    from desktop.theme.theme import Theme
    from desktop.transcript.model import Kind, TranscriptModel
    from desktop.transcript.view import TranscriptView

    model = TranscriptModel()
    view = TranscriptView(model, Theme(app))
    view.resize(800, 700)
    view.show()

    async def run() -> list[float]:
        late: list[float] = []

        async def watch() -> None:
            while True:
                started, used = time.perf_counter(), time.process_time()
                await asyncio.sleep(0.01)
                # No more of it is ours than the CPU that we took meanwhile; the rest is other programs' turn.
                ours = (time.process_time() - used) * 1000
                late.append(min((time.perf_counter() - started) * 1000 - 10, ours))

        watcher = asyncio.get_running_loop().create_task(watch())
        began = time.perf_counter()
        for number in range(3000):
            piece = f"{_WORDS[number % len(_WORDS)]} " + ("\n\n" if number % 50 == 49 else "")
            model.append_text(f"a{number // 500}", Kind.AGENT, piece)
            wait = began + number / 1000 - time.perf_counter()
            if wait > 0.001:
                await asyncio.sleep(wait)
        watcher.cancel()
        return late

    with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
        late = runner.run(run())
    return {"p99": percentile(late, 0.99)}


def launcher() -> dict[str, float]:
    """From the key to the drawn list of 400 actions, and from 5,000 options of a field to the drawn form."""
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    from actions.catalog.form import FormField
    from actions.catalog.hints import Widget
    from actions.catalog.options import Option
    from actions.catalog.registry import Catalog, load
    from actions.catalog.search import CatalogSearch
    from desktop.launcher.spec import ActionForm, ActionSummary
    from desktop.main_window import MainWindow
    from desktop.theme.theme import Theme

    shown = MainWindow(Theme(app))
    shown.show()
    app.processEvents()
    catalog = load()
    real = list(catalog)
    many = [replace(real[at % len(real)], id=f"{real[at % len(real)].id}_{at}") for at in range(400)]
    search = CatalogSearch(Catalog({spec.id: spec for spec in many}, catalog.sources))
    field = FormField(path="model", title="Model", type="string", widget=Widget.SELECT, required=True, flag="--model")
    options = [Option(value=f"model-{at}", label=f"Model number {at}") for at in range(5000)]

    def open_and_find(query: str) -> None:
        shown.launcher.open()
        shown.launcher.search.setText(query)
        hits = search.scored(query, 100)
        shown.launcher.show_hits(
            ActionSummary(spec.id, spec.title.en, spec.description.en, slash=spec.slash, score=score)
            for score, spec in hits
        )
        app.processEvents()

    def offer() -> None:
        shown.launcher.form.show_options("model", options)
        app.processEvents()

    samples: list[float] = []
    for number in range(40):
        samples.append(timed(lambda query=("", "plan", "session", "审查")[number % 4]: open_and_find(query)))
        shown.launcher.close_launcher()
        app.processEvents()
    shown.launcher.show_form(ActionForm(ActionSummary("model.choose", "Choose"), [field]))
    app.processEvents()
    offered = [timed(offer) for _ in range(20)]
    return {"open_p95": percentile(samples[4:], 0.95), "options_p95": percentile(offered, 0.95)}


if __name__ == "__main__":
    measured = {"window": window, "transcript": transcript, "lateness": lateness, "launcher": launcher, "idle": idle}
    print(json.dumps(measured[sys.argv[1]]()))
