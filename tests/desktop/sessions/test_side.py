"""Beside a transcript: servers promised and given, runs of Sayso and the provider's own subagents."""

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from actions.catalog.server_use_views import SessionTools
from desktop.runs.model import RunListModel
from desktop.sessions.side import SidePanel, own_agents
from desktop.theme.theme import Theme
from desktop.transcript.model import Item, Kind, TranscriptModel
from tests.desktop.accessibility import unnamed
from tests.desktop.conftest import Eventually
from tests.desktop.host import run, session

TOOLS = SessionTools.model_validate(
    {
        "delivery": "native_mcp",
        "listed_at": 1,
        "servers": [
            {"name": "files", "delivery": "native", "promised": 4, "delivered": 3, "evidence": "listed"},
            {"name": "web", "delivery": "native", "promised": 2, "evidence": "failed", "message": "No key."},
        ],
    }
)


def said(panel: SidePanel) -> str:
    return "\n".join(text.text() for text in panel.findChildren(QLabel) if text.isVisible())


def pressed(panel: SidePanel, text: str) -> QPushButton:
    return next(b for b in panel.findChildren(QPushButton) if b.isVisible() and b.text() == text)


def test_subagents_are_the_calls_that_set_one_to_work() -> None:
    items = [
        Item("1", Kind.TOOL, "Explore the tests", data={"name": "Task", "status": "completed"}),
        Item("2", Kind.TOOL, "Read", data={"name": "read_file"}),
        Item("3", Kind.AGENT, "task"),
    ]
    assert [agent.item_id for agent in own_agents(items)] == ["1"]


async def test_servers_and_agents(qtbot: QtBot, theme: Theme, eventually: Eventually) -> None:
    runs, transcript = RunListModel(), TranscriptModel()
    panel = SidePanel(theme, runs, transcript)
    qtbot.addWidget(panel)
    asked: list[tuple[str, object]] = []
    for signal in (panel.run_asked, panel.item_asked):
        signal.connect(lambda id: asked.append(("open", id)))
    panel.action_asked.connect(lambda action, given: asked.append((action, given)))
    panel.show_session(session("s1", tools=TOOLS))
    panel.show()
    assert "3 of 4 promised tools" in said(panel)
    assert "No key." in said(panel)
    pressed(panel, "Try again").click()
    assert unnamed(panel) == []

    never = TOOLS.model_copy(update={"listed_at": None})
    panel.show_session(session("s1", tools=never, marks=["did_not_list_tools"]))
    await eventually(lambda: "never asked for Sayso's tools: it works without them." in said(panel))

    panel.tabs.setCurrentIndex(1)
    assert "None that it has told of." in said(panel)
    runs.show_runs([run("r1", host_session_id="s1"), run("r2", host_session_id="other")])
    transcript.upsert(Item("t", Kind.TOOL, "Explore", data={"name": "Task", "status": "running"}))
    panel.refresh()
    await eventually(lambda: "Explore" in said(panel))
    assert said(panel).count("Plan run") == 1
    pressed(panel, "Open").click()
    pressed(panel, "Stop").click()
    pressed(panel, "Show in the transcript").click()
    assert asked == [
        ("mcp.servers.retry", {"server": "web"}),
        ("open", "r1"),
        ("execution.run.stop", {"run_id": "r1"}),
        ("open", "t"),
    ]
    assert unnamed(panel) == []
