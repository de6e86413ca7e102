"""Beside a transcript: the servers that the session's agent was promised and given, and the agents that work for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from actions.catalog.server_use_views import DeliveredServer, SessionTools
from actions.catalog.views import RunView, SessionView
from desktop.runs.model import RunListModel
from desktop.theme.theme import Theme
from desktop.transcript.model import Item, Kind, TranscriptModel
from desktop.widgets.basics import Elided, IconButton, button, chip, column, label, row

_TONES = {"listed": "chip-success", "called": "chip-success", "failed": "chip-danger", "not_yet": "chip-warning"}
_OWN_AGENTS = frozenset({"agent", "task", "subagent", "delegate", "dispatch_agent", "spawn_agent"})
WIDTH = 300
_PAUSE_MS = 250


@dataclass(frozen=True)
class OwnAgent:
    """A subagent that the provider runs by itself: all that is known of it is its tool call."""

    item_id: str
    title: str
    status: str


def own_agents(items: Iterable[Item]) -> list[OwnAgent]:
    """The tool calls by which an agent set its own subagents to work, the newest first."""
    found = [
        OwnAgent(item.id, item.text, str(item.data.get("status") or "pending"))
        for item in items
        if item.kind is Kind.TOOL and str(item.data.get("name") or "").casefold() in _OWN_AGENTS
    ]
    return found[::-1]


class SidePanel(QFrame):
    """``action_asked`` carries an action and its input; ``run_asked`` a run's id, ``item_asked`` a transcript row's."""

    action_asked = Signal(str, dict)
    run_asked = Signal(str)
    item_asked = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme, runs: RunListModel, transcript: TranscriptModel) -> None:
        super().__init__()
        self.setProperty("kind", "side")
        self.setFixedWidth(WIDTH)
        self._theme = theme
        self._runs = runs
        self._transcript = transcript
        self._session: SessionView | None = None
        self._shown: tuple[Sequence[RunView], Sequence[OwnAgent]] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._show_agents)
        self.tabs = QTabBar()
        self.tabs.addTab(self.tr("Servers"))
        self.tabs.addTab(self.tr("Agents"))
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName(self.tr("Servers or agents of this session"))
        self._close = IconButton(theme, "cross", self.tr("Hide servers and agents"))
        self._close.clicked.connect(self.closed)
        self._pages = QStackedWidget()
        self.servers, self.agents = (self._page(name) for name in (self.tr("Servers"), self.tr("Agents")))
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        head = row(margin=(8, 6, 8, 0))
        head.addWidget(self.tabs)
        head.addStretch(1)
        head.addWidget(self._close)
        inside = column(self, gap=0)
        inside.addLayout(head)
        inside.addWidget(self._pages, 1)
        runs.modelReset.connect(self.refresh)
        runs.dataChanged.connect(lambda *_: self.refresh())

    def show_session(self, session: SessionView) -> None:
        changed = self._session is None or (self._session.id, self._session.tools) != (session.id, session.tools)
        self._session = session
        if changed:
            self._show_servers(session)
        self.refresh()

    def refresh(self) -> None:
        """The transcript or the runs may tell of other agents now; looked at a few times a second, whatever streams."""
        if self.isVisible() and not self._pause.isActive():
            self._pause.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_agents()

    # servers

    def _show_servers(self, session: SessionView) -> None:
        _clear(self.servers)
        tools = session.tools
        if tools is None:
            self.servers.addWidget(self._note(self.tr("What the agent was given is known once it has started.")))
        else:
            self.servers.addWidget(self._note(self._own_tools(tools, without="did_not_list_tools" in session.marks)))
            for server in tools.servers:
                self.servers.addWidget(self._server(server))
            if not tools.servers:
                self.servers.addWidget(self._note(self.tr("It was given no server of yours.")))
        change = button(self.tr("Change its servers…"))
        given = {"session_id": session.id}
        change.clicked.connect(lambda: self.action_asked.emit("session.mcp.set", given))
        self.servers.addWidget(change, 0, Qt.AlignmentFlag.AlignLeft)
        self.servers.addStretch(1)

    def _own_tools(self, tools: SessionTools, *, without: bool) -> str:
        if tools.delivery == "shell_bridge":
            return self.tr("This agent takes no servers: it reaches Sayso by its command.")
        if tools.delivery == "none":
            return self.tr("This agent takes no servers.")
        if tools.listed_at is None and without:
            return self.tr("The agent had a turn and never asked for Sayso's tools: it works without them.")
        if tools.listed_at is None:
            return self.tr("The agent has not asked for Sayso's tools yet.")
        return self.tr("The agent has listed Sayso's tools: it has them.")

    def _server(self, server: DeliveredServer) -> QWidget:
        words = {
            "listed": self.tr("delivered"),
            "called": self.tr("in use"),
            "handed_over": self.tr("handed over"),
            "not_yet": self.tr("not yet"),
            "failed": self.tr("failed"),
        }
        box, inside = self._box()
        head = row()
        name = Elided(server.name, tone="strong")
        head.addWidget(name, 1)
        head.addWidget(chip(words[server.evidence], _TONES.get(server.evidence, "chip")))
        inside.addLayout(head)
        if server.delivered is None:
            counted = self.tr("{0} tools promised").format(server.promised)
        else:
            counted = self.tr("{0} of {1} promised tools").format(server.delivered, server.promised)
        inside.addWidget(label(counted, tone="small", wrap=True))
        if server.message:
            inside.addWidget(label(server.message, tone="muted", wrap=True, selectable=True))
        if server.evidence == "failed":
            line = row()
            for text, action_id in (
                (self.tr("Try again"), "mcp.servers.retry"),
                (self.tr("Log in"), "mcp.servers.login"),
            ):
                pressed = button(text, name=f"{text}: {server.name}")
                pressed.clicked.connect(lambda _=False, a=action_id: self.action_asked.emit(a, {"server": server.name}))
                line.addWidget(pressed)
            line.addStretch(1)
            inside.addLayout(line)
        return box

    # agents

    def _show_agents(self) -> None:
        if self._session is None or not self.isVisible():
            return
        own = own_agents(self._transcript[row] for row in range(len(self._transcript)))
        managed = [run for run in self._runs.all() if run.host_session_id == self._session.id]
        if (managed, own) != self._shown:
            self._shown = (managed, own)
            self._fill_agents(managed, own)

    def _fill_agents(self, managed: Sequence[RunView], own: Sequence[OwnAgent]) -> None:
        _clear(self.agents)
        self.agents.addWidget(label(self.tr("Runs of Sayso"), tone="group"))
        for run in managed:
            self.agents.addWidget(self._run(run))
        if not managed:
            self.agents.addWidget(self._note(self.tr("None. A review, a plan or a delegated task shows up here.")))
        self.agents.addSpacing(8)
        self.agents.addWidget(label(self.tr("Its own subagents"), tone="group"))
        for agent in own:
            self.agents.addWidget(self._own(agent))
        if not own:
            self.agents.addWidget(self._note(self.tr("None that it has told of.")))
        else:
            self.agents.addWidget(self._note(self.tr("They belong to the agent: Sayso can watch, not stop them.")))
        self.agents.addStretch(1)

    def _run(self, run: RunView) -> QWidget:
        box, inside = self._box()
        head = row()
        head.addWidget(Elided(f"{self._runs.kind_text(run.kind)} · {run.provider}", tone="strong"), 1)
        head.addWidget(chip(self._runs.state_text(run.state), "chip" if run.state.ended else "chip-accent"))
        inside.addLayout(head)
        if run.instructions:
            inside.addWidget(Elided(run.instructions, tone="small"))
        line = row()
        see = button(self.tr("Open"), name=self.tr("Open the run {0}").format(run.id))
        see.clicked.connect(lambda: self.run_asked.emit(run.id))
        line.addWidget(see)
        if not run.state.ended:
            stop = button(self.tr("Stop"), name=self.tr("Stop the run {0}").format(run.id))
            stop.clicked.connect(lambda: self.action_asked.emit("execution.run.stop", {"run_id": run.id}))
            line.addWidget(stop)
        line.addStretch(1)
        inside.addLayout(line)
        return box

    def _own(self, agent: OwnAgent) -> QWidget:
        words = {"completed": self.tr("done"), "failed": self.tr("failed"), "pending": self.tr("waiting")}
        box, inside = self._box()
        head = row()
        head.addWidget(Elided(agent.title, tone="strong"), 1)
        head.addWidget(chip(words.get(agent.status, self.tr("running"))))
        inside.addLayout(head)
        see = button(self.tr("Show in the transcript"), kind="quiet")
        see.clicked.connect(lambda: self.item_asked.emit(agent.item_id))
        inside.addWidget(see, 0, Qt.AlignmentFlag.AlignLeft)
        return box

    # pieces

    def _page(self, name: str) -> QVBoxLayout:
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        scroll = QScrollArea()
        scroll.setProperty("kind", "plain")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(name)
        scroll.setWidget(canvas)
        self._pages.addWidget(scroll)
        return column(canvas, margin=(12, 10, 12, 12), gap=8)

    def _box(self) -> tuple[QFrame, QVBoxLayout]:
        box = QFrame()
        box.setProperty("kind", "panel")
        return box, column(box, margin=(10, 8, 10, 8), gap=4)

    def _note(self, text: str) -> QWidget:
        return label(text, tone="muted", wrap=True)


def _clear(layout: QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            old.hide()
            old.deleteLater()
