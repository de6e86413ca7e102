"""The actions page: every action by surface, and below it what can be changed of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QLineEdit, QStackedWidget, QTableView

from desktop.settings.actions_model import ROW, ActionPolicy, ActionsFilter, ActionsModel, Held, change_for
from desktop.theme.spacing import CONTROL_HEIGHT
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided, EmptyState, IconLabel, chip, column, frame, label, restyle, row
from desktop.widgets.flow import Flow
from desktop.widgets.select import Select

_CHOICES = (Held.ALLOWED, Held.ASKS, Held.OFF)
_WIDE, _TITLE_WIDTH = 680, 190
_TONES = {"danger": "chip-danger", "external": "chip-warning", "write": "chip-accent"}


class ActionsPage(QFrame):
    """``change_asked`` carries the input of ``settings.actions.set``, ``agent_chosen`` a provider or ""."""

    change_asked = Signal(dict)
    agent_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        self.title = self.tr("Actions")
        self.model = ActionsModel(theme, self)
        self.rows = ActionsFilter(self.model)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search actions"))
        self.search.setAccessibleName(self.tr("Search actions"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._on_search)
        self.agent = Select(theme)
        self.agent.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        self.agent.setAccessibleName(self.tr("What an agent of this provider would see"))
        self.agent.activated.connect(lambda: self.agent_chosen.emit(str(self.agent.currentData() or "")))
        self.table = QTableView()
        self.table.setProperty("kind", "plain")
        self.table.setAccessibleName(self.tr("Actions by surface"))
        self.table.setModel(self.rows)
        self.table.setShowGrid(False)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setIconSize(QSize(14, 14))
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(64)
        self.table.activated.connect(lambda: self.held.setFocus(Qt.FocusReason.ShortcutFocusReason))
        self.table.selectionModel().currentChanged.connect(self._on_current)
        self.model.dataChanged.connect(lambda *_: self._show())
        self.rows.modelReset.connect(self._fit)
        self._empty = EmptyState(theme, "clock", "", "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.table)
        self._compose(theme)
        self.show_agents(())
        self.show_loading()

    # what a presenter tells it

    def show_loading(self) -> None:
        self._empty.show_text("clock", self.tr("Loading…"), "")
        self._pages.setCurrentIndex(0)

    def show_problem(self, message: str) -> None:
        """The policy could not be read; what is known already stays."""
        if not self.model.rowCount():
            self._empty.show_text("alert", self.tr("The actions could not be read"), message, "danger")
            self._pages.setCurrentIndex(0)

    def show_policies(self, policies: Sequence[ActionPolicy]) -> None:
        self.model.show_policies(policies)
        self._on_search(self.search.text())
        if not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.rows.index(0, 1))
        self._fit()

    def show_agents(self, providers: Sequence[tuple[str, str]]) -> None:
        """The providers to choose from, as id and name."""
        chosen = self.agent.currentData()
        self.agent.clear()
        self.agent.addItem(self.tr("No agent"), "")
        for id, name in providers:
            self.agent.addItem(name, id)
        self.agent.setCurrentIndex(max(0, self.agent.findData(chosen)))

    def show_note(self, text: str) -> None:
        """What a person should know of the agent's view; empty hides it."""
        self._note.setText(text)
        self._note.setVisible(bool(text))

    def note_no_workspace(self) -> None:
        self.show_note(self.tr("Add a workspace first: what an agent sees depends on where it works."))

    def note_place(self, workspace: str) -> None:
        self.show_note(self.tr("For a session in {0}").format(workspace))

    def again(self) -> None:
        """The change did not come about: show what holds."""
        self._show()

    # inside

    def _compose(self, theme: Theme) -> None:
        bar = frame("bar")
        head = column(bar, margin=(24, 14, 16, 12), gap=8)
        head.addWidget(label(self.title, tone="heading"))
        about = self.tr("What may be done from where. What is changed here holds on this device.")
        head.addWidget(label(about, tone="muted", wrap=True))
        tools = row(gap=8)
        tools.addWidget(self.search, 1)
        tools.addWidget(label(self.tr("As seen by"), tone="muted"))
        tools.addWidget(self.agent)
        head.addLayout(tools)
        self._note = label(tone="muted", wrap=True)
        self._note.hide()
        head.addWidget(self._note)
        self._title = Elided(tone="strong")
        self._effect = chip()
        self._id = label(tone="small", selectable=True)
        self._where = label(tone="muted")
        self._where.setMinimumHeight(CONTROL_HEIGHT)
        self.held = Select(theme)
        self.held.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        self.held.activated.connect(self._on_held)
        self.exposure = Select(theme)
        self.exposure.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToContents)
        self.exposure.activated.connect(self._on_exposure)
        self._floor = IconLabel(theme, "shield", "warning")
        self._reason = label(tone="muted", wrap=True)
        self._seen = label(tone="muted", wrap=True)
        self._detail = frame("foot")
        inside = column(self._detail, margin=(24, 10, 16, 12), gap=6)
        line = row(gap=8)
        line.addWidget(self._title, 1)
        line.addWidget(self._id)
        line.addWidget(self._effect)
        inside.addLayout(line)
        choices = Flow(gap=8)
        for widget in (self._where, self.held, self.exposure):
            choices.addWidget(widget)
        inside.addLayout(choices)
        why = row(gap=8)
        why.addWidget(self._floor, 0, Qt.AlignmentFlag.AlignTop)
        why.addWidget(self._reason, 1)
        inside.addLayout(why)
        inside.addWidget(self._seen)
        self._detail.hide()
        layout = column(self, gap=0)
        layout.addWidget(bar)
        layout.addWidget(self._pages, 1)
        edge = frame("line")
        layout.addWidget(edge)
        layout.addWidget(self._detail)

    def _fit(self) -> None:
        header = self.table.horizontalHeader()
        if header.count() == 0:
            return
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        if self.width() >= _WIDE:
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        else:  # the rest scrolls sideways; what an action is called has to be read
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(0, _TITLE_WIDTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _on_search(self, text: str) -> None:
        self.rows.search(text)
        if self.rows.rowCount():
            self._pages.setCurrentIndex(1)
        elif self.model.rowCount():
            self._empty.show_text("search", self.tr("No action fits"), self.tr("Try other words."))
            self._pages.setCurrentIndex(0)
        self._show()

    def _on_current(self, index: QModelIndex, *_: object) -> None:
        self._show()

    def _chosen(self) -> tuple[ActionPolicy, str] | None:
        index = self.table.currentIndex()
        policy = index.data(ROW) if index.isValid() else None
        if not isinstance(policy, ActionPolicy):
            return None
        return policy, self.model.surface(index.column()) or "session_agent"

    def _show(self) -> None:
        chosen = self._chosen()
        self._detail.setVisible(chosen is not None)
        if chosen is None:
            return
        policy, surface = chosen
        found = policy.surfaces[surface]
        self._title.set_full(policy.title)
        self._id.setText(policy.id)
        self._effect.setText(self._effect_text(policy.effect))
        restyle(self._effect, tone=_TONES.get(policy.effect, "chip"))
        where = self.model.surface_text(surface)
        self._where.setText(where)
        fixed = found.held in (Held.ABSENT, Held.PERSON)
        self.held.clear()
        for held in (found.held,) if fixed else _CHOICES:
            text = self.tr("Not there") if held is Held.ABSENT else self.model.held_text(held)
            self.held.addItem(text, held)
            if not found.possible(held):
                self.held.model().item(self.held.count() - 1).setEnabled(False)  # pyright: ignore[reportAttributeAccessIssue]  # a combo box's own model is a standard one
        self.held.setCurrentIndex(self.held.findData(found.held))
        self.held.setEnabled(not fixed)
        self.held.setAccessibleName(self.tr("{0}: {1}").format(where, policy.title))
        agents = surface in ("session_agent", "mcp")
        self.exposure.setVisible(agents and not fixed)
        self.exposure.clear()
        usual = self._exposure_text(found.exposure_default)
        self.exposure.addItem(self.tr("As usual ({0})").format(usual), "default")
        for exposure in ("direct", "discoverable"):
            self.exposure.addItem(self._exposure_text(exposure), exposure)
        self.exposure.setCurrentIndex(max(0, self.exposure.findData(found.exposure_setting)))
        self.exposure.setAccessibleName(self.tr("How {0} is shown to agents").format(policy.title))
        self._floor.setVisible(found.floor and not fixed)
        self._reason.setText(self._reason_text(found.held, found.floor, surface, policy))
        seen = self.model.seen(policy)
        self._seen.setVisible(seen is not None)
        if seen is not None:
            name = seen.shown_as if seen.how == "direct" else ""
            words = (self.model.how_text(seen), name, seen.reason)
            self._seen.setText(self.tr("For the agent: {0}").format(" · ".join(word for word in words if word)))

    def _reason_text(self, held: Held, floor: bool, surface: str, policy: ActionPolicy) -> str:
        where = self.model.surface_text(surface)
        if held is Held.ABSENT:
            return self.tr("This action does not exist there.")
        if held is Held.PERSON:
            return self.tr("Only a person may do this: in the window, or in a terminal that no agent started.")
        if held is Held.OFF:
            return self.tr("It is switched off there.")
        if floor and held is Held.ASKS:
            return self.tr("{0}: this kind of action always asks first. No setting lifts that.").format(where)
        if floor:
            return self.tr("A decision is never asked about a second time.")
        if policy.surfaces[surface].approval != "default":
            return self.tr("You set this.")
        return self.tr("This is the usual for such an action.")

    def _effect_text(self, effect: str) -> str:
        return {
            "none": self.tr("no effect"),
            "read": self.tr("reads"),
            "write": self.tr("writes"),
            "external": self.tr("reaches outside"),
            "danger": self.tr("dangerous"),
        }.get(effect, effect)

    def _exposure_text(self, exposure: str) -> str:
        return self.tr("As a tool of its own") if exposure == "direct" else self.tr("Found by search")

    def _on_held(self) -> None:
        chosen = self._chosen()
        change = None if chosen is None else change_for(*chosen, Held(self.held.currentData()))
        if change is None:
            self._show()
        else:
            self.change_asked.emit(change)

    def _on_exposure(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            return
        policy, surface = chosen
        wanted = str(self.exposure.currentData())
        if wanted != policy.surfaces[surface].exposure_setting:
            self.change_asked.emit({"action_id": policy.id, "surface": surface, "exposure": wanted})
