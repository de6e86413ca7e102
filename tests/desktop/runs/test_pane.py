import asyncio
from collections.abc import Mapping
from typing import Any

from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.app.backend import Outcome
from desktop.runs.model import ROW, RunListModel
from desktop.runs.pane import RunsPane
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import NOW, InMemoryHost, run
from tests.stopwatch import Stopwatch


def test_a_run_that_is_opened_before_it_is_read_is_shown_then(qtbot: QtBot, theme: Theme) -> None:
    pane = RunsPane(theme, RunListModel())
    qtbot.addWidget(pane)
    pane.model.show_runs([run("r1")])
    pane.open("r2")
    pane.model.show_runs([run("r1", created=NOW + 5), run("r2")])
    current = pane.list.currentIndex()
    assert current.row() == pane.model.position("r2")


def test_a_run_that_changes_goes_to_its_place_and_the_others_keep_theirs(qtbot: QtBot, theme: Theme) -> None:
    pane = RunsPane(theme, RunListModel())
    qtbot.addWidget(pane)
    model = pane.model
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_runs([run(f"r{at}", created=NOW - at, state="succeeded") for at in range(6)])
    pane.open("r4")
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.upsert(run("new", created=NOW + 1))
    model.upsert(run("r2", created=NOW - 2))
    assert [shown.id for shown in model.all()] == ["new", "r2", "r0", "r1", "r3", "r4", "r5"]
    model.upsert(run("new", created=NOW + 1, state="failed"))
    model.upsert(run("r2", created=NOW - 2, state="cancelled"))
    model.extend([run("old", created=NOW - 50, state="failed"), run("r3", created=NOW - 3)])
    assert [shown.id for shown in model.all()] == ["new", "r0", "r1", "r2", "r3", "r4", "r5", "old"]
    assert model.data(pane.list.currentIndex(), ROW).id == "r4"
    assert resets == []


async def test_the_list_goes_on_when_its_end_is_near(theme: Theme, host: InMemoryHost, eventually: Eventually) -> None:
    every = [run(f"r{at:04}", created=NOW - at, state="succeeded", instructions=f"Number {at}") for at in range(1000)]
    asked: list[dict[str, Any]] = []

    def page(given: Mapping[str, Any]) -> Outcome:
        asked.append(dict(given))
        first = int(given.get("cursor") or 0)
        after = first + given["limit"]
        rows = [shown.model_dump(mode="json") for shown in every[first:after]]
        return host.completed({"runs": rows, "next_cursor": str(after) if after < len(every) else None})

    host.answers["execution.run.list"] = page
    application = Application(theme, host)
    application.open()
    pane = application.window.runs
    await eventually(lambda: pane.model.rowCount() == 100)
    application.open_pane("runs")
    await eventually(pane.list.isVisible)
    bar = pane.list.verticalScrollBar()
    watch = Stopwatch()
    for rows in range(200, 1001, 100):
        await eventually(lambda: bar.maximum() > 0)
        bar.setValue(bar.maximum())
        await eventually(lambda rows=rows: pane.model.rowCount() == rows)
    assert watch.seconds < 10
    assert len(asked) == 10
    bar.setValue(bar.maximum())
    await asyncio.sleep(0.05)
    assert len(asked) == 10, "there is no more"
    host.publish("run_did_change", run_id="r0001", run=every[1].model_copy(update={"stale": True}).model_dump())
    await eventually(lambda: pane.model.data(pane.model.index(1), ROW).stale)
    assert "stale: Number 1" in pane.model.data(pane.model.index(1))
    assert host.called("execution.run.get") == [], "what changed came with its event"
    await application.close()
